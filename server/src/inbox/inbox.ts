import { LIMITS } from '@signpost/contract';
import type { Knex } from 'knex';
import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { whereContains } from '../storage/contains.js';
import { lockAccount } from '../storage/locks.js';
import type { InboxRequestRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import {
  checkText,
  type InboxRequest,
  joinedRequests,
  type Outcome,
  requestFromRow,
  type RequestKind,
  requestsWithOwners,
} from './inbox-request.js';

type DbContext = Pick<DomainContext, 'db'>;

const requests = (db: Database) => db<InboxRequestRow>('inbox_requests');
const openRequests = (db: Database) => requestsWithOwners(db).whereNull('inbox_requests.outcome');

export async function countOpenRequests({ db }: DbContext): Promise<number> {
  const [row] = await requests(db).whereNull('outcome').count({ open: '*' });
  return Number(row?.['open'] ?? 0);
}

/** Which requests of the inbox to list. */
export interface InboxQuery {
  /** Whether to list the decided requests in place of the open ones. */
  readonly areDecided?: boolean;
  readonly kind?: RequestKind | undefined;
  /** Only requests whose sender, reason, key or project contains this text. */
  readonly search?: string;
  readonly offset: number;
  readonly limit: number;
}

const SEARCHED = [
  'accounts.email',
  'accounts.name',
  'inbox_requests.email',
  'inbox_requests.name',
  'inbox_requests.reason',
  'api_keys.prefix',
  'projects.name',
];

function applyQuery(query: Knex.QueryBuilder, { areDecided = false, kind, search = '' }: InboxQuery): void {
  if (areDecided) void query.whereNotNull('inbox_requests.outcome');
  else void query.whereNull('inbox_requests.outcome');
  if (kind !== undefined) void query.where('inbox_requests.kind', kind);
  whereContains(query, SEARCHED, search);
}

/** One page of the open requests, oldest first, or of the decided ones, newest decision first. */
export async function listRequests(
  { db }: DbContext,
  query: InboxQuery,
): Promise<{ readonly requests: readonly InboxRequest[]; readonly total: number }> {
  const [counting, listing] = [joinedRequests(db), requestsWithOwners(db)];
  applyQuery(counting, query);
  applyQuery(listing, query);
  const by = query.areDecided === true ? ['decided_at', 'desc'] : ['asked_at', 'asc'];
  const [counted] = await counting.count({ total: 'inbox_requests.id' });
  const rows = await listing
    .orderByRaw(`inbox_requests.${by.join(' ')}, inbox_requests.id`)
    .offset(query.offset)
    .limit(query.limit);
  return { requests: rows.map(requestFromRow), total: Number(counted?.['total'] ?? 0) };
}

/**
 * The newest requests of an account for higher limits, open or decided, newest first, up to the maximum that is shown.
 */
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

/** The open request of an account for API access; undefined if there is none. */
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

/** Returns the open request with this id. Throws a ServiceError if there is none. */
export async function findOpenRequest({ db }: DbContext, id: string): Promise<InboxRequest> {
  const row = await openRequests(db).where('inbox_requests.id', id).first();
  if (row === undefined) throw notOpen();
  return requestFromRow(row);
}

/**
 * Closes a request and runs `work` in one transaction. Keeps the request of an account, with its outcome, and deletes
 * that of a stranger. Throws a ServiceError if the request is no longer open.
 */
async function decide<Context extends DomainContext, Result>(
  context: Context,
  { id, kind, accountId }: InboxRequest,
  { outcome, answer }: { readonly outcome: Outcome; readonly answer: string | null },
  work: (within: Context) => Promise<Result>,
): Promise<Result> {
  const { clock, audit, actor } = context;
  return inTransaction(context.db, async (db) => {
    // Locks the account first, as deleting an account does, so that the two cannot deadlock.
    if (accountId !== null) await lockAccount(db, { id: accountId });
    const row = requests(db).where({ id }).whereNull('outcome');
    const closed = await (accountId === null
      ? row.delete()
      : row.update({ outcome, answer, decided_at: clock() }));
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

/**
 * Closes an open request without doing what it asks for. Throws a ServiceError if it is no longer open, or if the
 * answer is too long.
 */
export async function refuseRequest(
  context: DomainContext,
  request: InboxRequest,
  answer: string,
): Promise<void> {
  const text = checkText(answer).trim();
  const decision = { outcome: 'refused', answer: text === '' ? null : text } as const;
  await decide(context, request, decision, () => Promise.resolve());
}
