import { signIn } from '../../accounts/sign-in.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { AFTERWARDS, localPath, pathWithNext } from '../routing/next-path.js';
import { AskingSiteNotice, findAskingSite } from './asking-site.js';
import { codePath } from './sign-in-code-page.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { PasswordField } from '../layout/password-field.js';

/** Shows the sign-in form. After signing in, the browser goes to `next`, a path of this server. */
async function showForm(context: PageContext, next: string, problems?: FormProblems) {
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

const nextOf = ({ request }: PageContext) => {
  const { next } = formFields(request.query, ['next']);
  return localPath(next, AFTERWARDS);
};

export const signInPage = publicPage('/signin', {
  get: (context) =>
    context.user === undefined ? showForm(context, nextOf(context)) : context.redirect(nextOf(context)),
  post: async (context) => {
    const { email, password, next: wanted } = formFields(context.request.body, ['email', 'password', 'next']);
    const next = localPath(wanted, AFTERWARDS);
    let awaitsCode;
    try {
      const { account, passwordHash } = await signIn(context.domain, { email, password });
      awaitsCode = account.hasSecondFactor;
      await context.beginSession({ accountId: account.id, verified: { passwordHash }, awaitsCode });
    } catch (error) {
      return showForm(context, next, context.problemsOf(error));
    }
    return context.redirect(awaitsCode ? codePath(next) : next);
  },
});

/** POST /signout: ends the session in the browser and in the database. */
export const signOutPage = publicPage('/signout', {
  post: async (context) => {
    await context.endSession();
    return context.redirect('/');
  },
  leadsTo: '/',
});
