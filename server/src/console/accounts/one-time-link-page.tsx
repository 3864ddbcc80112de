import { z } from 'zod';
import { openLink, useLink } from '../../accounts/account-links.js';
import type { Account } from '../../accounts/account.js';
import { type LinkKind, linkPath } from '../../accounts/one-time-links.js';
import { checkPasswordLength, PasswordRejection } from '../../accounts/password.js';
import { ServiceError } from '../../platform/errors.js';
import { field, formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form, FormAlert } from '../layout/form.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage } from '../routing/page.js';
import { codePath } from './sign-in-code-page.js';

const AFTERWARDS = '/overview';
const FORM = z.object({ password: field(checkPasswordLength) });

const WORDS = {
  invitation: { title: 'Welcome to Signpost', button: 'Choose the password and sign in' },
  reset: { title: 'Choose a new password', button: 'Change the password and sign in' },
} as const;

interface Opened {
  readonly account: Account;
  readonly kind: LinkKind;
}

/** Finds the account that a link is for; undefined if the link does not work. */
async function open(context: PageContext): Promise<Opened | undefined> {
  const { token } = formFields(context.request.params, ['token']);
  try {
    return await openLink(context.domain, token);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

const showGone = (context: PageContext) =>
  context.render(
    { title: 'This link does not work', width: 'narrow', status: 410 },
    <>
      <h1>This link does not work</h1>
      <p>
        It was already used, it is too old, a newer link was made for the same account, or the server was
        restored from a backup since.
      </p>
      <p class="actions">
        <a class="button" href="/forgot-password">
          Ask for another
        </a>
        <a class="button secondary" href="/signin">
          Sign in
        </a>
      </p>
    </>,
  );

function showForm(context: PageContext, { account, kind }: Opened, problems?: FormProblems) {
  const { title, button } = WORDS[kind];
  const { token } = formFields(context.request.params, ['token']);
  return context.render(
    { title, width: 'narrow', problems },
    <>
      <h1>{title}</h1>
      <p>
        For the account <strong>{account.email}</strong>. This link works once.
      </p>
      <FormAlert problems={problems} />
      <Form action={linkPath({ token })} class="stack">
        <input type="hidden" name="username" value={account.email} autocomplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint="12 characters or more; a few words that you remember are fine."
          required
          problems={problems}
        />
        <button type="submit">{button}</button>
      </Form>
    </>,
  );
}

/**
 * GET and POST /link/:token: anyone with the link may set its account's password, once. A GET does not use
 * the link up.
 */
export const oneTimeLinkPage = publicPage('/link/:token', {
  get: async (context) => {
    const opened = await open(context);
    return opened === undefined ? showGone(context) : showForm(context, opened);
  },
  post: async (context) => {
    const opened = await open(context);
    if (opened === undefined) return showGone(context);
    const { token } = formFields(context.request.params, ['token']);
    let awaitsCode;
    try {
      const { password } = context.readForm(FORM);
      const account = await useLink(context.domain, { token, password });
      awaitsCode = account.hasSecondFactor;
      await context.beginSession({ accountId: account.id, awaitsCode });
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'notFound') return showGone(context);
      const wrong = error instanceof PasswordRejection ? 'password' : undefined;
      return showForm(context, opened, context.problemsOf(error, wrong));
    }
    return context.redirect(awaitsCode ? codePath(AFTERWARDS) : AFTERWARDS);
  },
});
