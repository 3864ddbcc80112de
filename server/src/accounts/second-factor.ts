import { Secret, TOTP } from 'otpauth';
import type { Actor, Audit } from '../audit/audit.js';
import type { AuditKind } from '../audit/kinds.js';
import type { Clock } from '../platform/clock.js';
import { hashToken } from '../platform/hash-token.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time-units.js';
import type { AccountRow, RecoveryCodeRow, SecondFactorRow } from '../storage/rows.js';
import { lockAccount } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import type { SecondFactorSealer } from '../tokens/encryption-key.js';
import type { Account } from './account.js';
import { removeSecondFactor } from './account-state.js';
import { generatePassword } from './password.js';
import { acceptCode, removeSessionsOf } from './session-store.js';

const SECRET_BYTES = 20;
/** Also accepts the codes of the step before and after, because clocks differ and people type slowly. */
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;
/** A secret that was shown but not confirmed for this long is replaced. */
const SET_UP_WITHIN_MS = HOUR_MS;

const TRIES_WINDOW_MS = 15 * MINUTE_MS;
const MAX_TRIES = 10;
/** At this rate, guessing one of three valid codes among a million takes somebody with the password 18 years. */
const MAX_TRIES_OF_DAY = 50;

const budgetsOf = (accountId: string) => [
  { subject: `second factor of ${accountId}`, maxTries: MAX_TRIES, windowMs: TRIES_WINDOW_MS },
  { subject: `second factor by day of ${accountId}`, maxTries: MAX_TRIES_OF_DAY, windowMs: DAY_MS },
];

export interface SecondFactorDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly throttle: Throttle;
  readonly sealer: SecondFactorSealer;
  readonly audit: Audit;
}

/** The details that an app needs to show codes. */
export interface SecondFactorSetup {
  /** In base 32, for typing. */
  readonly secret: string;
  /** The same as an address, for scanning. */
  readonly uri: string;
}

/** A code that somebody entered in a session. */
interface CodeOfSession {
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

/** 99 random bits need no pepper and no slow hash. */
const hashRecoveryCode = (accountId: string, code: string) => hashToken(`${accountId} ${code}`);

const cleaned = (typed: string) => typed.toLowerCase().replaceAll(/[^0-9a-z]/gu, '');

const wrongCode = (orElse = ', or a recovery code') =>
  new ServiceError(
    'unauthorized',
    `The code is wrong, already used, or expired. Enter the code that the app shows now${orElse}.`,
  );

const isOnAlready = () =>
  new ServiceError('invalidRequest', 'The second factor is already on. Turn it off first to set up another.');

/** Accepts the code of a time step only once, and then none of an earlier step. */
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

/** The secret to set up with. It stays the same for an hour, so that reloading the page shows it again. */
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

/** Replaces an account's recovery codes. Returns the new ones, to be shown only this once. */
async function replaceRecoveryCodes(transaction: Database, accountId: string, randomBytes: RandomBytes) {
  const codes = Array.from({ length: RECOVERY_CODES }, () => generatePassword(randomBytes));
  await transaction<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId }).delete();
  await transaction<RecoveryCodeRow>('recovery_codes').insert(
    codes.map((each) => ({ hash: hashRecoveryCode(accountId, cleaned(each)), account_id: accountId })),
  );
  return codes;
}

/**
 * Turns on the second factor that was set up. Returns the recovery codes, to be shown only this once. Ends the
 * account's other sessions, which never entered a code. Throws a ServiceError if the code is wrong, or there were too
 * many wrong ones.
 */
async function confirm(
  { db, clock, randomBytes, throttle, sealer, audit }: SecondFactorDeps,
  actor: Actor,
  { accountId, code, sessionId }: CodeOfSession,
): Promise<readonly string[]> {
  await throttle.take(budgetsOf(accountId));
  const codes = await audit.perform(
    db,
    actor,
    async (transaction) => {
      if (!(await lockAccount(transaction, { id: accountId, has_second_factor: false }))) throw isOnAlready();
      const secret = await sealer.unsealOf(transaction, accountId);
      const step = secret && stepOf(secret, cleaned(code), clock());
      if (!(await acceptStep(transaction, accountId, step))) throw wrongCode('');
      await transaction<AccountRow>('accounts').where({ id: accountId }).update({ has_second_factor: true });
      await removeSessionsOf(transaction, accountId, sessionId);
      return replaceRecoveryCodes(transaction, accountId, randomBytes);
    },
    { kind: 'second-factor.on', subjectId: accountId },
  );
  await throttle.forget(budgetsOf(accountId).map(({ subject }) => subject));
  return codes;
}

