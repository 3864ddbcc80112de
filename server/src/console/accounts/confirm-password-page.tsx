import { verifyPassword } from '../../accounts/change-password.js';
import { notePassword } from '../../accounts/sessions.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { localPath } from '../routing/next-path.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { PasswordField, Username } from '../layout/password-field.js';

const AFTERWARDS = '/account';

const showForm = (context: SignedInContext, next: string, problems?: FormProblems) =>
  context.render(
    { title: 'Confirm your password', width: 'narrow', problems },
    <>
      <h1>Confirm your password</h1>
      <p>
        You signed in a while ago as <strong>{context.user.account.email}</strong>. The next page shows
        secrets, so enter your password again.
      </p>
      <Form action="/confirm-password" class="stack">
        <input type="hidden" name="next" value={next} />
        <Username email={context.user.account.email} />
        <PasswordField label="Password" />
        <button type="submit">Go on</button>
      </Form>
    </>,
  );

/** GET and POST /confirm-password: asks for the password again before a page that requires it. */
export const confirmPasswordPage = signedInPage('/confirm-password', {
  get: (context) => {
    const { next } = formFields(context.request.query, ['next']);
    return showForm(context, localPath(next, AFTERWARDS));
  },
  post: async (context) => {
    const { password, next: wanted } = formFields(context.request.body, ['password', 'next']);
    const next = localPath(wanted, AFTERWARDS);
    const { account, sessionId } = context.user;
    try {
      await verifyPassword(context.domain, account.id, password);
    } catch (error) {
      return showForm(context, next, context.problemsOf(error));
    }
    await notePassword(context.domain, sessionId);
    return context.redirect(next);
  },
});
