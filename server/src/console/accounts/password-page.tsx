import { changePassword } from '../../accounts/change-password.js';
import { checkPassword } from '../../accounts/password.js';
import { fieldProblems, formFields, problemsOf, type FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import { localPath } from '../routing/next-path.js';
import type { PageRouter, SignedInContext } from '../routing/page-router.js';

const AFTERWARDS = '/overview?done=password';

function showForm(visit: SignedInContext, next: string, problems?: FormProblems) {
  const { account } = visit.visitor;
  return visit.page(
    { title: 'Change your password', width: 'narrow', problems },
    <>
      <h1>Change your password</h1>
      <p>
        Signed in as <strong>{account.email}</strong>.
      </p>
      {account.mustChangePassword && problems === undefined ? (
        <p class="notice">Your password was made for you. Choose one of your own to go on.</p>
      ) : null}
      <FormAlert problems={problems} />
      <Form action="/password" class="stack">
        <input type="hidden" name="afterwards" value={next} />
        <input type="hidden" name="username" value={account.email} autocomplete="username" />
        <Field
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          problems={problems}
        />
        <Field
          name="next"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="12 characters or more; a few words that you remember are fine."
          required
          problems={problems}
        />
        <button type="submit">Change the password</button>
      </Form>
      <p class="aside">Your other sessions, on other devices, are signed out.</p>
    </>,
  );
}

/** GET and POST /password. */
export function addPasswordPage(pages: PageRouter): void {
  const { parts, sessionCookie } = pages;
  pages.signedIn('GET', '/password', (visit) => {
    const { next } = formFields(visit.request.query, ['next']);
    return showForm(visit, localPath(next, AFTERWARDS));
  });

  pages.signedIn('POST', '/password', async (visit) => {
    const { current, next, ...typed } = formFields(visit.request.body, ['current', 'next', 'afterwards']);
    const afterwards = localPath(typed.afterwards, AFTERWARDS);
    const { account, sessionId } = visit.visitor;
    const problems = fieldProblems({ next: () => checkPassword(next) });
    if (problems !== undefined) return showForm(visit, afterwards, problems);
    try {
      const change = { accountId: account.id, current, next, exceptSessionId: sessionId };
      const newHash = await changePassword(parts, change);
      await sessionCookie.begin(visit.request, visit.reply, account.id, newHash);
    } catch (error) {
      return showForm(visit, afterwards, problemsOf(error));
    }
    return visit.redirect(afterwards);
  });
}
