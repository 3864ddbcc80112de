import { z } from 'zod';
import { openLink, useLink } from '../../accounts/account-links.js';
import type { Account } from '../../accounts/account.js';
import { type LinkKind, linkPath } from '../../accounts/one-time-links.js';
import { checkPasswordLength, PasswordRejection } from '../../accounts/password.js';
import { ServiceError } from '../../platform/errors.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { AFTERWARDS } from '../routing/next-path.js';
import { codePath } from './sign-in-code-page.js';
import { NewPasswordField, Username } from '../layout/password-field.js';
import { showMessage } from '../routing/message-page.js';

const FORM = z.object({ password: field(checkPasswordLength) });

const WORDS = {
  invitation: { title: 'Welcome to Signpost', button: 'Choose the password and sign in' },
  reset: { title: 'Choose a new password', button: 'Change the password and sign in' },
} as const;

interface OneTimeLink {
  readonly account: Account;
  readonly kind: LinkKind;
}

async function findLink(context: PageContext): Promise<OneTimeLink | undefined> {
  const { token } = formFields(context.request.params, ['token']);
  try {
    return await openLink(context.domain, token);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

const showInvalidLink = (context: PageContext) =>
  showMessage(context, {
    title: 'This link does not work',
    status: 410,
    text: 'It was already used, it is too old, a newer link was made for the same account, or the server was restored from a backup since.',
    links: [
      ['/forgot-password', 'Ask for another'],
      ['/signin', 'Sign in'],
    ],
  });

function showForm(context: PageContext, { account, kind }: OneTimeLink, problems?: FormProblems) {
  const { title, button } = WORDS[kind];
  const { token } = formFields(context.request.params, ['token']);
  return context.render(
    { title, width: 'narrow', problems },
    <>
      <h1>{title}</h1>
      <p>
        For the account <strong>{account.email}</strong>. This link works once.
      </p>
      <Form action={linkPath({ token })} class="stack">
        <Username email={account.email} />
        <NewPasswordField label="Password" />
        <button type="submit">{button}</button>
      </Form>
    </>,
  );
}

/** GET and POST /link/:token: sets the password and begins a session, once. A GET does not use the link up. */
export const oneTimeLinkPage = publicPage('/link/:token', {
  get: async (context) => {
    const link = await findLink(context);
    return link === undefined ? showInvalidLink(context) : showForm(context, link);
  },
  post: async (context) => {
    const link = await findLink(context);
    if (link === undefined) return showInvalidLink(context);
    const { token } = formFields(context.request.params, ['token']);
    let awaitsCode;
    try {
      const { password } = context.readForm(FORM);
      const account = await useLink(context.domain, { token, password });
      awaitsCode = account.hasSecondFactor;
      await context.beginSession({ accountId: account.id, awaitsCode });
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'notFound') return showInvalidLink(context);
      const wrong = error instanceof PasswordRejection ? 'password' : undefined;
      return showForm(context, link, context.problemsOf(error, wrong));
    }
    return context.redirect(awaitsCode ? codePath(AFTERWARDS) : AFTERWARDS);
  },
});
