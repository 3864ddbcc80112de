import { LIMITS } from '@signpost/contract';
import type { Actor } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import { HOUR_MS } from '../platform/time-units.js';
import { type AccountRow, type ApiKeyRow, type InboxRequestRow, lockAccount } from '../storage/rows.js';
import type { Database, Transact } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import {
  checkText,
  type InboxRequest,
  type Outcome,
  requestFromRow,
  type RequestKind,
  requestsWithOwners,
} from './inbox-request.js';
import { type NewRequest, type StoreDeps, storeRequest } from './store-request.js';

const WINDOW_MS = HOUR_MS;
const MAX_OF_ADDRESS = 20;

interface InboxDeps extends StoreDeps {
  readonly throttle: Throttle;
  /** Called for new requests, and for requests that were not stored because there is no room. */
  readonly onNew: (kind: RequestKind, email: string) => void;
  readonly onFull: (kind: RequestKind) => void;
}

/** Somebody who is not signed in. The e-mail is normalized as for an account. */
interface Stranger {
  readonly email: string;
  /** The IP address of the caller. */
  readonly address: string;
}

interface WantedLimits {
  readonly accountId: string;
  readonly email: string;
  /** Null for all keys of the account together. */
  readonly keyId: number | null;
  readonly perMinute: Limit;
  readonly perDay: Limit;
  readonly reason: string;
}

const requests = (db: Database) => db<InboxRequestRow>('inbox_requests');

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

const accountHasEnough = () =>
  new ServiceError(
    'invalidRequest',
    'Your account has too many requests waiting for the operator. Wait for an answer, or change one of them by asking again for the same key.',
  );

const inboxIsFull = () =>
  new ServiceError('overloaded', 'Too many requests are waiting for the operator. Ask again tomorrow.', {
    retryAfterSeconds: WINDOW_MS / 1_000,
  });

/** Storing requests. People who are not signed in get the same response whatever happens. */
function createAsking(deps: InboxDeps) {
  const { db, throttle, onNew, onFull } = deps;

  const store = async (actor: Actor, kind: RequestKind, email: string, request: NewRequest | undefined) => {
    const stored = await storeRequest(deps, actor, kind, request);
    if (stored === 'full') onFull(kind);
    if (stored === 'new') onNew(kind, email);
    return stored;
  };

  const takeTry = (address: string) => {
    const subject = `request ${throttle.addressSubject(address)}`;
    return throttle.take([{ subject, maxTries: MAX_OF_ADDRESS, windowMs: WINDOW_MS }]);
  };

  const accountOf = (email: string): Promise<AccountRow | undefined> =>
    db<AccountRow>('accounts').where({ email, disabled_at: null }).first();

  const passwordOf = ({ id }: Pick<AccountRow, 'id'>, reason: string | null): NewRequest => ({
    ...{ kind: 'password', subject: `password ${id}`, account_id: id, reason },
  });

  const visitor = (address: string): Actor => ({ accountId: null, address, via: 'console' });

  return {
    /** Stores a request for an account, or for a new password if the e-mail has an account already. */
    async askForAccess({ email, address, ...about }: Stranger & { name: string; reason: string }) {
      const reason = orNull(checkText(about.reason));
      await takeTry(address);
      const account = await accountOf(email);
      const request: NewRequest =
        account === undefined
          ? { kind: 'access', subject: `access ${email}`, email, name: orNull(about.name), reason }
          : passwordOf(account, reason);
      await store(visitor(address), account === undefined ? 'access' : 'password', email, request);
    },

    /** Stores a request for a link for a new password. Stores nothing if the e-mail has no account. */
    async askForPassword({ email, address }: Stranger) {
      await takeTry(address);
      const account = await accountOf(email);
      const request = account === undefined ? undefined : passwordOf(account, null);
      await store(visitor(address), 'password', email, request);
    },

    /** Stores a request for API access. Each account has one at most. */
    async askForApiAccess(actor: Actor, { accountId, email }: { accountId: string; email: string }) {
      const request = { kind: 'apiAccess', subject: `apiAccess ${accountId}`, account_id: accountId };
      if ((await store(actor, 'apiAccess', email, request)) === 'full') throw inboxIsFull();
    },

    /** Stores a request for higher limits of a key, or of all keys of the account. */
    async askForLimits(actor: Actor, { accountId, email, keyId, perMinute, perDay, ...about }: WantedLimits) {
      const reason = orNull(checkText(about.reason));
      // By the hash and not the id, because a restore may change the id.
      const key =
        keyId === null ? undefined : await db<ApiKeyRow>('api_keys').where('id', keyId).first('hash');
      const request = {
        ...{ kind: 'limits', subject: `limits ${key?.hash ?? accountId}`, account_id: accountId },
        ...{ key_id: keyId, reason, per_minute: limitToColumn(perMinute), per_day: limitToColumn(perDay) },
      };
      const stored = await store(actor, 'limits', email, request);
      if (stored === 'enough') throw accountHasEnough();
      if (stored === 'full') throw inboxIsFull();
    },
  };
}

