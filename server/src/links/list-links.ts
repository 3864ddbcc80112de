import type { LinkedOperation } from '@signpost/contract';
import { z } from 'zod';
import type { Sort } from '../platform/sort.js';
import { keyWorks } from '../storage/key-life.js';
import type { CaptureLinkRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { linkedOperation, type LinkReadContext } from './link.js';

/** A link as its owner sees it. Its address is not known: only a hash of the token is stored. */
export interface ListedLink {
  readonly id: string;
  readonly operation: LinkedOperation;
  /** The address of the page that the link captures. */
  readonly page: string;
  readonly key: { readonly id: number; readonly prefix: string; readonly name: string | null };
  /** Whether the link works now: neither the link nor its key has ended, and the key is not disabled. */
  readonly works: boolean;
  readonly refreshSeconds: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When the stored capture of the link was made; null if there is none. */
  readonly capturedAtMs: number | null;
  readonly bytes: number | null;
}

interface LinkFilter {
  readonly accountId: string;
  /** Only the link with this id. */
  readonly id?: string | undefined;
}

/**
 * The SQL of the value by which each order sorts. In the order `captured`, a link without a stored capture counts as
 * the oldest.
 */
const SORTED_BY = {
  made: 'capture_links.created_at',
  captured: 'CASE WHEN capture_links.capture_id IS NULL THEN 0 ELSE capture_links.captured_at END',
  ends: 'capture_links.expires_at',
} as const;

/** The sort orders of a list of links. The first is the default. */
export const LINK_SORTS = [
  { by: 'made', isDescending: true },
  { by: 'captured', isDescending: true },
  { by: 'ends', isDescending: false },
] as const satisfies readonly Sort<keyof typeof SORTED_BY>[];

interface LinkPage extends LinkFilter {
  readonly sort?: Sort<keyof typeof SORTED_BY>;
  readonly offset: number;
  readonly limit: number;
}

type ListedRow = CaptureLinkRow & {
  readonly prefix: string;
  readonly key_name: string | null;
  readonly works: number;
};

const storedRequest = z.object({ url: z.string() });

function matchingLinks(db: Database, { accountId, id }: LinkFilter, nowMs: number) {
  const links = db('capture_links')
    .join('api_keys', 'api_keys.id', 'capture_links.key_id')
    .where({ 'capture_links.account_id': accountId, 'capture_links.ended_at': null })
    .where('capture_links.expires_at', '>', nowMs);
  if (id !== undefined) void links.where({ 'capture_links.id': id });
  return links;
}

/** One page of the links of an account that have neither expired nor been ended, by default newest first. */
export async function listLinks(
  { db, clock, linkSealer }: LinkReadContext,
  { sort = LINK_SORTS[0], offset, limit, ...filter }: LinkPage,
): Promise<{ readonly links: readonly ListedLink[]; readonly total: number }> {
  const nowMs = clock();
  const [counted] = await matchingLinks(db, filter, nowMs).count({ total: '*' });
  const rows = await matchingLinks(db, filter, nowMs)
    .orderByRaw(`${SORTED_BY[sort.by]} ${sort.isDescending ? 'DESC' : 'ASC'}, capture_links.id DESC`)
    .offset(offset)
    .limit(limit)
    .select<ListedRow[]>(
      'capture_links.*',
      'api_keys.prefix',
      'api_keys.name as key_name',
      db.raw(`CASE WHEN ${keyWorks('api_keys')} THEN 1 ELSE 0 END AS works`, [nowMs]),
    );
  const links = [];
  for (const row of rows) {
    const request = storedRequest.parse(JSON.parse((await linkSealer.unseal(db, row)).toString()));
    links.push({
      id: row.id,
      operation: linkedOperation.parse(row.operation),
      page: request.url,
      key: { id: row.key_id, prefix: row.prefix, name: row.key_name },
      works: row.works === 1,
      refreshSeconds: row.refresh_seconds,
      createdAtMs: row.created_at,
      expiresAtMs: row.expires_at,
      capturedAtMs: row.capture_id === null ? null : row.captured_at,
      bytes: row.bytes,
    });
  }
  return { links, total: Number(counted?.['total'] ?? 0) };
}
