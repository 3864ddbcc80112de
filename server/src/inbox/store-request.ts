import { LIMITS } from '@signpost/contract';
import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { type InboxRequestRow, lockInstallation } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { RequestKind } from './inbox-request.js';

/**
 * A thousand together. Each kind has its own maximum, so that strangers cannot use up the room of people with an
 * account.
 */
const MAX_OPEN: Readonly<Record<RequestKind, number>> = LIMITS.openRequests;

const ID_CHARACTERS = 20;

export interface StoreDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly audit: Audit;
}

/** A request as it is stored, without the columns that the store sets. */
export type NewRequest = Pick<InboxRequestRow, 'kind' | 'subject'> & Partial<InboxRequestRow>;

/**
 * The outcome of storing a request: it is new, it replaced an open one, or it was not stored because the inbox is full
 * or the account has enough open requests.
 */
export type Stored = 'new' | 'again' | 'full' | 'enough';

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
 * Stores a request and audits it. For each subject only the latest request is kept. Without a `request` it does the
 * same work but stores nothing, so that the response time does not reveal who has an account.
 */
export async function storeRequest(
  { db, clock, randomBytes, audit }: StoreDeps,
  actor: Actor,
  kind: RequestKind,
  request: NewRequest | undefined,
): Promise<Stored> {
  return db.transaction(async (transaction) => {
    // Serializes servers, so that each counts the open requests after the other has stored its own.
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
      ...{ account_id: null, key_id: null, email: null, name: null, reason: null },
      ...{ per_minute: null, per_day: null, outcome: null, answer: null, decided_at: null },
      ...request,
      id: `req_${randomCharacters(randomBytes, BASE62, ID_CHARACTERS)}`,
      asked_at: clock(),
    };
    await requests(transaction).insert(row).onConflict('subject').merge();
    return open === undefined ? 'new' : 'again';
  });
}
