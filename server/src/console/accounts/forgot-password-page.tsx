import { z } from 'zod';
import { normaliseEmail } from '../../accounts/account.js';
import { askForPassword } from '../../inbox/ask-operator.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { showMessage } from '../routing/message-page.js';

const PATH = '/forgot-password';
const FORM = z.object({ email: field(normaliseEmail) });

const showForm = (context: PageContext, problems?: FormProblems) =>
  context.render(
    { title: 'Forgot your password?', width: 'narrow', problems },
    <>
      <h1>Forgot your password?</h1>
      <p>The operator of this server can give you a link to choose a new one. Ask for it here.</p>
      <Form action={PATH} class="stack">
        <Field name="email" label="E-mail of the account" type="email" autocomplete="username" required />
        <button type="submit">Ask for a link</button>
      </Form>
      <p class="aside">
        <a href="/signin">Back to the sign-in</a>
      </p>
    </>,
  );

const showSent = (context: PageContext) =>
  showMessage(context, {
    title: 'Request sent',
    heading: 'Your request was sent',
    text: `If there is an account with that e-mail, the operator sees your request now. Once it is approved, you get a link for a new password, by ${
      context.deps.notifications.isOn ? 'mail' : 'a message from the operator'
    }. It works once, for an hour.`,
    links: [['/signin', 'To the sign-in']],
  });

/** GET and POST /forgot-password. The response to the form is the same whether or not the account exists. */
export const forgotPasswordPage = publicPage(PATH, {
  get: (context) => {
    if (context.user !== undefined) return context.redirect('/password');
    const { done } = formFields(context.request.query, ['done']);
    return done === 'sent' ? showSent(context) : showForm(context);
  },
  post: async (context) => {
    await askForPassword(context.domain, context.readForm(FORM).email);
    return context.redirect(`${PATH}?done=sent`);
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
