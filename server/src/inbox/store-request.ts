import { LIMITS } from '@signpost/contract';
import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { type InboxRequestRow, lockInstallation } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { RequestKind } from './inbox-request.js';

/** Together a thousand; each kind has room of its own, so that strangers take none from those who have an account. */
const MAX_OPEN: Readonly<Record<RequestKind, number>> = LIMITS.openRequests;

const ID_CHARACTERS = 20;

export interface StoreDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly audit: Audit;
}

/** A request as it is stored, apart from what the store itself adds. */
export type NewRequest = Pick<InboxRequestRow, 'kind' | 'subject'> & Partial<InboxRequestRow>;

/**
 * What became of a request: stored, stored in the place of one that is open still, or not, for want of room or as its
 * account has enough that are open.
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
 * Enters in the audit that somebody asked, and stores what for; of each subject there is one request, the last. Without a
 * `request` it does the same work and stores nothing, so that the time of the answer tells nobody who has an account.
 */
export async function storeRequest(
  { db, clock, randomBytes, audit }: StoreDeps,
  actor: Actor,
  kind: RequestKind,
  request: NewRequest | undefined,
): Promise<Stored> {
  return db.transaction(async (transaction) => {
    // Servers that store at the same time find the same number of open requests one after the other.
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
