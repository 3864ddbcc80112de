import { signIn } from '../../accounts/sign-in.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { nextPathOf, pathWithNext } from '../routing/next-path.js';
import { AskingSiteNotice, findAskingSite } from './asking-site.js';
import { codePath } from './sign-in-code-page.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { PasswordField } from '../layout/password-field.js';

async function showForm(context: PageContext, problems?: FormProblems) {
  const next = nextPathOf(context);
  const site = await findAskingSite(context, next);
  return context.render(
    { title: 'Sign in', width: 'narrow', problems },
    <>
      <h1>Sign in</h1>
      <AskingSiteNotice site={site} />
      <Form action="/signin" class="stack">
        <input type="hidden" name="next" value={next} />
        <Field name="email" label="E-mail" type="email" autocomplete="username" required />
        <PasswordField label="Password" />
        <button type="submit">Sign in</button>
      </Form>
      <p class="aside">
        {context.isSignUpOpen ? (
          <>
            No account yet? <a href={pathWithNext('/signup', next)}>Create one</a>.{' '}
          </>
        ) : (
          <>
            No account yet? <a href="/request-access">Ask for one</a>.{' '}
          </>
        )}
        <a href="/forgot-password">Forgot your password?</a>
      </p>
    </>,
  );
}

export const signInPage = publicPage('/signin', {
  get: (context) => (context.user === undefined ? showForm(context) : context.redirect(nextPathOf(context))),
  post: async (context) => {
    const typed = formFields(context.request.body, ['email', 'password']);
    const { account, passwordHash } = await signIn(context.domain, typed);
    const { id: accountId, hasSecondFactor: awaitsCode } = account;
    await context.beginSession({ accountId, verified: { passwordHash }, awaitsCode });
    const next = nextPathOf(context);
    return context.redirect(awaitsCode ? codePath(next) : next);
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});

/** POST /signout: ends the session in the browser and in the database. */
export const signOutPage = publicPage('/signout', {
  post: async (context) => {
    await context.endSession();
    return context.redirect('/');
  },
  leadsTo: '/',
});
