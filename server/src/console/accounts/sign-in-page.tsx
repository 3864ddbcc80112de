import { signIn } from '../../accounts/sign-in.js';
import { formFields, type FormProblems, problemsOf } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import { localPath } from '../routing/next-path.js';
import type { PageRouter, PageContext } from '../routing/page-router.js';

const AFTERWARDS = '/overview';

interface SignInForm {
  readonly email: string;
  /** Where to go afterwards: a path of this server. */
  readonly next: string;
  readonly problems?: FormProblems;
}

function showForm(visit: PageContext, isSignUpOpen: boolean, { email, next, problems }: SignInForm) {
  return visit.page(
    { title: 'Sign in', width: 'narrow', problems },
    <>
      <h1>Sign in</h1>
      <FormAlert problems={problems} />
      <Form action="/signin" class="stack">
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          label="E-mail"
          type="email"
          autocomplete="username"
          required
          value={email}
          problems={problems}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          problems={problems}
        />
        <button type="submit">Sign in</button>
      </Form>
      <p class="aside">
        {isSignUpOpen ? (
          <>
            No account yet? <a href="/signup">Create one</a>.{' '}
          </>
        ) : (
          'New accounts are made by the operator of this server. '
        )}
        A forgotten password is replaced by the operator.
      </p>
    </>,
  );
}

const nextOf = ({ request }: PageContext) => {
  const { next } = formFields(request.query, ['next']);
  return localPath(next, AFTERWARDS);
};

/** GET and POST /signin. */
export function addSignInPage(pages: PageRouter): void {
  const { parts, sessionCookie } = pages;
  const show = (visit: PageContext, form: SignInForm) => showForm(visit, parts.isSignUpOpen, form);

  pages.open('GET', '/signin', (visit) =>
    visit.visitor === undefined
      ? show(visit, { email: '', next: nextOf(visit) })
      : visit.redirect(nextOf(visit)),
  );

  pages.open('POST', '/signin', async (visit) => {
    const { email, password, next: wanted } = formFields(visit.request.body, ['email', 'password', 'next']);
    const next = localPath(wanted, AFTERWARDS);
    try {
      const { account, passwordHash } = await signIn(parts, { email, password, address: visit.request.ip });
      await sessionCookie.begin(visit.request, visit.reply, account.id, passwordHash);
    } catch (error) {
      return show(visit, { email, next, problems: problemsOf(error) });
    }
    return visit.redirect(next);
  });
}

/** POST /signout: ends the session here and in the database. */
export function addSignOut(pages: PageRouter): void {
  pages.open('POST', '/signout', async (visit) => {
    await pages.sessionCookie.end(visit.request, visit.reply);
    return visit.redirect('/');
  });
}
