import { z } from 'zod';
import { changeEmail } from '../../accounts/change-account.js';
import { changePassword } from '../../accounts/change-password.js';
import { checkPasswordLength, PasswordRejection } from '../../accounts/password.js';
import { canGetMail } from '../../mail/notifications.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { localPath } from '../routing/next-path.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { findAskingSite } from './asking-site.js';
import { NewPasswordField, PasswordField, Username } from '../layout/password-field.js';

const AFTERWARDS = '/overview?done=password';
const FORM = z.object({
  current: z.string(),
  next: field(checkPasswordLength),
  email: z.string().optional(),
});

async function showForm(context: SignedInContext, next: string, problems?: FormProblems) {
  const { account } = context.user;
  await findAskingSite(context, next);
  return context.render(
    { title: 'Change your password', width: 'narrow', problems },
    <>
      <h1>Change your password</h1>
      <p>
        Signed in as <strong>{account.email}</strong>.
      </p>
      {account.mustChangePassword && problems === undefined ? (
        <p class="notice">Your password was generated for you. Choose one of your own to continue.</p>
      ) : null}
      <Form action="/password" class="stack">
        <input type="hidden" name="afterwards" value={next} />
        <Username email={account.email} />
        <PasswordField name="current" label="Current password" />
        <NewPasswordField name="next" label="New password" />
        {canGetMail(account.email) ? null : (
          <Field
            name="email"
            label="Your e-mail (optional)"
            type="email"
            autocomplete="email"
            hint={`You then sign in with it, and mail reaches you. No mail reaches ${account.email}.`}
          />
        )}
        <button type="submit">Change the password</button>
      </Form>
      <p class="aside">Your other sessions, on other devices, are signed out.</p>
    </>,
  );
}

export const passwordPage = signedInPage('/password', {
  get: (context) => {
    const { next } = formFields(context.request.query, ['next']);
    return showForm(context, localPath(next, AFTERWARDS));
  },
  post: async (context) => {
    const afterwards = localPath(formFields(context.request.body, ['afterwards']).afterwards, AFTERWARDS);
    const { account, sessionId } = context.user;
    try {
      const { email = '', ...passwords } = context.readForm(FORM);
      if (email.trim() !== '' && !canGetMail(account.email))
        await changeEmail(context.domain, { accountId: account.id, current: passwords.current, email });
      const change = { accountId: account.id, ...passwords, exceptSessionId: sessionId };
      const passwordHash = await changePassword(context.domain, change);
      await context.beginSession({ accountId: account.id, verified: { passwordHash, replaces: sessionId } });
    } catch (error) {
      const wrong = error instanceof PasswordRejection ? 'next' : undefined;
      return showForm(context, afterwards, context.problemsOf(error, wrong));
    }
    return context.redirect(afterwards);
  },
});
