import type { Clock } from '../platform/clock.js';
import { BASE62, randomCharacters } from '../platform/random.js';
import { ServiceError } from '../platform/errors.js';
import type { AccountRow } from '../storage/rows.js';
import { type Database, type Transact, transactOn } from '../storage/storage.js';
import { type Account, accountFromRow, normaliseEmail } from './account.js';
import { choosePassword, type HashPasswordDeps } from './password.js';
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

export interface AccountDeps extends HashPasswordDeps {
  readonly clock: Clock;
}

/**
 * Creates an account. Throws a ServiceError if the e-mail is not valid or taken, or the name or password is not valid.
 * `alsoStore` runs in the same transaction. The password is hashed before the transaction. The caller is in
 * `withPasswordTurn`.
 */
export async function createAccount(
  db: Database,
  deps: AccountDeps,
  wanted: NewAccount,
  alsoStore: (transaction: Database, account: Account) => Promise<void> = () => Promise.resolve(),
  transact: Transact = transactOn(db),
): Promise<CreatedAccount> {
  const { randomBytes, clock, passwordHasher } = deps;
  const email = normaliseEmail(wanted.email);
  const name = wanted.name === undefined ? null : checkDisplayName('The name', wanted.name);
  const { password, isGenerated } = await choosePassword(wanted.password, { email, name }, randomBytes);
  const row: AccountRow = {
    id: `acc_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`,
    email,
    name,
    password_hash: await passwordHasher.hash(password, randomBytes),
    is_operator: wanted.isOperator ?? false,
    has_api_access: wanted.hasApiAccess ?? false,
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
  const account = accountFromRow(row);
  await transact(async (transaction) => {
    const accounts = transaction<AccountRow>('accounts');
    const inserted = await accounts.insert(row).onConflict('email').ignore().returning('id');
    if (inserted.length === 0) {
      throw new ServiceError(
        'invalidRequest',
        `An account with the e-mail "${email}" already exists. Choose another e-mail.`,
      );
    }
    await alsoStore(transaction, account);
  });
  return { account, generatedPassword: isGenerated ? password : undefined };
}