const gone = () =>
  new ServiceError(
    'invalidRequest',
    'This request is no longer open: it was decided, or sent again. The inbox lists the open requests.',
  );

/** Keeps a request for limits, so that its owner can read the outcome. Deletes all other requests. */
async function close(
  transaction: Database,
  { id, kind }: InboxRequest,
  decided: Pick<InboxRequestRow, 'outcome' | 'answer' | 'decided_at'>,
): Promise<void> {
  const row = requests(transaction).where({ id }).whereNull('outcome');
  const closed = kind === 'limits' ? await row.update(decided) : await row.delete();
  if (closed === 0) throw gone();
}

/** Reading open requests, and the outcomes of others. */
function createReading({ db }: InboxDeps) {
  const open = () => requestsWithOwners(db).whereNull('inbox_requests.outcome');

  return {
    async countOpen(): Promise<number> {
      const [row] = await requests(db).whereNull('outcome').count({ open: '*' });
      return Number(row?.['open'] ?? 0);
    },

    /** Open requests, oldest first. */
    async list({ offset, limit }: { readonly offset: number; readonly limit: number }) {
      const rows = await open()
        .orderBy(['inbox_requests.asked_at', 'inbox_requests.id'])
        .offset(offset)
        .limit(limit);
      return rows.map(requestFromRow);
    },

    /** The newest requests of an account for higher limits, with their outcomes. */
    async listOfAccount(accountId: string): Promise<readonly InboxRequest[]> {
      const rows = await requestsWithOwners(db)
        .where({ 'inbox_requests.account_id': accountId, 'inbox_requests.kind': 'limits' })
        .orderBy('inbox_requests.asked_at', 'desc')
        .limit(LIMITS.shownLimitRequests.max);
      return rows.map(requestFromRow);
    },

    /** The open request of an account for API access. */
    async findApiAccess(accountId: string): Promise<InboxRequest | undefined> {
      const row = await open()
        .where({ 'inbox_requests.account_id': accountId, 'inbox_requests.kind': 'apiAccess' })
        .first();
      return row === undefined ? undefined : requestFromRow(row);
    },

    /** Returns an open request. Throws a ServiceError if it is no longer open. */
    async find(id: string): Promise<InboxRequest> {
      const row = await open().where('inbox_requests.id', id).first();
      if (row === undefined) throw gone();
      return requestFromRow(row);
    },
  };
}

function createDeciding({ db, clock, audit }: InboxDeps) {
  /**
   * Closes a request and does the work of its outcome in one transaction. If two people decide it at once, one
   * succeeds.
   */
  const decide = <Result>(
    actor: Actor,
    request: InboxRequest,
    { outcome, answer }: { readonly outcome: Outcome; readonly answer: string },
    work: (transaction: Database) => Promise<Result>,
  ): Promise<Result> =>
    audit.perform(
      db,
      actor,
      async (transaction) => {
        // Locks the account first, in the same order as its deletion.
        if (request.accountId !== null) await lockAccount(transaction, { id: request.accountId });
        await close(transaction, request, { outcome, answer: orNull(answer), decided_at: clock() });
        return work(transaction);
      },
      { kind: `request.${outcome}`, subjectId: request.accountId, detail: request.kind },
    );

  return {
    /**
     * Closes an open request in one transaction with the work that it asks for. If the work fails, the request stays
     * open.
     */
    approval:
      (actor: Actor, request: InboxRequest): Transact =>
      (work) =>
        decide(actor, request, { outcome: 'approved', answer: '' }, work),

    async refuse(actor: Actor, request: InboxRequest, answer: string): Promise<void> {
      const decision = { outcome: 'refused', answer: checkText(answer) } as const;
      await decide(actor, request, decision, () => Promise.resolve());
    },
  };
}

/** The requests to the operator, for code that must not access the database. */
export const createInbox = (deps: InboxDeps) => ({
  ...createAsking(deps),
  ...createReading(deps),
  ...createDeciding(deps),
});

export type Inbox = ReturnType<typeof createInbox>;
