import { isApiKeyOperationId } from '@signpost/contract';
import { MINUTE_MS } from '../platform/time-units.js';
import { type Database, dialectOf } from '../storage/storage.js';
import { LOG_KEPT_MS } from './usage-history.js';

/** Where a request is in the log. */
export interface FoundRequest {
  readonly keyId: number;
  readonly accountId: string;
}

/** What a request can be called, by us or by a proxy. */
const WELL_FORMED = /^[\w.-]{8,128}$/u;
/** As we call it: the time in the middle. */
const WITH_TIME = /^[\w-]{12}-([\da-z]{8})-\d+$/u;
const TIME_BASE = 36;
/** From the start of a request to its end: it may wait for a browser, and the page takes its time. */
const LONGEST_MS = 900_000;
const CLOCKS_APART_MS = MINUTE_MS;

/** When the request ended, as far as its name tells; else all that the log has. */
function timesOf(requestId: string, nowMs: number): readonly [number, number] {
  const time = WITH_TIME.exec(requestId)?.[1];
  if (time === undefined) return [nowMs - LOG_KEPT_MS, nowMs + CLOCKS_APART_MS];
  const startMs = parseInt(time, TIME_BASE);
  return [startMs - CLOCKS_APART_MS, startMs + LONGEST_MS];
}

/** The key and account of a request of the log, among those of one account where one is named. */
export async function findRequest(
  db: Database,
  requestId: string,
  accountId: string | undefined,
  nowMs: number,
): Promise<FoundRequest | undefined> {
  // The name of an operation stands in every entry.
  if (!WELL_FORMED.test(requestId) || isApiKeyOperationId(requestId)) return undefined;
  // Unlike LIKE it tells large letters from small ones.
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
