import { verifyPassword } from '../../accounts/change-password.js';
import { storePasswordTime } from '../../accounts/sessions.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { nextPathOf } from '../routing/next-path.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { PasswordField, Username } from '../layout/password-field.js';

const AFTERWARDS = '/account';

const showForm = (context: SignedInContext, problems?: FormProblems) =>
  context.render(
    { title: 'Confirm your password', width: 'narrow', problems },
    <>
      <h1>Confirm your password</h1>
      <p>
        You signed in a while ago as <strong>{context.user.account.email}</strong>. The next page shows
        secrets, so enter your password again.
      </p>
      <Form action="/confirm-password" class="stack">
        <input type="hidden" name="next" value={nextPathOf(context, AFTERWARDS)} />
        <Username email={context.user.account.email} />
        <PasswordField label="Password" />
        <button type="submit">Go on</button>
      </Form>
    </>,
  );

/** GET and POST /confirm-password: asks for the password again before a page that requires it. */
export const confirmPasswordPage = signedInPage('/confirm-password', {
  get: (context) => showForm(context),
  post: async (context) => {
    const { password } = formFields(context.request.body, ['password']);
    const { account, sessionId } = context.user;
    await verifyPassword(context.domain, account.id, password);
    await storePasswordTime(context.domain, sessionId);
    return context.redirect(nextPathOf(context, AFTERWARDS));
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
