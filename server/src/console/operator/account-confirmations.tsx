import { createPasswordLink } from '../../accounts/account-links.js';
import { disableAccount, removeSecondFactor } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import { setPassword } from '../../accounts/change-password.js';
import { deleteAccount } from '../../accounts/delete-account.js';
import type { Action } from '../layout/actions.js';
import { CopyValue } from '../layout/copyable.js';
import { confirmationPage } from '../routing/confirmation-page.js';
import type { SignedInContext } from '../routing/page-context.js';
import { accountPath, ACCOUNTS_PATH, isOwnAccount, requireAccount } from './account-route.js';
import { oneTimeLinkCard, showOnce } from './one-time-link-card.js';
import { showMessage } from '../routing/message-page.js';

const PATH = '/operator/accounts/:accountId';

/**
 * Returns a function for `instead`. It redirects operators from a page about their own account to `path`, where
 * everybody changes their own account; for other accounts it returns undefined.
 */
const ownAt = (path: string) => (context: SignedInContext, account: Account) =>
  isOwnAccount(context, account) ? context.redirect(path) : undefined;

const toAccount = ({ id }: Account): Action => [accountPath(id), 'To the account', 'main'];

const disablePage = confirmationPage('operator', `${PATH}/disable`, {
  find: requireAccount,
  instead: (context, account) =>
    isOwnAccount(context, account)
      ? showMessage(context, {
          title: 'Your own account',
          heading: 'You cannot disable your own account',
          status: 400,
          text: 'That way at least one operator is always left. Another operator can disable it.',
          links: [[accountPath(account.id), 'To the account']],
        })
      : undefined,
  ask: (_context, { id, email }) => ({
    title: `Disable ${email}`,
    button: 'Disable the account',
    backTo: accountPath(id),
    children: (
      <>
        <p>
          From the next request on its API keys and tokens are refused, its owner is signed out and cannot
          sign in.
        </p>
        <p>Nothing is deleted: when the account is enabled again, its keys work as before.</p>
      </>
    ),
  }),
  act: async (context, { id }) => {
    await disableAccount(context.domain, id);
    return context.redirect(`${accountPath(id)}?done=disabled`);
  },
});

const deletePage = confirmationPage('operator', `${PATH}/delete`, {
  find: requireAccount,
  instead: ownAt('/account/delete'),
  ask: (_context, { id, email }) => ({
    title: `Delete ${email}`,
    button: 'Delete the account',
    backTo: accountPath(id),
    children: (
      <>
        <p>
          Its projects, keys, tokens and usage are deleted with it. <strong>This cannot be undone.</strong> To
          refuse its keys for a while, disable it.
        </p>
        <p>
          The audit keeps what it did, under its identifier <code>{id}</code>. Its network addresses there are
          erased.
        </p>
      </>
    ),
  }),
  act: async (context, { id }) => {
    await deleteAccount(context.domain, id);
    return context.redirect(`${ACCOUNTS_PATH}?done=deleted`);
  },
});

/** Makes a new password for an account, and shows it once. */
const newPasswordPage = confirmationPage('operator', `${PATH}/new-password`, {
  find: requireAccount,
  instead: ownAt('/password'),
  ask: (_context, { id, email }) => ({
    title: `New password for ${email}`,
    question: `Make a new password for ${email}?`,
    button: 'Make a new password',
    backTo: accountPath(id),
    children: (
      <>
        <p>
          The current password stops working at once, and all sessions of the account end. The new one is
          shown to you once and must be changed at the next sign-in.
        </p>
        <p>API keys and tokens stay as they are.</p>
      </>
    ),
  }),
  act: async (context, account) => {
    const password = await setPassword(context.domain, account.id);
    return showOnce(
      context,
      'New password',
      <section class="card">
        <h2>Password of {account.email}</h2>
        <p class="notice">
          This password is shown only now: the server stores only its hash. Pass it on to the owner in
          private.
        </p>
        <CopyValue id="password" label="password" value={password ?? ''} />
        <p>It must be changed at the next sign-in.</p>
      </section>,
      [toAccount(account)],
    );
  },
});

/** Makes a one-time link for a new password, shows it once, and mails it to the owner if mail can reach the owner. */
const passwordLinkPage = confirmationPage('operator', `${PATH}/password-link`, {
  find: requireAccount,
  instead: ownAt('/password'),
  ask: (_context, { id, email }) => ({
    title: `Link for ${email}`,
    question: `Make a link for ${email}?`,
    button: 'Make the link',
    backTo: accountPath(id),
    isHarmless: true,
    children: (
      <p>
        Anyone who opens it can choose the password of this account, once. The current password works until
        then. Earlier links stop working.
      </p>
    ),
  }),
  act: async (context, account) => {
    const linked = await createPasswordLink(context.domain, account.id);
    return showOnce(context, 'Link for a password', oneTimeLinkCard(context, linked), [toAccount(account)]);
  },
});

const removeSecondFactorPage = confirmationPage('operator', `${PATH}/second-factor-off`, {
  find: requireAccount,
  instead: ownAt('/account/second-factor'),
  ask: (_context, { id, email }) => ({
    title: `Second factor of ${email}`,
    question: `Turn off the second factor of ${email}?`,
    button: 'Turn it off',
    backTo: accountPath(id),
    children: (
      <p>
        From then on, the password is enough to sign in, and the recovery codes stop working. Do this for an
        owner who has lost both the app and the codes, and make sure that it is really the owner who asks.
      </p>
    ),
  }),
  act: async (context, { id }) => {
    await removeSecondFactor(context.domain, id);
    return context.redirect(`${accountPath(id)}?done=second-factor-off`);
  },
});

export const accountConfirmations = [
  disablePage,
  deletePage,
  newPasswordPage,
  passwordLinkPage,
  removeSecondFactorPage,
];