/** The action that a code confirms. Doing it and using up the code is one transaction. */
interface Purpose<Result> {
  readonly accountId: string;
  readonly code: string;
  /** Returns undefined if there is nothing left to do. */
  readonly work: (transaction: Database) => Promise<Result | undefined>;
  readonly kind: AuditKind;
  /** The actor for auditing a wrong code. */
  readonly refused: Actor;
}

/**
 * Performs the action that a code confirms. Throws a ServiceError if the code is neither valid now nor a recovery
 * code.
 */
function performWithCode<Result>(
  { db, clock, sealer, audit }: SecondFactorDeps,
  actor: Actor,
  { accountId, code, work, kind }: Purpose<Result>,
): Promise<Result | undefined> {
  const typed = cleaned(code);
  return audit.perform(
    db,
    actor,
    async (transaction) => {
      if (!(await lockAccount(transaction, { id: accountId, has_second_factor: true }))) throw wrongCode();
      const secret = await sealer.unsealOf(transaction, accountId);
      const step = secret && stepOf(secret, typed, clock());
      const isRight =
        (await acceptStep(transaction, accountId, step)) ||
        (await acceptRecoveryCode(transaction, accountId, typed));
      if (!isRight) throw wrongCode();
      return work(transaction);
    },
    (result) => (result === undefined ? undefined : { kind, subjectId: accountId }),
  );
}

/**
 * Performs the action that a code confirms; counts and audits wrong codes. Throws a ServiceError if the code is wrong,
 * or there were too many wrong ones. Recovery codes are exempt from the count, because nobody can guess one: so
 * somebody who only has the password cannot lock the owner out with wrong codes.
 */
async function withCode<Result>(
  deps: SecondFactorDeps,
  actor: Actor,
  purpose: Purpose<Result>,
): Promise<Result | undefined> {
  const { db, throttle, audit } = deps;
  const { accountId, code, refused } = purpose;
  const taken = (await isRecoveryCode(db, accountId, cleaned(code)))
    ? undefined
    : await throttle.take(budgetsOf(accountId));
  try {
    const result = await performWithCode(deps, actor, purpose);
    if (taken !== undefined) await throttle.giveBack(taken);
    return result;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthorized')
      await audit.record(db, refused, { kind: 'second-factor.refused', subjectId: accountId });
    throw error;
  }
}

/** The second factors of accounts: codes of an app (RFC 6238), and recovery codes in case it is lost. */
export function createSecondFactors(deps: SecondFactorDeps) {
  const { db, clock, randomBytes } = deps;
  return {
    async setUp({ id, email }: Account): Promise<SecondFactorSetup> {
      const secret = asSecret(await obtainSecret(deps, id));
      const uri = new TOTP({ issuer: 'Signpost', label: email, secret }).toString();
      return { secret: secret.base32, uri };
    },
    confirm: (actor: Actor, given: CodeOfSession) => confirm(deps, actor, given),
    /** Signs in a session that awaited a code. Returns whether the session was still there. */
    async signIn(actor: Actor, { accountId, code, sessionId }: CodeOfSession): Promise<boolean> {
      const isAccepted = await withCode(deps, actor, {
        ...{ accountId, code, kind: 'session.signed-in', refused: { ...actor, accountId: null } },
        work: async (transaction) => (await acceptCode(transaction, sessionId, clock())) || undefined,
      });
      return isAccepted === true;
    },
    /** Turns the second factor off. Then the password is enough to sign in. */
    async turnOff(actor: Actor, accountId: string, code: string): Promise<void> {
      await withCode(deps, actor, {
        ...{ accountId, code, kind: 'second-factor.off', refused: actor },
        work: (transaction) => removeSecondFactor(transaction, accountId),
      });
    },
    /** Makes new recovery codes, to be shown this once; the old ones then stop working. */
    async renewRecoveryCodes(actor: Actor, accountId: string, code: string): Promise<readonly string[]> {
      const codes = await withCode(deps, actor, {
        ...{ accountId, code, kind: 'second-factor.codes', refused: actor },
        work: (transaction) => replaceRecoveryCodes(transaction, accountId, randomBytes),
      });
      return codes ?? [];
    },
    async recoveryCodesLeft(accountId: string): Promise<number> {
      return (await db<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId })).length;
    },
  };
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;
