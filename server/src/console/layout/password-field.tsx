import { Field, type FieldProps } from './form.js';

type PasswordFieldProps = Pick<FieldProps, 'label'> & { readonly name?: string };

export const PasswordField = ({ name = 'password', label }: PasswordFieldProps) => (
  <Field name={name} label={label} type="password" autocomplete="current-password" required />
);

/** A hidden field with the e-mail of the account, by which password managers tell accounts apart. */
export const Username = ({ email }: { readonly email: string }) => (
  <input type="hidden" name="username" value={email} autocomplete="username" />
);

export const NewPasswordField = ({ name = 'password', label }: PasswordFieldProps) => (
  <Field
    name={name}
    label={label}
    type="password"
    autocomplete="new-password"
    hint="12 characters or more; a few words that you remember are fine."
    required
  />
);
