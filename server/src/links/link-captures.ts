import { type ErrorName, LIMITS } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { BASE62, randomCharacters } from '../platform/random.js';
import { keyIsLive } from '../storage/key-life.js';
import { lockAccount } from '../storage/locks.js';
import type { Database } from '../storage/storage.js';
import type { FoundLink, LinkedCapture } from './find-link.js';
import { chunkRows, ENDED_KEPT_MS, linkRows, REMADE_AFTER_MS } from './link.js';

const { maxBytes: MAX_BYTES } = LIMITS.captureLinks;
const CHUNK_BYTES = 1_048_576;
const ID_CHARACTERS = 24;

/** Clears the columns of a deleted capture. Its time stays, so that the next capture is not made at once. */
const WITHOUT_CAPTURE = { capture_id: null, media_type: null, bytes: null };
const NO_CAPTURE = { ...WITHOUT_CAPTURE, captured_at: null };

type StoreContext = Pick<DomainContext, 'db' | 'clock' | 'randomBytes'>;

const chunkCount = (bytes: number) => Math.ceil(bytes / CHUNK_BYTES);

interface CapturedFile {
  readonly body: Buffer;
  readonly mediaType: string;
}

/**
 * Deletes the oldest captures of the account's other links until one of this size fits. Leaves captures that are
 * just being stored. Call it in a transaction that locks the account.
 */
async function deleteSurplusCaptures(
  transaction: Database,
  { id, key }: FoundLink,
  bytes: number,
): Promise<void> {
  const newestFirst = await linkRows(transaction)
    .where({ account_id: key.accountId })
    .whereNot({ id })
    .whereNotNull('capture_id')
    .orderBy([
      { column: 'captured_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('capture_id', 'bytes');
  let total = bytes;
  const surplus = newestFirst.filter((row) => (total += row.bytes ?? 0) > MAX_BYTES);
  if (surplus.length === 0) return;
  const captureIds = surplus.flatMap((row) => row.capture_id ?? []);
  await linkRows(transaction).whereIn('capture_id', captureIds).update(WITHOUT_CAPTURE);
  await chunkRows(transaction).whereIn('capture_id', captureIds).delete();
}

/**
 * Stores a new capture of a link in place of the last one. Stores nothing if the link was ended meanwhile, or if
 * another server's capture of it was stored meanwhile.
 */
export async function storeCapture(
  { db, clock, randomBytes }: StoreContext,
  link: FoundLink,
  { body, mediaType }: CapturedFile,
): Promise<void> {
  const captureId = randomCharacters(randomBytes, BASE62, ID_CHARACTERS);
  const ofLink = (database: Database) => chunkRows(database).where({ link_id: link.id });
  // Chunks are written one by one, so that a large file does not delay other writes. Nobody reads them before the link
  // names them.
  for (let number = 0; number < chunkCount(body.length); number += 1) {
    const part = body.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES);
    await chunkRows(db).insert({ capture_id: captureId, number, link_id: link.id, body: part });
  }
  await db.transaction(async (transaction) => {
    await lockAccount(transaction, { id: link.key.accountId });
    const [writtenChunks] = await chunkRows(transaction)
      .where({ capture_id: captureId })
      .count({ rows: '*' });
    if (Number(writtenChunks?.['rows'] ?? 0) < chunkCount(body.length)) {
      await chunkRows(transaction).where({ capture_id: captureId }).delete();
      return;
    }
    const stored = await linkRows(transaction).where({ id: link.id, ended_at: null }).update({
      capture_id: captureId,
      media_type: mediaType,
      bytes: body.length,
      captured_at: clock(),
      retry_at: null,
      failure: null,
      claimed_until: null,
    });
    if (stored === 0) {
      await ofLink(transaction).delete();
      return;
    }
    await deleteSurplusCaptures(transaction, link, body.length);
    await ofLink(transaction).whereNot({ capture_id: captureId }).delete();
  });
}

/**
 * Reads a chunk of a capture; undefined if it is missing, because the capture was replaced or deleted, or because the
 * database was restored from a backup without it.
 */
export async function readChunk(
  db: Database,
  { id, bytes }: LinkedCapture,
  number: number,
): Promise<Buffer | undefined> {
  const chunk = await chunkRows(db).where({ capture_id: id, number }).first('body');
  const expected = Math.min(CHUNK_BYTES, bytes - number * CHUNK_BYTES);
  return chunk?.body.length === expected ? chunk.body : undefined;
}

/** Whether all chunks of a capture are there. */
export async function isWhole(db: Database, { id, bytes }: LinkedCapture): Promise<boolean> {
  const [storedChunks] = await chunkRows(db).where({ capture_id: id }).count({ rows: '*' });
  return Number(storedChunks?.['rows'] ?? 0) === chunkCount(bytes);
}

/** Removes the record of a capture whose chunks are missing, as after a restored backup, so that another is made. */
export async function forgetCapture(db: Database, { id }: FoundLink, captureId: string): Promise<void> {
  await linkRows(db).where({ id, capture_id: captureId }).update(NO_CAPTURE);
}

/**
 * Records that a capture failed, and when the next may be tried. If `claimedUntilMs` is given, does nothing unless the
 * link still has the claim that ends then.
 */
export async function storeFailure(
  db: Database,
  { id }: FoundLink,
  failure: ErrorName,
  retryAtMs: number,
  claimedUntilMs?: number,
): Promise<void> {
  const ownClaim = claimedUntilMs === undefined ? {} : { claimed_until: claimedUntilMs };
  await linkRows(db)
    .where({ id, ...ownClaim })
    .update({ failure, retry_at: retryAtMs, claimed_until: null });
}

/** Claims a link's next capture for this server until `untilMs`. Returns false if it is already claimed or not due. */
export async function claimCapture(
  db: Database,
  { id, refreshMs }: FoundLink,
  nowMs: number,
  untilMs: number,
): Promise<boolean> {
  const claimed = await linkRows(db)
    .where({ id })
    .where((row) => void row.whereNull('claimed_until').orWhere('claimed_until', '<=', nowMs))
    .where((row) => {
      void row
        .whereNull('captured_at')
        .orWhere('captured_at', '<=', nowMs - refreshMs)
        .orWhere((deleted) => {
          void deleted.whereNull('capture_id').where('captured_at', '<=', nowMs - REMADE_AFTER_MS);
        });
    })
    .where((row) => void row.whereNull('retry_at').orWhere('retry_at', '<=', nowMs))
    .update({ claimed_until: untilMs });
  return claimed > 0;
}

/**
 * Deletes the captures of links that have expired or whose key is revoked or expired, and the links themselves
 * ENDED_KEPT_MS after they expired or were ended.
 */
export async function removeEndedLinks(db: Database, nowMs: number): Promise<void> {
  const endedKeys = db('api_keys')
    .whereRaw(`NOT (${keyIsLive('api_keys')})`, [nowMs])
    .select('id');
  const endedLinks = () =>
    linkRows(db).where((row) => {
      void row.where('expires_at', '<=', nowMs).orWhereIn('key_id', endedKeys);
    });
  await chunkRows(db).whereIn('link_id', endedLinks().select('id')).delete();
  await endedLinks().whereNotNull('capture_id').update(NO_CAPTURE);
  await linkRows(db)
    .where('expires_at', '<=', nowMs - ENDED_KEPT_MS)
    .orWhere('ended_at', '<=', nowMs - ENDED_KEPT_MS)
    .delete();
}
