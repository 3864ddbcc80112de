import { isApiKeyOperationId } from '@signpost/contract';
import { MINUTE_MS } from '../platform/time-units.js';
import { type Database, dialectOf } from '../storage/storage.js';
import { LOG_KEPT_MS } from './usage-history.js';

/** The key that sent a request, and its account. */
export interface FoundRequest {
  readonly keyId: number;
  readonly accountId: string;
}

/**
 * The form of identifiers that can be found: those made by this server, and those of 8 characters or more taken from a
 * proxy.
 */
const WELL_FORMED = /^[\w.-]{8,128}$/u;
/** The form of an identifier made by this server. The time at which it was made is in the middle, in base 36. */
const WITH_TIME = /^[\w-]{12}-([\da-z]{8})-\d+$/u;
const TIME_BASE = 36;
/** The maximum duration of a request, which may wait for a browser and then for the page. */
const LONGEST_MS = 900_000;
const CLOCKS_APART_MS = MINUTE_MS;

/**
 * The times between which a request may have ended, from the time in its identifier; if the identifier has none, all
 * times that the log keeps.
 */
function timesOf(requestId: string, nowMs: number): readonly [number, number] {
  const time = WITH_TIME.exec(requestId)?.[1];
  if (time === undefined) return [nowMs - LOG_KEPT_MS, nowMs + CLOCKS_APART_MS];
  const startMs = parseInt(time, TIME_BASE);
  return [startMs - CLOCKS_APART_MS, startMs + LONGEST_MS];
}

/**
 * Finds the key and account of a logged request, within one account if given; undefined if it is not in the log. If
 * several requests have the identifier, finds the oldest.
 */
export async function findRequest(
  db: Database,
  requestId: string,
  accountId: string | undefined,
  nowMs: number,
): Promise<FoundRequest | undefined> {
  // A search for the name of an operation would match every entry of that operation.
  if (!WELL_FORMED.test(requestId) || isApiKeyOperationId(requestId)) return undefined;
  // These SQL functions are case-sensitive on both engines; LIKE is not on SQLite.
  const position = dialectOf(db) === 'postgresql' ? 'strpos' : 'instr';
  const found = db('request_log')
    .join('api_keys', 'api_keys.id', 'request_log.key_id')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .whereBetween('request_log.at', timesOf(requestId, nowMs))
    .whereRaw(`${position}(request_log.entries, ?) > 0`, [JSON.stringify(requestId)])
    .orderBy('request_log.at');
  if (accountId !== undefined) void found.where('projects.account_id', accountId);
  return found.first<FoundRequest | undefined>(
    'request_log.key_id as keyId',
    'projects.account_id as accountId',
  );
}
