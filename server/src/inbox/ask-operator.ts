import { LIMITS } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import { BASE62, randomCharacters } from '../platform/random.js';
import { HOUR_MS, SECOND_MS } from '../platform/time-units.js';
import { lockInstallation } from '../storage/locks.js';
import type { AccountRow, ApiKeyRow, InboxRequestRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import { checkText, type RequestKind } from './inbox-request.js';

const WINDOW_MS = HOUR_MS;
const MAX_OF_ADDRESS = 20;

/**
 * How many requests of each kind may be open. Each kind has its own maximum, so that strangers cannot use up the room
 * for people with an account.
 */
const MAX_OPEN: Readonly<Record<RequestKind, number>> = LIMITS.openRequests;

const ID_CHARACTERS = 20;

export interface InboxContext extends DomainContext {
  readonly throttle: Throttle;
  readonly inboxNews: {
    /** Called for a request that was stored and replaced no open one. */
    readonly onNew: (kind: RequestKind, email: string) => void;
    /** Called if a request finds too many open ones of its kind, so that it cannot be stored. */
    readonly onFull: (kind: RequestKind) => void;
  };
}

/** A request as it is stored, without the columns that `storeRequest` sets. */
type NewRequest = Pick<InboxRequestRow, 'kind' | 'subject'> & Partial<InboxRequestRow>;

/**
 * The outcome of storing a request. `new`: it was stored. `again`: it replaced an open one, or there was no request to
 * store. `full`: too many requests of its kind are open. `enough`: its account has the maximum of open requests of that
 * kind.
 */
type StoreOutcome = 'new' | 'again' | 'full' | 'enough';

const requests = (db: Database) => db<InboxRequestRow>('inbox_requests');

async function countOthers(
  db: Database,
  of: Pick<NewRequest, 'kind' | 'account_id'>,
  subject: string,
): Promise<number> {
  const [row] = await requests(db).where(of).whereNull('outcome').whereNot({ subject }).count({ open: '*' });
  return Number(row?.['open'] ?? 0);
}

/**
 * Stores a request, in place of an earlier one for the same subject, and audits it even if it is not stored. Without a
 * `request`, stores none but does everything else, so that the response time does not reveal who has an account.
 */
async function storeRequest(
  { db, clock, randomBytes, audit, actor }: InboxContext,
  kind: RequestKind,
  request: NewRequest | undefined,
): Promise<StoreOutcome> {
  return inTransaction(db, async (transaction) => {
    // Makes other calls wait, on all servers, so that each counts the open requests that the others have stored.
    await lockInstallation(transaction);
    const subject = request?.subject ?? '';
    const isFull = (await countOthers(transaction, { kind }, subject)) >= MAX_OPEN[kind];
    const open = await requests(transaction).where({ subject }).whereNull('outcome').first('id');
    const subjectId = request?.account_id ?? null;
    const ofAccount =
      subjectId === null ? 0 : await countOthers(transaction, { kind, account_id: subjectId }, subject);
    await audit.record(transaction, actor, { kind: 'request.made', subjectId, detail: kind });
    if (ofAccount >= LIMITS.openRequests.ofAccount) return 'enough';
    if (isFull) return 'full';
    if (request === undefined) return 'again';
    const row: InboxRequestRow = {
      account_id: null,
      key_id: null,
      email: null,
      name: null,
      reason: null,
      per_minute: null,
      per_day: null,
      outcome: null,
      answer: null,
      decided_at: null,
      ...request,
      id: `req_${randomCharacters(randomBytes, BASE62, ID_CHARACTERS)}`,
      asked_at: clock(),
    };
    await requests(transaction).insert(row).onConflict('subject').merge();
    return open === undefined ? 'new' : 'again';
  });
}

async function storeAndNotify(
  context: InboxContext,
  kind: RequestKind,
  email: string,
  request: NewRequest | undefined,
): Promise<StoreOutcome> {
  const outcome = await storeRequest(context, kind, request);
  if (outcome === 'full') context.inboxNews.onFull(kind);
  if (outcome === 'new') context.inboxNews.onNew(kind, email);
  return outcome;
}

const inboxIsFull = () =>
  new ServiceError('overloaded', 'Too many requests are waiting for the operator. Ask again later.', {
    retryAfterSeconds: WINDOW_MS / SECOND_MS,
  });

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());

