import { z } from 'zod';
import { checkPasswordLength, PasswordRejection } from '../../accounts/password.js';
import { signUp } from '../../accounts/sign-up.js';
import { checkOptionalName } from '../../platform/display-name.js';
import { normaliseEmail } from '../../accounts/account.js';
import { field, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import { AFTERWARDS, nextPathOf, pathWithNext } from '../routing/next-path.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { AskingSiteNotice, findAskingSite } from './asking-site.js';
import { NewPasswordField } from '../layout/password-field.js';
import { showMessage } from '../routing/message-page.js';

const FORM = z.object({
  email: field(normaliseEmail),
  name: field(checkOptionalName),
  password: field(checkPasswordLength),
});

async function showForm(context: PageContext, problems?: FormProblems) {
  const next = nextPathOf(context);
  const site = await findAskingSite(context, next);
  return context.render(
    { title: 'Create an account', width: 'narrow', problems },
    <>
      <h1>Create an account</h1>
      <AskingSiteNotice site={site} />
      <Form action="/signup" class="stack">
        <input type="hidden" name="next" value={next} />
        <Field name="email" label="E-mail" type="email" autocomplete="username" required />
        <Field
          name="name"
          label="Name (optional)"
          autocomplete="name"
          hint="Shown at the top of each page."
        />
        <NewPasswordField label="Password" />
        <button type="submit">Create the account</button>
      </Form>
      <p class="aside">
        Already have an account? <a href={pathWithNext('/signin', next)}>Sign in</a>.
      </p>
    </>,
  );
}

const showClosed = (context: PageContext) =>
  showMessage(context, {
    title: 'Sign-up is closed',
    status: 403,
    text: 'On this server the operator makes the accounts. Ask for one, then sign in.',
    links: [
      ['/request-access', 'Ask for an account'],
      ['/signin', 'Sign in'],
    ],
  });

export const signUpPage = publicPage('/signup', {
  get: (context) => {
    if (context.user !== undefined) return context.redirect(nextPathOf(context));
    return context.isSignUpOpen ? showForm(context) : showClosed(context);
  },
  post: async (context) => {
    if (!context.isSignUpOpen) return showClosed(context);
    const account = await signUp(context.domain, context.readForm(FORM));
    await context.beginSession({ accountId: account.id });
    const next = nextPathOf(context);
    return context.redirect(next === AFTERWARDS ? '/welcome' : next);
  },
  onError: (context, error) =>
    showForm(context, context.problemsOf(error, error instanceof PasswordRejection ? 'password' : 'email')),
});
