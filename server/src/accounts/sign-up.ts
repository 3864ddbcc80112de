import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { HOUR_MS } from '../platform/time-units.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import { inTransaction } from '../storage/storage.js';
import type { AccountContext } from './account-context.js';
import type { Account } from './account.js';
import { prepareAccount, storeAccount } from './create-account.js';
import { queuePasswordWork } from './password-queue.js';

const WINDOW_MS = HOUR_MS;
const MAX_SIGN_UPS_OF_ADDRESS = 20;

export interface SignUp {
  readonly email: string;
  /** May be blank. */
  readonly name: string;
  readonly password: string;
}

/**
 * Creates an account for the visitor. Throws a ServiceError if the e-mail is taken, if an input is not valid, or, as
 * `rateLimited` or `overloaded`, after too many sign-ups from one address or if too many passwords wait to be hashed.
 */
export async function signUp(context: AccountContext, { email, name, password }: SignUp): Promise<Account> {
  const { db, audit, actor, throttle } = context;
  const budget = {
    subject: `sign-up ${throttle.addressSubject(actor.address)}`,
    maxTries: MAX_SIGN_UPS_OF_ADDRESS,
    windowMs: WINDOW_MS,
  };
  const newAccount = { email, password, name: name.trim() === '' ? undefined : name };
  // Counts rejected sign-ups too, to limit how many e-mails somebody can test for having an account.
  return queuePasswordWork(context, [budget], async () => {
    const prepared = await prepareAccount(context, newAccount);
    return inTransaction(db, async (transaction) => {
      const account = await storeAccount(transaction, prepared);
      const { id } = account;
      await audit.record(
        transaction,
        { ...actor, accountId: id },
        { kind: 'account.signed-up', subjectId: id },
      );
      return account;
    });
  });
}

/** Whether strangers may create accounts, as configured. */
export interface SignUpSetting {
  /** Whether sign-up is open, as configured or by default. */
  readonly isSignUpOpen: boolean;
  /** Whether `isSignUpOpen` was not configured, and so has its default. Then operators may choose. */
  readonly isSignUpDefault: boolean;
}

/** Whether an operator opened sign-up; undefined if none has chosen. */
export async function readSignUpChoice({ db }: Pick<DomainContext, 'db'>): Promise<boolean | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first('sign_up');
  return typeof row?.sign_up === 'string' ? row.sign_up === 'open' : undefined;
}

/**
 * Whether strangers may create accounts: as configured; if not configured, as an operator chose; if none chose, by
 * default.
 */
export const readSignUp = async (
  context: Pick<DomainContext, 'db'>,
  { isSignUpOpen, isSignUpDefault }: SignUpSetting,
): Promise<boolean> => (isSignUpDefault ? ((await readSignUpChoice(context)) ?? isSignUpOpen) : isSignUpOpen);

/** Opens or closes sign-up on all servers. Throws a ServiceError if the configuration already decides it. */
export async function chooseSignUp(
  { db, audit, actor }: DomainContext,
  { isSignUpDefault }: SignUpSetting,
  isOpen: boolean,
): Promise<void> {
  if (!isSignUpDefault) {
    throw new ServiceError(
      'invalidRequest',
      'SIGNPOST_SIGNUP decides whether sign-up is open. To choose here, remove it and restart the server.',
    );
  }
  await inTransaction(db, async (transaction) => {
    await transaction<InstallationRow>('installation')
      .where({ id: INSTALLATION_ID })
      .update({ sign_up: isOpen ? 'open' : 'closed' });
    await audit.record(transaction, actor, { kind: isOpen ? 'sign-up.opened' : 'sign-up.closed' });
  });
}
