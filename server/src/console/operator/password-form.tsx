import type { ComponentChildren } from 'preact';
import { verifyPassword } from '../../accounts/change-password.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { OperatorTabs } from './operator-tabs.js';

interface PasswordFormProps {
  readonly context: SignedInContext;
  readonly title: string;
  readonly action: string;
  /** The label of the button, a verb. */
  readonly button: string;
  readonly backTo: string;
  readonly problems: FormProblems | undefined;
  /** The consequences of the action. */
  readonly children: ComponentChildren;
}

/** Shows a page that asks an operator for the password before something dangerous. */
export function showPasswordForm({
  context,
  title,
  action,
  button,
  backTo,
  problems,
  children,
}: PasswordFormProps) {
  return context.render(
    { title, problems },
    <>
      <OperatorTabs />
      <h1>{title}</h1>
      {children}
      <FormAlert problems={problems} />
      <Form action={action} class="stack operator-form">
        <input type="hidden" name="username" value={context.user.account.email} autocomplete="username" />
        <Field
          name="current"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required
          problems={problems}
        />
        <p class="actions">
          <button type="submit">{button}</button>
          <a class="button secondary" href={backTo}>
            Back
          </a>
        </p>
      </Form>
    </>,
  );
}

/** Throws a ServiceError if the form does not contain its sender's password. */
export async function verifyTypedPassword({ request, domain, user }: SignedInContext): Promise<void> {
  const { current } = formFields(request.body, ['current']);
  await verifyPassword(domain, user.account.id, current);
}
