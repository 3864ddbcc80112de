import { CAPTURE_LINKS_PATH, type LinkedOperation, LINKED_OPERATIONS, LIMITS } from '@signpost/contract';
import { z } from 'zod';
import type { DomainContext, ReadContext } from '../audit/domain-context.js';
import { DAY_MS, MINUTE_MS } from '../platform/time-units.js';
import type { CaptureLinkChunkRow, CaptureLinkRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { LinkSealer } from '../tokens/encryption-key.js';

/**
 * The dependencies of `createLink`; `listLinks` and `endLink` need only some of them. Pages of the console pass
 * `context.domain`.
 */
export interface LinkContext extends DomainContext {
  readonly linkSealer: LinkSealer;
}

export type LinkReadContext = ReadContext & Pick<LinkContext, 'linkSealer'>;

const TOKEN_BYTES = 16;
const TOKEN = /^[\w-]{22}$/u;

/** A new token: 128 random bits in base64url. */
export const newLinkToken = (randomBytes: DomainContext['randomBytes']): string =>
  randomBytes(TOKEN_BYTES).toString('base64url');

/** Whether a text has the form of a token. Needs no database. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text);

export const linkUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}${CAPTURE_LINKS_PATH}/${token}`;

export const linkRows = (db: Database) => db<CaptureLinkRow>('capture_links');
export const chunkRows = (db: Database) => db<CaptureLinkChunkRow>('capture_link_chunks');

/**
 * A capture that was deleted to make room for those of other links may be made again this long after it was made. This
 * is the shortest refresh interval, so links that displace each other's captures cause no more captures than others do.
 */
export const REMADE_AFTER_MS = MINUTE_MS;

export const ENDED_KEPT_MS = LIMITS.captureLinks.endedDays * DAY_MS;

/** The schema of the operation in a row. */
export const linkedOperation: z.ZodType<LinkedOperation> = z.enum(LINKED_OPERATIONS);
