import { z } from 'zod';
import { normaliseEmail } from '../../accounts/account.js';
import { askForAccess } from '../../inbox/ask-operator.js';
import { checkOptionalName } from '../../platform/display-name.js';
import { checkText } from '../../inbox/inbox-request.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form } from '../layout/form.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { showMessage } from '../routing/message-page.js';

const PATH = '/request-access';

const FORM = z.object({
  email: field(normaliseEmail),
  name: field(checkOptionalName),
  reason: field(checkText),
});

const showForm = (context: PageContext, problems?: FormProblems) =>
  context.render(
    { title: 'Ask for an account', width: 'narrow', problems },
    <>
      <h1>Ask for an account</h1>
      <p>On this server the operator makes the accounts. What you send here waits for them.</p>
      <Form action={PATH} class="stack">
        <Field name="email" label="E-mail" type="email" autocomplete="username" required />
        <Field name="name" label="Name (optional)" autocomplete="name" />
        <Field name="reason" rows={3} label="What you need it for (optional)" />
        <button type="submit">Send the request</button>
      </Form>
      <p class="aside">
        Already have an account? <a href="/signin">Sign in</a>.
      </p>
    </>,
  );

const showSent = (context: PageContext) =>
  showMessage(context, {
    title: 'Request sent',
    heading: 'The operator has your request',
    text: `If it is approved, you get a link that opens your account, by ${
      context.deps.notifications.isOn ? 'mail' : 'a message from the operator'
    }. It works once, for seven days.`,
    links: [['/', 'To the front page']],
  });

const showOpen = (context: PageContext) =>
  showMessage(context, {
    title: 'Sign-up is open',
    text: 'On this server you make your account yourself.',
    links: [['/signup', 'Create an account']],
  });

/** GET and POST /request-access: asks the operator for an account while sign-up is closed. */
export const requestAccessPage = publicPage(PATH, {
  get: (context) => {
    if (context.user !== undefined) return context.redirect('/overview');
    if (context.isSignUpOpen) return showOpen(context);
    const { done } = formFields(context.request.query, ['done']);
    return done === 'sent' ? showSent(context) : showForm(context);
  },
  post: async (context) => {
    if (context.isSignUpOpen) return showOpen(context);
    await askForAccess(context.domain, context.readForm(FORM));
    return context.redirect(`${PATH}?done=sent`);
  },
  onError: (context, error) => showForm(context, context.problemsOf(error)),
});
