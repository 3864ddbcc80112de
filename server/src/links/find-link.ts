import { type ErrorName, ERRORS, type LinkedOperation } from '@signpost/contract';
import { hashToken } from '../platform/hash-token.js';
import { SECOND_MS } from '../platform/time-units.js';
import { keyWorks } from '../storage/key-life.js';
import type { PreparedQueries } from '../storage/storage.js';
import type { SealedSecret } from '../tokens/encryption-key.js';
import { linkedOperation, REMADE_AFTER_MS } from './link.js';

/** The latest capture of a link. Each capture has a new id. */
export interface LinkedCapture {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly capturedAtMs: number;
}

/** A link, with its state when `findLink` read it. */
export interface FoundLink {
  readonly id: string;
  readonly key: { readonly id: number; readonly accountId: string };
  readonly operation: LinkedOperation;
  readonly sealed: SealedSecret;
  readonly refreshMs: number;
  /** Whether the link has neither expired nor been ended, and its key and account work. */
  readonly works: boolean;
  readonly capture: LinkedCapture | undefined;
  /** Whether the latest capture was deleted to make room for those of other links. */
  readonly hasLostCapture: boolean;
  /** When the next capture may be made. */
  readonly dueAtMs: number;
  /** Why the last capture failed; undefined if it succeeded, or if there was none. */
  readonly failure: ErrorName | undefined;
  readonly claimedUntilMs: number;
}

const FIND = `
  SELECT l.id, l.account_id AS "accountId", l.key_id AS "keyId", l.operation, l.ciphertext,
    l.encryption_key_id AS "encryptionKeyId", l.refresh_seconds AS "refreshSeconds", l.capture_id AS "captureId",
    l.media_type AS "mediaType", l.bytes, l.captured_at AS "capturedAt", l.retry_at AS "retryAt", l.failure,
    l.claimed_until AS "claimedUntil",
    CASE WHEN l.ended_at IS NULL AND l.expires_at > ? AND a.disabled_at IS NULL AND ${keyWorks('k')}
      THEN 1 ELSE 0 END AS works
  FROM capture_links l JOIN api_keys k ON k.id = l.key_id JOIN accounts a ON a.id = l.account_id
  WHERE l.hash = ?`;

interface FoundRow {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: number;
  readonly operation: string;
  readonly ciphertext: string;
  readonly encryptionKeyId: string;
  readonly refreshSeconds: number;
  readonly captureId: string | null;
  readonly mediaType: string | null;
  readonly bytes: number | null;
  readonly capturedAt: number | null;
  readonly retryAt: number | null;
  readonly failure: string | null;
  readonly claimedUntil: number | null;
  readonly works: number;
}

const isErrorName = (text: string | null): text is ErrorName => text !== null && Object.hasOwn(ERRORS, text);

function captureOf({ captureId, mediaType, bytes, capturedAt }: FoundRow): LinkedCapture | undefined {
  if (captureId === null || mediaType === null || bytes === null || capturedAt === null) return undefined;
  return { id: captureId, mediaType, bytes, capturedAtMs: capturedAt };
}

/**
 * When the next capture may be made: when the last one is `refreshSeconds` old, or a minute old if it was deleted to
 * make room, but not before `retryAt`. 0 if there was no capture and no failure.
 */
function dueAtMs({ captureId, capturedAt, refreshSeconds, retryAt }: FoundRow): number {
  const isOldAfterMs = captureId === null ? REMADE_AFTER_MS : refreshSeconds * SECOND_MS;
  return Math.max(capturedAt === null ? 0 : capturedAt + isOldAfterMs, retryAt ?? 0);
}

/**
 * Finds a link by its token; undefined if there is none. Uses a prepared query, because a link in a web page may be
 * opened at each view of that page.
 */
export async function findLink(
  queries: Pick<PreparedQueries, 'all'>,
  token: string,
  nowMs: number,
): Promise<FoundLink | undefined> {
  const [row] = await queries.all<FoundRow>(FIND, [nowMs, nowMs, hashToken(token)]);
  if (row === undefined) return undefined;
  const { id, ciphertext } = row;
  return {
    id,
    key: { id: row.keyId, accountId: row.accountId },
    operation: linkedOperation.parse(row.operation),
    sealed: { id, ciphertext, encryption_key_id: row.encryptionKeyId },
    refreshMs: row.refreshSeconds * SECOND_MS,
    works: row.works === 1,
    capture: captureOf(row),
    hasLostCapture: row.capturedAt !== null && row.captureId === null,
    dueAtMs: dueAtMs(row),
    failure: isErrorName(row.failure) ? row.failure : undefined,
    claimedUntilMs: row.claimedUntil ?? 0,
  };
}
