import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { HOUR_MS } from '../platform/time-units.js';
import { lockAccount } from '../storage/locks.js';
import type { AccountRow } from '../storage/rows.js';
import { inTransaction } from '../storage/storage.js';
import type { AccountContext } from './account-context.js';
import { normaliseEmail } from './account.js';
import { verifyPassword } from './change-password.js';
import { checkDisplayName } from '../platform/display-name.js';
import { removeLinkOf } from './one-time-links.js';

/** Changes the name of an account. A blank text removes the name. Throws a ServiceError if the name is not valid. */
export async function renameAccount(
  { db, audit, actor }: DomainContext,
  accountId: string,
  text: string,
): Promise<void> {
  const name = text.trim() === '' ? null : checkDisplayName('The name', text);
  await inTransaction(db, async (transaction) => {
    await transaction<AccountRow>('accounts').where({ id: accountId }).update({ name });
    await audit.record(transaction, actor, { kind: 'account.renamed', subjectId: accountId });
  });
}

const MAX_CHANGES_OF_HOUR = 10;

export interface EmailChange {
  readonly accountId: string;
  /** The account's password, entered to confirm the change. */
  readonly current: string;
  readonly email: string;
}

/**
 * Changes the e-mail that an account signs in with. Throws a ServiceError if the new e-mail is not valid, is the
 * account's own or is another account's; if the password is wrong, or has just been changed; or, as `rateLimited` or
 * `overloaded`, if there were too many attempts or too many password checks are waiting.
 */
export async function changeEmail(
  context: AccountContext,
  { accountId, current, email: text }: EmailChange,
): Promise<void> {
  const { db, audit, actor } = context;
  const email = normaliseEmail(text);
  // Limits how many e-mails somebody can test for having an account.
  const changes = { subject: `e-mail of ${accountId}`, maxTries: MAX_CHANGES_OF_HOUR, windowMs: HOUR_MS };
  const { email: before, password_hash: hash } = await verifyPassword(context, accountId, current, [changes]);
  if (email === before)
    throw new ServiceError('invalidRequest', 'This account already has that e-mail. Enter another one.');
  await inTransaction(db, async (transaction) => {
    if (!(await lockAccount(transaction, { id: accountId, password_hash: hash })))
      throw new ServiceError('unauthorized', 'The password has just been changed. Sign in again.');
    const accounts = () => transaction<AccountRow>('accounts');
    if ((await accounts().where({ email }).first('id')) !== undefined)
      throw new ServiceError(
        'invalidRequest',
        `An account with the e-mail "${email}" already exists. Choose another e-mail.`,
      );
    await accounts().where({ id: accountId }).update({ email });
    // Removes an unused link for choosing a password: the person who reads mail at the old address may no longer be
    // the owner.
    await removeLinkOf(transaction, accountId);
    await audit.record(transaction, actor, { kind: 'account.email-changed', subjectId: accountId });
  });
}
