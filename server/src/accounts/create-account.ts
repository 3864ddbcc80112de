import { BASE62, randomCharacters } from '../platform/random.js';
import { ServiceError } from '../platform/errors.js';
import type { AccountRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { type Account, accountFromRow, normaliseEmail } from './account.js';
import type { AccountContext } from './account-context.js';
import { rightsOf } from './account-state.js';
import { choosePassword } from './password.js';
import { queuePasswordWork } from './password-queue.js';
import { checkDisplayName } from '../platform/display-name.js';

const ID_LENGTH = 20;

export interface NewAccount {
  readonly email: string;
  readonly name?: string | undefined;
  /** If missing, a password is generated, which the owner must change. */
  readonly password?: string | undefined;
  readonly isOperator?: boolean | undefined;
  readonly hasApiAccess?: boolean | undefined;
}

export interface CreatedAccount {
  readonly account: Account;
  /** The generated password, to be shown only this once; undefined if one was given. */
  readonly generatedPassword: string | undefined;
}

/** A new account that is not stored yet. */
export interface PreparedAccount {
  readonly row: AccountRow;
  readonly generatedPassword: string | undefined;
}

/**
 * Makes the row of a new account. Throws a ServiceError if the e-mail, the name or the password is not valid. Hashes
 * the password, which takes long: call it in `queuePasswordWork` and outside of transactions.
 */
export async function prepareAccount(
  { randomBytes, clock, passwordHasher }: Pick<AccountContext, 'randomBytes' | 'clock' | 'passwordHasher'>,
  newAccount: NewAccount,
): Promise<PreparedAccount> {
  const email = normaliseEmail(newAccount.email);
  const name = newAccount.name === undefined ? null : checkDisplayName('The name', newAccount.name);
  const { password, isGenerated } = await choosePassword(newAccount.password, { email, name }, randomBytes);
  const row: AccountRow = {
    id: `acc_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`,
    email,
    name,
    password_hash: await passwordHasher.hash(password, randomBytes),
    is_operator: newAccount.isOperator ?? false,
    has_api_access: newAccount.hasApiAccess ?? false,
    must_change_password: isGenerated,
    disabled_at: null,
    created_at: clock(),
    captures: null,
    per_minute: null,
    per_day: null,
    has_second_factor: false,
    alerts_off: false,
    logs_pages: false,
  };
  return { row, generatedPassword: isGenerated ? password : undefined };
}

/** Stores a prepared account in a transaction, without an audit entry. Throws a ServiceError if its e-mail is taken. */
export async function storeAccount(transaction: Database, { row }: PreparedAccount): Promise<Account> {
  const accounts = transaction<AccountRow>('accounts');
  const inserted = await accounts.insert(row).onConflict('email').ignore().returning('id');
  if (inserted.length > 0) return accountFromRow(row);
  throw new ServiceError(
    'invalidRequest',
    `An account with the e-mail "${row.email}" already exists. Choose another e-mail.`,
  );
}

/**
 * Creates an account. Throws the ServiceErrors of `prepareAccount` and `storeAccount`, and one that is `overloaded` if
 * too many passwords wait to be hashed.
 */
export async function createAccount(
  context: AccountContext,
  newAccount: NewAccount,
): Promise<CreatedAccount> {
  const { db, audit, actor } = context;
  const prepared = await queuePasswordWork(context, [], () => prepareAccount(context, newAccount));
  return inTransaction(db, async (transaction) => {
    const account = await storeAccount(transaction, prepared);
    const detail = rightsOf(account);
    await audit.record(transaction, actor, { kind: 'account.created', subjectId: account.id, detail });
    return { account, generatedPassword: prepared.generatedPassword };
  });
}
