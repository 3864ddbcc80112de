import { ServiceError } from '../platform/errors.js';
import { type Limit, limitFromColumn } from '../platform/limit.js';
import type { InboxRequestRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/**
 * The kinds of requests to the operator: an account, a link for a new password, higher limits, API access (tokens).
 */
const REQUEST_KINDS = ['access', 'password', 'limits', 'apiAccess'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export const isRequestKind = (text: string): text is RequestKind =>
  REQUEST_KINDS.some((kind) => kind === text);

export type Outcome = 'approved' | 'refused';

const MAX_TEXT_CHARACTERS = 1_000;

/** Returns the text unchanged. Throws a ServiceError if it has more than MAX_TEXT_CHARACTERS characters. */
export function checkText(text: string): string {
  const { length } = [...text];
  if (length <= MAX_TEXT_CHARACTERS) return text;
  throw new ServiceError(
    'invalidRequest',
    `The text has ${length} characters. Shorten it to ${MAX_TEXT_CHARACTERS} or fewer.`,
  );
}

/** The key that the higher limits are for, with its current limits. */
interface RequestedKey {
  readonly id: number;
  readonly prefix: string;
  readonly projectName: string;
  readonly perMinute: Limit;
  readonly perDay: Limit;
}

/** A request to the operator. */
export interface InboxRequest {
  readonly id: string;
  readonly kind: RequestKind;
  /** Null if the person has no account. */
  readonly accountId: string | null;
  readonly email: string;
  readonly name: string | null;
  readonly reason: string | null;
  /** Null if the request is about all keys of the account together, or not about limits. */
  readonly key: RequestedKey | null;
  readonly perMinute: Limit;
  readonly perDay: Limit;
  /** The current limits of all keys of the account together; "default" also if there is no account. */
  readonly accountLimits: { readonly perMinute: Limit; readonly perDay: Limit };
  readonly askedAtMs: number;
  readonly outcome: Outcome | null;
  /** The operator's reply. */
  readonly answer: string | null;
  readonly decidedAtMs: number | null;
}

interface FoundRow extends InboxRequestRow {
  readonly account_email: string | null;
  readonly account_name: string | null;
  readonly account_per_minute: number | null;
  readonly account_per_day: number | null;
  readonly prefix: string | null;
  readonly project_name: string | null;
  readonly key_per_minute: number | null;
  readonly key_per_day: number | null;
}

const isOutcome = (text: string | null): text is Outcome => text === 'approved' || text === 'refused';

const kindOf = (text: string): RequestKind => (isRequestKind(text) ? text : 'password');

function keyOf(row: FoundRow): RequestedKey | null {
  if (row.key_id === null) return null;
  return {
    id: row.key_id,
    prefix: row.prefix ?? '',
    projectName: row.project_name ?? '',
    perMinute: limitFromColumn(row.key_per_minute),
    perDay: limitFromColumn(row.key_per_day),
  };
}

export const requestFromRow = (row: FoundRow): InboxRequest => ({
  id: row.id,
  kind: kindOf(row.kind),
  accountId: row.account_id,
  email: row.account_email ?? row.email ?? '',
  name: row.account_id === null ? row.name : row.account_name,
  reason: row.reason,
  key: keyOf(row),
  perMinute: limitFromColumn(row.per_minute),
  perDay: limitFromColumn(row.per_day),
  accountLimits: {
    perMinute: limitFromColumn(row.account_per_minute),
    perDay: limitFromColumn(row.account_per_day),
  },
  askedAtMs: row.asked_at,
  outcome: isOutcome(row.outcome) ? row.outcome : null,
  answer: row.answer,
  decidedAtMs: row.decided_at,
});

/** Requests joined with the accounts, keys and projects that they are about. */
export const joinedRequests = (db: Database) =>
  db('inbox_requests')
    .leftJoin('accounts', 'accounts.id', 'inbox_requests.account_id')
    .leftJoin('api_keys', 'api_keys.id', 'inbox_requests.key_id')
    .leftJoin('projects', 'projects.id', 'api_keys.project_id');

/** Selects requests with the columns of their accounts, keys and projects that `requestFromRow` needs. */
export const requestsWithOwners = (db: Database) =>
  joinedRequests(db)
    .select(
      'inbox_requests.*',
      'accounts.email as account_email',
      'accounts.name as account_name',
      'accounts.per_minute as account_per_minute',
      'accounts.per_day as account_per_day',
      'api_keys.prefix',
      'api_keys.per_minute as key_per_minute',
    )
    .select<FoundRow[]>('api_keys.per_day as key_per_day', 'projects.name as project_name');
