import { checkPassword } from '../../accounts/password.js';
import { checkDisplayName } from '../../accounts/display-name.js';
import { normaliseEmail } from '../../accounts/account.js';
import { signUp } from '../../accounts/sign-up.js';
import { fieldProblems, formFields, problemsOf, type FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import type { PageRouter, PageContext } from '../routing/page-router.js';

interface SignUpForm {
  readonly email: string;
  readonly name: string;
  readonly problems?: FormProblems;
}

function showForm(visit: PageContext, { email, name, problems }: SignUpForm) {
  return visit.page(
    { title: 'Create an account', width: 'narrow', problems },
    <>
      <h1>Create an account</h1>
      <FormAlert problems={problems} />
      <Form action="/signup" class="stack">
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
          name="name"
          label="Name (optional)"
          autocomplete="name"
          hint="What the pages call you."
          value={name}
          problems={problems}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint="12 characters or more; a few words that you remember are fine."
          required
          problems={problems}
        />
        <button type="submit">Create the account</button>
      </Form>
      <p class="aside">
        You have one already? <a href="/signin">Sign in</a>.
      </p>
    </>,
  );
}

const showClosed = (visit: PageContext) =>
  visit.page(
    { title: 'Sign-up is closed', width: 'narrow', status: 403 },
    <>
      <h1>Sign-up is closed</h1>
      <p>On this server the operator makes the accounts. Ask for one, then sign in.</p>
      <p>
        <a class="button" href="/signin">
          Sign in
        </a>
      </p>
    </>,
  );

/** GET and POST /signup. */
export function addSignUpPage(pages: PageRouter): void {
  const { parts, sessionCookie } = pages;

  pages.open('GET', '/signup', (visit) => {
    if (visit.visitor !== undefined) return visit.redirect('/overview');
    return parts.isSignUpOpen ? showForm(visit, { email: '', name: '' }) : showClosed(visit);
  });

  pages.open('POST', '/signup', async (visit) => {
    if (!parts.isSignUpOpen) return showClosed(visit);
    const { email, name, password } = formFields(visit.request.body, ['email', 'name', 'password']);
    const problems = fieldProblems({
      email: () => normaliseEmail(email),
      name: () => name.trim() === '' || checkDisplayName('The name', name),
      password: () => checkPassword(password),
    });
    if (problems !== undefined) return showForm(visit, { email, name, problems });
    try {
      const account = await signUp(parts, { email, name, password, address: visit.request.ip });
      await sessionCookie.begin(visit.request, visit.reply, account.id);
    } catch (error) {
      return showForm(visit, { email, name, problems: problemsOf(error, 'email') });
    }
    return visit.redirect('/overview');
  });
}
