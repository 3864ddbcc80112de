import { Secret, TOTP } from 'otpauth';
import type { DomainContext } from '../audit/domain-context.js';
import { hashToken } from '../platform/hash-token.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time-units.js';
import type { AccountRow, RecoveryCodeRow, SecondFactorRow } from '../storage/rows.js';
import { lockAccount } from '../storage/locks.js';
import { type Database, inTransaction } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import type { SecondFactorSealer } from '../tokens/encryption-key.js';
import type { Account } from './account.js';
import { removeSecondFactor } from './account-state.js';
import { generatePassword } from './password.js';
import { acceptCode, removeSessionsOf } from './sessions.js';

const SECRET_BYTES = 20;
/**
 * How many time steps before and after the current one also have valid codes: clocks differ, and people type slowly.
 */
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;
/** How long a set-up that is not confirmed shows the same secret again. The next set-up after that makes a new one. */
const SET_UP_WITHIN_MS = HOUR_MS;

const TRIES_WINDOW_MS = 15 * MINUTE_MS;
const MAX_TRIES = 10;
/**
 * At this rate, somebody with the password needs 18 years on average to guess one of three valid codes in a million.
 */
const MAX_TRIES_OF_DAY = 50;

const budgetsOf = (accountId: string) => [
  { subject: `second factor of ${accountId}`, maxTries: MAX_TRIES, windowMs: TRIES_WINDOW_MS },
  { subject: `second factor by day of ${accountId}`, maxTries: MAX_TRIES_OF_DAY, windowMs: DAY_MS },
];

export interface SecondFactorContext extends DomainContext {
  readonly throttle: Throttle;
  /** Encrypts and decrypts the secrets of second factors. */
  readonly sealer: SecondFactorSealer;
}

/** The data with which an authenticator app shows codes. */
export interface SecondFactorSetup {
  /** The secret in base 32, for typing it into the app. */
  readonly secret: string;
  /** The secret as an otpauth address, which the app can scan as a QR code. */
  readonly uri: string;
}

/** A code that somebody entered in a session. */
interface SessionCode {
  readonly accountId: string;
  readonly code: string;
  readonly sessionId: string;
}

const asSecret = (bytes: Buffer) => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** The time step of a code; undefined if the code is not valid now. */
function stepOf(bytes: Buffer, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ secret: asSecret(bytes) });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta;
}

/** A recovery code has 99 random bits, so its hash needs no pepper and need not be slow. */
const hashRecoveryCode = (accountId: string, code: string) => hashToken(`${accountId} ${code}`);

const normalizeCode = (code: string) => code.toLowerCase().replaceAll(/[^0-9a-z]/gu, '');

const wrongCode = (alternative = ', or a recovery code') =>
  new ServiceError(
    'unauthorized',
    `The code is wrong, already used, or expired. Enter the code that the app shows now${alternative}.`,
  );

const secondFactorAlreadyOn = () =>
  new ServiceError('invalidRequest', 'The second factor is already on. Turn it off first to set up another.');

/** Accepts the code of a time step only once, and afterwards no code of an earlier step. */
async function acceptStep(db: Database, accountId: string, step: number | undefined): Promise<boolean> {
  if (step === undefined) return false;
  const accepted = await db<SecondFactorRow>('second_factors')
    .where({ account_id: accountId })
    .where((either) => {
      void either.whereNull('last_step').orWhere('last_step', '<', step);
    })
    .update({ last_step: step });
  return accepted > 0;
}

const isRecoveryCode = async (db: Database, accountId: string, code: string): Promise<boolean> => {
  const hash = hashRecoveryCode(accountId, code);
  return (
    (await db<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId, hash }).first()) !== undefined
  );
};

async function acceptRecoveryCode(db: Database, accountId: string, code: string): Promise<boolean> {
  const hash = hashRecoveryCode(accountId, code);
  return (await db<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId, hash }).delete()) > 0;
}

/** The secret to set up an app with. It stays the same for an hour, so that reloading the page shows it again. */
async function obtainSecret(context: SecondFactorContext, accountId: string): Promise<Buffer> {
  const { db, clock, randomBytes, sealer } = context;
  return inTransaction(db, async (transaction) => {
    const newSecret = randomBytes(SECRET_BYTES);
    const sealed = await sealer.seal(transaction, newSecret);
    if (!(await lockAccount(transaction, { id: accountId, has_second_factor: false })))
      throw secondFactorAlreadyOn();
    const nowMs = clock();
    const factors = () => transaction<SecondFactorRow>('second_factors').where({ account_id: accountId });
    await factors()
      .where('created_at', '<=', nowMs - SET_UP_WITHIN_MS)
      .delete();
    const storedSecret = await sealer.unsealOf(transaction, accountId);
    if (storedSecret !== undefined) return storedSecret;
    const row = { ...sealed, account_id: accountId, last_step: null, created_at: nowMs };
    await transaction<SecondFactorRow>('second_factors').insert(row);
    return newSecret;
  });
}

/** Replaces an account's recovery codes. Returns the new ones, to be shown only this once. */
async function replaceRecoveryCodes(transaction: Database, accountId: string, randomBytes: RandomBytes) {
  const codes = Array.from({ length: RECOVERY_CODES }, () => generatePassword(randomBytes));
  await transaction<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId }).delete();
  await transaction<RecoveryCodeRow>('recovery_codes').insert(
    codes.map((each) => ({ hash: hashRecoveryCode(accountId, normalizeCode(each)), account_id: accountId })),
  );
  return codes;
}

