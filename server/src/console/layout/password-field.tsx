import { Field, type FieldProps } from './form.js';

type PasswordFieldProps = Pick<FieldProps, 'label' | 'problems'> & { readonly name?: string };

/** Asks for the password of the account. */
export const PasswordField = ({ name = 'password', ...field }: PasswordFieldProps) => (
  <Field {...field} name={name} type="password" autocomplete="current-password" required />
);

/** Asks for a new password. */
export const NewPasswordField = ({ name = 'password', ...field }: PasswordFieldProps) => (
  <Field
    {...field}
    name={name}
    type="password"
    autocomplete="new-password"
    hint="12 characters or more; a few words that you remember are fine."
    required
  />
);
