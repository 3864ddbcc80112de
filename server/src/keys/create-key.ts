import type { KeyObject } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { RandomBytes } from '../random-bytes.js';
import type { Database } from '../storage/storage.js';
import type { ApiKeyRow } from '../storage/rows.js';
import { generateApiKey, prefixOf } from './api-key.js';
import { hashApiKey } from './hash-api-key.js';
import { limitToColumn, type Limit } from '../limit.js';

interface NewKey {
  readonly projectId: string;
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

export interface KeyMaker {
  readonly keyPepper: KeyObject;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

export interface CreatedKey {
  /** The key itself, to be shown this once: only its hash is stored. */
  readonly key: string;
  readonly prefix: string;
}

/** Makes a key for a project; its limits are the server's defaults where none are given. */
export async function createKey(db: Database, maker: KeyMaker, wanted: NewKey): Promise<CreatedKey> {
  const key = generateApiKey(maker.randomBytes);
  const prefix = prefixOf(key);
  await db<ApiKeyRow>('api_keys').insert({
    project_id: wanted.projectId,
    hash: hashApiKey(maker.keyPepper, key),
    prefix,
    per_minute: limitToColumn(wanted.perMinute ?? 'default'),
    per_day: limitToColumn(wanted.perDay ?? 'default'),
    created_at: maker.clock(),
  });
  return { key, prefix };
}
