import { LIMITS, LINKED_FILES_PATH } from '@signpost/contract';
import type { KnownKey } from '../keys/key-finder.js';
import type { Clock } from '../platform/clock.js';
import { hashToken } from '../platform/hash-token.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { MINUTE_MS } from '../platform/time-units.js';
import { keyIsLive, keyWorks } from '../storage/key-life.js';
import { lockAccount } from '../storage/locks.js';
import type { LinkedFileChunkRow, LinkedFileRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

const { minutes, max: MAX_FILES, maxBytes: MAX_BYTES } = LIMITS.linkedFiles;
const LIFETIME_MS = minutes * MINUTE_MS;
const CHUNK_BYTES = 1_048_576;
/** Enough characters for at least 128 random bits. */
const TOKEN_CHARACTERS = 22;
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_CHARACTERS}}$`, 'u');

interface LinkedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Buffer;
}

/** A kept file, whose content is read in chunks. */
export interface OpenedFile extends Omit<LinkedFile, 'body'> {
  readonly bytes: number;
  readonly chunks: AsyncIterable<Buffer>;
}

interface LinkedFilesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** The public URL of the server, without a slash at the end. */
  readonly publicUrl: () => string;
}

const files = (db: Database) => db<LinkedFileRow>('linked_files');
const chunksOf = (db: Database) => db<LinkedFileChunkRow>('linked_file_chunks');

/** Removes an account's oldest files until a new one of `bytes` fits. The transaction must have locked the account. */
async function removeSurplusFiles(transaction: Database, accountId: string, bytes: number): Promise<void> {
  const newestFirst: Pick<LinkedFileRow, 'hash' | 'bytes'>[] = await files(transaction)
    .where({ account_id: accountId })
    .orderBy([
      { column: 'expires_at', order: 'desc' },
      { column: 'hash', order: 'desc' },
    ])
    .select('hash', 'bytes');
  let total = bytes;
  const surplus = newestFirst.filter((file, index) => {
    total += file.bytes;
    return index >= MAX_FILES - 1 || total > MAX_BYTES;
  });
  const hashes = surplus.map(({ hash }) => hash);
  if (hashes.length > 0) await files(transaction).whereIn('hash', hashes).delete();
}

async function* readChunks(db: Database, hash: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const chunk = await chunksOf(db).where({ file_hash: hash, number }).first('body');
    if (chunk === undefined) return;
    yield chunk.body;
  }
}

/**
 * Returns functions that keep and open files. A file is kept for some minutes at most, under an unguessable address.
 * Anyone with the address can open it while the key that made it and that key's account work.
 */
export function createLinkedFiles({ db, clock, randomBytes, publicUrl }: LinkedFilesDeps) {
  return {
    /** Keeps a file and returns its address; undefined if the file is larger than the total allowed for an account. */
    async keep({ id, accountId }: KnownKey, { name, mediaType, body }: LinkedFile) {
      if (body.length > MAX_BYTES) return undefined;
      const token = randomCharacters(randomBytes, BASE62, TOKEN_CHARACTERS);
      const hash = hashToken(token);
      await db.transaction(async (transaction) => {
        await lockAccount(transaction, { id: accountId });
        await removeSurplusFiles(transaction, accountId, body.length);
        await files(transaction).insert({
          hash,
          name,
          account_id: accountId,
          key_id: id,
          media_type: mediaType,
          bytes: body.length,
          expires_at: clock() + LIFETIME_MS,
        });
      });
      // The chunks are written one by one, so that a large file does not delay other writes. Nobody has the address
      // before all are written.
      for (let number = 0; number * CHUNK_BYTES < body.length; number += 1) {
        const part = body.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES);
        await chunksOf(db).insert({ file_hash: hash, number, body: part });
      }
      return `${publicUrl()}${LINKED_FILES_PATH}/${token}`;
    },

    /**
     * The file whose address ends with `token`; undefined if there is none or it has expired, or if its key or account
     * does not work.
     */
    async open(token: string): Promise<OpenedFile | undefined> {
      if (!TOKEN.test(token)) return undefined;
      const hash = hashToken(token);
      const file = await db('linked_files')
        .join('api_keys', 'api_keys.id', 'linked_files.key_id')
        .join('accounts', 'accounts.id', 'linked_files.account_id')
        .where({ 'linked_files.hash': hash, 'accounts.disabled_at': null })
        .whereRaw(keyWorks('api_keys'), [clock()])
        .where('linked_files.expires_at', '>', clock())
        .first<Omit<OpenedFile, 'chunks'> | undefined>(
          'linked_files.name',
          'linked_files.media_type as mediaType',
          'linked_files.bytes',
        );
      return file && { ...file, chunks: readChunks(db, hash) };
    },
  };
}

export type LinkedFiles = ReturnType<typeof createLinkedFiles>;

/** Removes expired files, and those whose key is revoked or expired. */
export async function removeExpiredFiles(db: Database, nowMs: number): Promise<void> {
  const endedKeys = db('api_keys')
    .whereRaw(`NOT (${keyIsLive('api_keys')})`, [nowMs])
    .select('id');
  await files(db).where('expires_at', '<=', nowMs).orWhereIn('key_id', endedKeys).delete();
}