async function countTry({ throttle, actor }: InboxContext): Promise<void> {
  const subject = `request ${throttle.addressSubject(actor.address)}`;
  await throttle.take([{ subject, maxTries: MAX_OF_ADDRESS, windowMs: WINDOW_MS }]);
}

const findEnabledAccount = ({ db }: InboxContext, email: string): Promise<AccountRow | undefined> =>
  db<AccountRow>('accounts').where({ email, disabled_at: null }).first();

const passwordRequest = (accountId: string, reason: string | null): NewRequest => ({
  kind: 'password',
  subject: `password ${accountId}`,
  account_id: accountId,
  reason,
});

/** The context of a visitor. Anyone can send a visitor's form, so even a signed-in browser counts as a stranger. */
const asVisitor = (context: InboxContext): InboxContext => ({
  ...context,
  actor: { ...context.actor, accountId: null },
});

/**
 * Stores a visitor's request: for an account, or for a new password if an enabled account already has the e-mail.
 * Returns nothing in both cases, and also if the inbox is full. The e-mail must be normalized as for an account. Throws
 * a ServiceError if the reason is too long, or if too many requests came from the visitor's IP address (`rateLimited`).
 */
export async function askForAccess(
  context: InboxContext,
  { email, ...about }: { readonly email: string; readonly name: string; readonly reason: string },
): Promise<void> {
  const reason = textOrNull(checkText(about.reason));
  await countTry(context);
  const account = await findEnabledAccount(context, email);
  const request: NewRequest =
    account === undefined
      ? { kind: 'access', subject: `access ${email}`, email, name: textOrNull(about.name), reason }
      : passwordRequest(account.id, reason);
  await storeAndNotify(asVisitor(context), account === undefined ? 'access' : 'password', email, request);
}

/**
 * Stores a visitor's request for a link to choose a new password. Stores none, but returns the same, if no enabled
 * account has the e-mail, or if the inbox is full. The e-mail must be normalized as for an account. Throws a
 * ServiceError `rateLimited` if too many requests came from the visitor's IP address.
 */
export async function askForPassword(context: InboxContext, email: string): Promise<void> {
  await countTry(context);
  const account = await findEnabledAccount(context, email);
  const request = account === undefined ? undefined : passwordRequest(account.id, null);
  await storeAndNotify(asVisitor(context), 'password', email, request);
}

interface AccountRequest {
  readonly accountId: string;
  readonly email: string;
}

/** Stores a request for API access. Each account has one at most. Throws a ServiceError if the inbox is full. */
export async function askForApiAccess(
  context: InboxContext,
  { accountId, email }: AccountRequest,
): Promise<void> {
  const request = { kind: 'apiAccess', subject: `apiAccess ${accountId}`, account_id: accountId };
  if ((await storeAndNotify(context, 'apiAccess', email, request)) === 'full') throw inboxIsFull();
}

interface LimitRequest extends AccountRequest {
  /** Null for all keys of the account together. */
  readonly keyId: number | null;
  readonly perMinute: Limit;
  readonly perDay: Limit;
  readonly reason: string;
}

/**
 * Stores a request for higher limits of a key, or of all keys of the account. Throws a ServiceError if the reason is
 * too long, if the account has too many open requests, or if the inbox is full.
 */
export async function askForLimits(context: InboxContext, request: LimitRequest): Promise<void> {
  const { accountId, email, keyId, perMinute, perDay } = request;
  const reason = textOrNull(checkText(request.reason));
  // The subject has the hash of the key and not its id, because a restore may change the id.
  const key =
    keyId === null ? undefined : await context.db<ApiKeyRow>('api_keys').where('id', keyId).first('hash');
  const outcome = await storeAndNotify(context, 'limits', email, {
    kind: 'limits',
    subject: `limits ${key?.hash ?? accountId}`,
    account_id: accountId,
    key_id: keyId,
    reason,
    per_minute: limitToColumn(perMinute),
    per_day: limitToColumn(perDay),
  });
  if (outcome === 'enough')
    throw new ServiceError(
      'invalidRequest',
      'Your account has too many requests waiting for the operator. Wait for an answer, or change one of them by asking again for the same key.',
    );
  if (outcome === 'full') throw inboxIsFull();
}
