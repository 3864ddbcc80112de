import { LIMITS, parseUrl } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { checkDisplayName } from '../platform/display-name.js';
import { ServiceError } from '../platform/errors.js';
import { lockInstallation } from '../storage/locks.js';
import type { ReturnUrlRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { newId } from './new-id.js';

const MAX_CHARACTERS = 2_048;
/** Printable ASCII without spaces, backslashes (about which parsers disagree), and the "#" before a fragment. */
const PLAIN = /^[!"$-[\]-~]+$/u;

/** Whether some parser would read the parameter as `token`, for example `token[]` or a name with spaces around it. */
function isToken(parameter: string): boolean {
  const [name = ''] = new URLSearchParams(parameter).keys();
  return /^\s*token\s*(?:[[.].*)?$/iu.test(name);
}

/**
 * Parses a plain absolute http or https address; returns undefined for any other text. An address is plain if it has at
 * most MAX_CHARACTERS characters, all of them in `PLAIN`, no "@" before its query, and if the parser would write the
 * part before its query in the same way. Parsers may read other addresses differently.
 */
export function parsePlainUrl(text: string): URL | undefined {
  if (text.length > MAX_CHARACTERS || !PLAIN.test(text)) return undefined;
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const [beforeQuery = ''] = text.split('?', 1);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && beforeQuery === url.origin + url.pathname && !beforeQuery.includes('@') ? url : undefined;
}

/** Whether some parser may take a parameter in the query of an address for `token`. */
export const hasTokenParameter = ({ search }: URL): boolean => search.slice(1).split(/[&;]/u).some(isToken);

/** Returns a copy of an address with a parameter appended to its query. */
function withParameter(url: URL, parameter: string): URL {
  const extended = new URL(url);
  extended.search = `${url.search === '' ? '?' : `${url.search}&`}${parameter}`;
  return extended;
}

export const withToken = (url: URL, token: string): URL =>
  withParameter(url, `token=${encodeURIComponent(token)}`);

/** The address that tells a site that the person did not agree to give it a token. */
export const withRejection = (url: URL): URL => withParameter(url, 'error=access_denied');

/** An address that /apilogin may send tokens to. */
export interface ReturnUrl {
  readonly url: string;
  /** The name of the site, as /apilogin shows it. */
  readonly name: string;
  readonly createdAtMs: number;
}

const fromRow = ({ url, name, created_at: createdAtMs }: ReturnUrlRow): ReturnUrl => ({
  url,
  name,
  createdAtMs,
});

function checkRegistrable(text: string): string {
  const url = parsePlainUrl(text);
  if (url !== undefined && !text.includes('?')) return url.href;
  throw new ServiceError(
    'invalidRequest',
    `${JSON.stringify(text)} cannot be a return URL: it must be a whole http or https address such as ` +
      '"https://app.example/signed-in", in lower case up to its path, without user name, default port, query, fragment or "..".',
  );
}

async function checkMaximum(db: Database): Promise<void> {
  const [counted] = await db<ReturnUrlRow>('return_urls').count({ total: '*' });
  if (Number(counted?.['total'] ?? 0) < LIMITS.returnUrls.max) return;
  throw new ServiceError(
    'invalidRequest',
    `There are ${LIMITS.returnUrls.max} return URLs, the most that a server keeps. Remove one that is no longer used.`,
  );
}

/**
 * Registers an address. Throws a ServiceError if it is not a plain address without a query, or is registered already,
 * if its name is not valid, or if there are too many addresses.
 */
export async function addReturnUrl(
  { db, clock, randomBytes, audit, actor }: DomainContext,
  newReturnUrl: { readonly url: string; readonly name: string },
): Promise<ReturnUrl> {
  const row: ReturnUrlRow = {
    id: newId(randomBytes, 'ret'),
    url: checkRegistrable(newReturnUrl.url),
    name: checkDisplayName('The name', newReturnUrl.name),
    created_at: clock(),
  };
  return inTransaction(db, async (transaction) => {
    // Makes other servers wait, so that each counts the addresses that the others have registered.
    await lockInstallation(transaction);
    const returnUrls = () => transaction<ReturnUrlRow>('return_urls');
    const known = await returnUrls().where({ url: row.url }).first('id');
    if (known === undefined) await checkMaximum(transaction);
    const inserted = await returnUrls().insert(row).onConflict('url').ignore().returning('id');
    if (inserted.length === 0)
      throw new ServiceError(
        'invalidRequest',
        `The return URL "${row.url}" is there already. To change its name, remove it first.`,
      );
    await audit.record(transaction, actor, { kind: 'return-url.added', detail: row.url });
    return fromRow(row);
  });
}

/** Removes a registered address. Returns whether it was registered. */
export async function removeReturnUrl({ db, audit, actor }: DomainContext, url: string): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const removed = await transaction<ReturnUrlRow>('return_urls').where({ url }).delete();
    if (removed > 0) await audit.record(transaction, actor, { kind: 'return-url.removed', detail: url });
    return removed > 0;
  });
}

/** All registered addresses, sorted by name. */
export async function listReturnUrls({ db }: Pick<DomainContext, 'db'>): Promise<ReturnUrl[]> {
  const rows: ReturnUrlRow[] = await db<ReturnUrlRow>('return_urls').orderBy(['name', 'url']);
  return rows.map(fromRow);
}

/** A registered address that was requested. `url` is the requested address, with its query. */
export interface MatchedReturnUrl {
  readonly id: string;
  readonly name: string;
  readonly url: URL;
}

/**
 * Finds the registered address with the same scheme, host, port and path as a requested one. `url` of the result is the
 * requested address, with its query. Returns undefined if there is none, if the requested address is not plain, or if
 * some parser may take a parameter in its query for `token`.
 */
export async function matchReturnUrl(
  { db }: Pick<DomainContext, 'db'>,
  text: string,
): Promise<MatchedReturnUrl | undefined> {
  const url = parsePlainUrl(text);
  if (url === undefined || hasTokenParameter(url)) return undefined;
  const row: ReturnUrlRow | undefined = await db<ReturnUrlRow>('return_urls')
    .where({ url: url.origin + url.pathname })
    .first();
  return row && { id: row.id, name: row.name, url };
}
