import { LIMITS } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { lockAccount } from '../storage/locks.js';
import type { InboxRequestRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import {
  checkText,
  type InboxRequest,
  type Outcome,
  requestFromRow,
  requestsWithOwners,
} from './inbox-request.js';

type DbContext = Pick<DomainContext, 'db'>;

const requests = (db: Database) => db<InboxRequestRow>('inbox_requests');
const openRequests = (db: Database) => requestsWithOwners(db).whereNull('inbox_requests.outcome');

export async function countOpenRequests({ db }: DbContext): Promise<number> {
  const [row] = await requests(db).whereNull('outcome').count({ open: '*' });
  return Number(row?.['open'] ?? 0);
}

/** Open requests, oldest first. */
export async function listOpenRequests(
  { db }: DbContext,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly InboxRequest[]> {
  const rows = await openRequests(db)
    .orderBy(['inbox_requests.asked_at', 'inbox_requests.id'])
    .offset(offset)
    .limit(limit);
  return rows.map(requestFromRow);
}

/** The newest requests of an account for higher limits, with their outcomes. */
export async function listLimitRequests(
  { db }: DbContext,
  accountId: string,
): Promise<readonly InboxRequest[]> {
  const rows = await requestsWithOwners(db)
    .where({ 'inbox_requests.account_id': accountId, 'inbox_requests.kind': 'limits' })
    .orderBy('inbox_requests.asked_at', 'desc')
    .limit(LIMITS.shownLimitRequests.max);
  return rows.map(requestFromRow);
}

/** The open request of an account for API access. */
export async function findApiAccessRequest(
  { db }: DbContext,
  accountId: string,
): Promise<InboxRequest | undefined> {
  const row = await openRequests(db)
    .where({ 'inbox_requests.account_id': accountId, 'inbox_requests.kind': 'apiAccess' })
    .first();
  return row === undefined ? undefined : requestFromRow(row);
}

const notOpen = () =>
  new ServiceError(
    'invalidRequest',
    'This request is no longer open: it was decided, or sent again. The inbox lists the open requests.',
  );

/** Returns an open request. Throws a ServiceError if it is no longer open. */
export async function findOpenRequest({ db }: DbContext, id: string): Promise<InboxRequest> {
  const row = await openRequests(db).where('inbox_requests.id', id).first();
  if (row === undefined) throw notOpen();
  return requestFromRow(row);
}

/**
 * Closes a request and does the work that follows from the decision in one transaction. Keeps a request for limits,
 * so that its owner can read the outcome, and deletes all others. If two people decide at once, one of them
 * succeeds.
 */
async function decide<Context extends DomainContext, Result>(
  context: Context,
  { id, kind, accountId }: InboxRequest,
  { outcome, answer }: { readonly outcome: Outcome; readonly answer: string | null },
  work: (within: Context) => Promise<Result>,
): Promise<Result> {
  const { clock, audit, actor } = context;
  return inTransaction(context.db, async (db) => {
    // Locks the account first, in the same order as its deletion.
    if (accountId !== null) await lockAccount(db, { id: accountId });
    const row = requests(db).where({ id }).whereNull('outcome');
    const closed =
      kind === 'limits' ? await row.update({ outcome, answer, decided_at: clock() }) : await row.delete();
    if (closed === 0) throw notOpen();
    const result = await work({ ...context, db });
    await audit.record(db, actor, { kind: `request.${outcome}`, subjectId: accountId, detail: kind });
    return result;
  });
}

/**
 * Closes an open request and does the work that it asks for in one transaction; `work` gets the context of that
 * transaction. If the work fails, the request stays open. Throws a ServiceError if the request is no longer open.
 */
export const approveRequest = <Context extends DomainContext, Result>(
  context: Context,
  request: InboxRequest,
  work: (within: Context) => Promise<Result>,
): Promise<Result> => decide(context, request, { outcome: 'approved', answer: null }, work);

/** Closes an open request without doing what it asks for. Throws a ServiceError if it is no longer open. */
export async function refuseRequest(
  context: DomainContext,
  request: InboxRequest,
  answer: string,
): Promise<void> {
  const text = checkText(answer).trim();
  const decision = { outcome: 'refused', answer: text === '' ? null : text } as const;
  await decide(context, request, decision, () => Promise.resolve());
}