/**
 * Returns the secret to set up a second factor with, as text and as an address. `confirmSecondFactor` then turns the
 * second factor on. Throws a ServiceError if the account already has one.
 */
export async function setUpSecondFactor(
  context: SecondFactorContext,
  { id, email }: Account,
): Promise<SecondFactorSetup> {
  const secret = asSecret(await obtainSecret(context, id));
  const uri = new TOTP({ issuer: 'Signpost', label: email, secret }).toString();
  return { secret: secret.base32, uri };
}

/**
 * Turns on the second factor that was set up. Returns the recovery codes, to be shown only this once. Ends the
 * account's other sessions, because no code was entered in them. Throws a ServiceError if the code is wrong, if there
 * were too many wrong ones, or if the second factor is already on.
 */
export async function confirmSecondFactor(
  { db, clock, randomBytes, throttle, sealer, audit, actor }: SecondFactorContext,
  { accountId, code, sessionId }: SessionCode,
): Promise<readonly string[]> {
  await throttle.take(budgetsOf(accountId));
  const codes = await inTransaction(db, async (transaction) => {
    if (!(await lockAccount(transaction, { id: accountId, has_second_factor: false })))
      throw secondFactorAlreadyOn();
    const secret = await sealer.unsealOf(transaction, accountId);
    const step = secret && stepOf(secret, normalizeCode(code), clock());
    if (!(await acceptStep(transaction, accountId, step))) throw wrongCode('');
    await transaction<AccountRow>('accounts').where({ id: accountId }).update({ has_second_factor: true });
    await removeSessionsOf(transaction, accountId, sessionId);
    await audit.record(transaction, actor, { kind: 'second-factor.on', subjectId: accountId });
    return replaceRecoveryCodes(transaction, accountId, randomBytes);
  });
  await throttle.forget(budgetsOf(accountId).map(({ subject }) => subject));
  return codes;
}

/**
 * Uses up a code and does the work that the code confirms, in one transaction; counts and audits wrong codes. Throws a
 * ServiceError if the code is wrong, expired or already used, if the account has no second factor, or if there were too
 * many wrong codes. Recovery codes still work after too many wrong codes, because nobody can guess one: so somebody who
 * only knows the password cannot lock the owner out.
 */
async function withCode<Result>(
  context: SecondFactorContext,
  { accountId, code }: Pick<SessionCode, 'accountId' | 'code'>,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const { db, clock, throttle, sealer, audit, actor } = context;
  const normalizedCode = normalizeCode(code);
  const countedTry = (await isRecoveryCode(db, accountId, normalizedCode))
    ? undefined
    : await throttle.take(budgetsOf(accountId));
  try {
    const result = await inTransaction(db, async (transaction) => {
      if (!(await lockAccount(transaction, { id: accountId, has_second_factor: true }))) throw wrongCode();
      const secret = await sealer.unsealOf(transaction, accountId);
      const step = secret && stepOf(secret, normalizedCode, clock());
      const isRight =
        (await acceptStep(transaction, accountId, step)) ||
        (await acceptRecoveryCode(transaction, accountId, normalizedCode));
      if (!isRight) throw wrongCode();
      return work(transaction);
    });
    if (countedTry !== undefined) await throttle.release(countedTry);
    return result;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthorized')
      await audit.record(db, actor, { kind: 'second-factor.refused', subjectId: accountId });
    throw error;
  }
}

/**
 * Signs in a session that awaits a code. If the session has ended, returns false; the code is used up all the same.
 * Throws the errors of `withCode`.
 */
export const signInWithCode = (
  context: SecondFactorContext,
  { accountId, code, sessionId }: SessionCode,
): Promise<boolean> =>
  // Wrong codes are audited without an acting account: until a code is accepted, nobody has proved to be the owner.
  withCode(
    { ...context, actor: { ...context.actor, accountId: null } },
    { accountId, code },
    async (transaction) => {
      const isThere = await acceptCode(transaction, sessionId, context.clock());
      const actor = { ...context.actor, accountId };
      if (isThere)
        await context.audit.record(transaction, actor, { kind: 'session.signed-in', subjectId: accountId });
      return isThere;
    },
  );

/** Turns the second factor off. Throws the errors of `withCode`. */
export async function turnOffSecondFactor(
  context: SecondFactorContext,
  accountId: string,
  code: string,
): Promise<void> {
  await withCode(context, { accountId, code }, (transaction) =>
    removeSecondFactor({ ...context, db: transaction }, accountId),
  );
}

/** Replaces the recovery codes. Returns the new ones; the old ones stop working. Throws the errors of `withCode`. */
export const renewRecoveryCodes = (
  context: SecondFactorContext,
  accountId: string,
  code: string,
): Promise<readonly string[]> =>
  withCode(context, { accountId, code }, async (transaction) => {
    const { audit, actor, randomBytes } = context;
    await audit.record(transaction, actor, { kind: 'second-factor.codes', subjectId: accountId });
    return replaceRecoveryCodes(transaction, accountId, randomBytes);
  });

export const countRecoveryCodes = async (
  { db }: Pick<DomainContext, 'db'>,
  accountId: string,
): Promise<number> => (await db<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId })).length;
