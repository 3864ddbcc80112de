import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import type { AccountRow, RecoveryCodeRow, SecondFactorRow } from '../storage/rows.js';
import { lockAccount } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import type { SecondFactorSealer } from '../tokens/encryption-key.js';
import type { Account } from './account.js';
import { generatePassword } from './password.js';
import { removeSessionsOf } from './session-store.js';

const SECRET_BYTES = 20;
/** Codes of the step before and after count too: clocks differ, and people type slowly. */
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;
/** A secret that was shown and not confirmed for so long is made anew. */
const SET_UP_WITHIN_MS = 3_600_000;

const MINUTES_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MAX_TRIES = 10;
/** Whoever has the password and guesses finds one of three valid codes of a million in 18 years. */
const MAX_TRIES_OF_DAY = 50;

const budgetsOf = (accountId: string) => [
  { subject: `second factor of ${accountId}`, maxTries: MAX_TRIES, windowMs: MINUTES_MS },
  { subject: `second factor by day of ${accountId}`, maxTries: MAX_TRIES_OF_DAY, windowMs: DAY_MS },
];

export interface SecondFactorDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly throttle: Throttle;
  readonly sealer: SecondFactorSealer;
}

/** What an app needs to show codes. */
export interface SecondFactorSetup {
  /** In base 32, to be typed. */
  readonly secret: string;
  /** The same as an address, to be scanned. */
  readonly uri: string;
}

const asSecret = (bytes: Buffer) => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** The step of time whose code this is; undefined where it is none of now. */
function stepOf(bytes: Buffer, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ secret: asSecret(bytes) });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta;
}

/** 99 random bits need no pepper and no slow hash. */
const hashRecoveryCode = (accountId: string, code: string) =>
  createHash('sha256').update(`${accountId} ${code}`).digest('hex');

const cleaned = (typed: string) => typed.toLowerCase().replaceAll(/[^0-9a-z]/gu, '');

const wrongCode = () =>
  new ServiceError(
    'unauthorized',
    'The code is wrong, has been used, or is over. Type the one that the app shows now, or a recovery code.',
  );

const isOnAlready = () =>
  new ServiceError('invalidRequest', 'The second factor is on already. Turn it off first to set up another.');

/** Accepts the code of a step at most once, and none before it. */
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

async function acceptRecoveryCode(db: Database, accountId: string, code: string): Promise<boolean> {
  const hash = hashRecoveryCode(accountId, code);
  return (await db<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId, hash }).delete()) > 0;
}

/** The secret to set up with, the same for an hour, so that a page that is loaded again shows it again. */
async function obtainSecret(deps: SecondFactorDeps, accountId: string): Promise<Buffer> {
  const { db, clock, randomBytes, sealer } = deps;
  return db.transaction(async (transaction) => {
    const made = randomBytes(SECRET_BYTES);
    const sealed = await sealer.seal(transaction, made);
    if (!(await lockAccount(transaction, { id: accountId, has_second_factor: false }))) throw isOnAlready();
    const nowMs = clock();
    const factors = () => transaction<SecondFactorRow>('second_factors').where({ account_id: accountId });
    await factors()
      .where('created_at', '<=', nowMs - SET_UP_WITHIN_MS)
      .delete();
    const there = await sealer.unsealOf(transaction, accountId);
    if (there !== undefined) return there;
    const row = { ...sealed, account_id: accountId, last_step: null, created_at: nowMs };
    await transaction<SecondFactorRow>('second_factors').insert(row);
    return made;
  });
}

/**
 * Turns the second factor on that was set up; answers the recovery codes, to be shown this once. The account's other
 * sessions, which gave no code, end. Throws a ServiceError where the code is wrong, or there were too many such.
 */
async function confirm(
  { db, clock, randomBytes, throttle, sealer }: SecondFactorDeps,
  accountId: string,
  code: string,
  sessionId: string,
): Promise<readonly string[]> {
  await throttle.take(budgetsOf(accountId));
  const codes = Array.from({ length: RECOVERY_CODES }, () => generatePassword(randomBytes));
  await db.transaction(async (transaction) => {
    if (!(await lockAccount(transaction, { id: accountId, has_second_factor: false }))) throw isOnAlready();
    const secret = await sealer.unsealOf(transaction, accountId);
    const step = secret && stepOf(secret, cleaned(code), clock());
    if (!(await acceptStep(transaction, accountId, step))) throw wrongCode();
    await transaction<AccountRow>('accounts').where({ id: accountId }).update({ has_second_factor: true });
    await transaction<RecoveryCodeRow>('recovery_codes').insert(
      codes.map((each) => ({ hash: hashRecoveryCode(accountId, cleaned(each)), account_id: accountId })),
    );
    await removeSessionsOf(transaction, accountId, sessionId);
  });
  await throttle.forget(budgetsOf(accountId).map(({ subject }) => subject));
  return codes;
}

/** Throws a ServiceError where it is neither the code of now nor a recovery code, or wrong ones were too many. */
async function verify(
  { db, clock, throttle, sealer }: SecondFactorDeps,
  accountId: string,
  typed: string,
): Promise<void> {
  const code = cleaned(typed);
  const taken = await throttle.take(budgetsOf(accountId));
  const secret = await sealer.unsealOf(db, accountId);
  const step = secret && stepOf(secret, code, clock());
  const isRight = (await acceptStep(db, accountId, step)) || (await acceptRecoveryCode(db, accountId, code));
  if (!isRight) throw wrongCode();
  await throttle.giveBack(taken);
}

/** The second factors of accounts: codes of an app (RFC 6238), and recovery codes for when it is lost. */
export function createSecondFactors(deps: SecondFactorDeps) {
  const { db } = deps;
  return {
    async setUp({ id, email }: Account): Promise<SecondFactorSetup> {
      const secret = asSecret(await obtainSecret(deps, id));
      const uri = new TOTP({ issuer: 'Signpost', label: email, secret }).toString();
      return { secret: secret.base32, uri };
    },
    confirm: (accountId: string, code: string, sessionId: string) =>
      confirm(deps, accountId, code, sessionId),
    verify: (accountId: string, code: string) => verify(deps, accountId, code),
    async recoveryCodesLeft(accountId: string): Promise<number> {
      return (await db<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId })).length;
    },
  };
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;
