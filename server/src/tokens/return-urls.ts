import { LIMITS, parseUrl } from '@signpost/contract';
import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { lockInstallation, type ReturnUrlRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { allowSite, isAllowed, listAllowedSites, withdrawSite } from './allowed-sites.js';
import { newId } from './new-id.js';

const MAX_CHARACTERS = 2_048;
/** Printable ASCII without characters that parsers disagree about: backslashes, and the "#" before a fragment. */
const PLAIN = /^[!"$-[\]-~]+$/u;

/** Whether some parser would read the parameter as `token`. Some know lists, spaces and semicolons. */
function isToken(parameter: string): boolean {
  const [name = ''] = new URLSearchParams(parameter).keys();
  return /^\s*token\s*(?:[[.].*)?$/iu.test(name);
}

/**
 * Parses an absolute http or https address that all parsers read in the same way; undefined for any other address,
 * such as one with user information, a fragment, white space or backslashes, or one that a parser would correct.
 */
export function parsePlainUrl(text: string): URL | undefined {
  if (text.length > MAX_CHARACTERS || !PLAIN.test(text)) return undefined;
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const [beforeQuery = ''] = text.split('?', 1);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && beforeQuery === url.origin + url.pathname && !beforeQuery.includes('@') ? url : undefined;
}

/** Whether any parser would find a parameter `token` in the query of an address. */
export const hasTokenParameter = ({ search }: URL): boolean => search.slice(1).split(/[&;]/u).some(isToken);

/** Appends a parameter to the query of an address, which stays unchanged. */
function withParameter(url: URL, parameter: string): URL {
  const extended = new URL(url);
  extended.search = `${url.search === '' ? '?' : `${url.search}&`}${parameter}`;
  return extended;
}

export const withToken = (url: URL, token: string): URL =>
  withParameter(url, `token=${encodeURIComponent(token)}`);

/** The address that tells a site that the person did not agree. */
export const withRefusal = (url: URL): URL => withParameter(url, 'error=access_denied');

/** An address that /apilogin may send a token to. */
export interface ReturnUrl {
  readonly url: string;
  /** The name of the site, as the page shows it. */
  readonly name: string;
  readonly createdAtMs: number;
}

interface ReturnUrlDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Returns a trimmed name. Throws if it is not a valid one. */
  readonly checkName: (subject: string, name: string) => string;
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

async function checkRoom(db: Database): Promise<void> {
  const [counted] = await db<ReturnUrlRow>('return_urls').count({ total: '*' });
  if (Number(counted?.['total'] ?? 0) < LIMITS.returnUrls.max) return;
  throw new ServiceError(
    'invalidRequest',
    `There are ${LIMITS.returnUrls.max} return URLs, the most that a server keeps. Remove one that is no longer used.`,
  );
}

/**
 * Registers an address, in a transaction. Throws a ServiceError if it cannot be matched exactly, is registered
 * already, or there are too many.
 */
export async function addReturnUrl(
  db: Database,
  { clock, randomBytes, checkName }: ReturnUrlDeps,
  wanted: { readonly url: string; readonly name: string },
): Promise<ReturnUrl> {
  const row: ReturnUrlRow = {
    id: newId(randomBytes, 'ret'),
    url: checkRegistrable(wanted.url),
    name: checkName('The name', wanted.name),
    created_at: clock(),
  };
  // Serializes servers, so that each counts after the other has registered its address.
  await lockInstallation(db);
  const known = await db<ReturnUrlRow>('return_urls').where({ url: row.url }).first('id');
  if (known === undefined) await checkRoom(db);
  const inserted = await db<ReturnUrlRow>('return_urls')
    .insert(row)
    .onConflict('url')
    .ignore()
    .returning('id');
  if (inserted.length > 0) return fromRow(row);
  throw new ServiceError(
    'invalidRequest',
    `The return URL "${row.url}" is there already. To change its name, remove it first.`,
  );
}

/** Removes a registered address. Returns whether it was registered. */
export async function removeReturnUrl(db: Database, url: string): Promise<boolean> {
  return (await db<ReturnUrlRow>('return_urls').where({ url }).delete()) > 0;
}

/** All registered addresses, by name. */
export async function listReturnUrls(db: Database): Promise<ReturnUrl[]> {
  const rows: ReturnUrlRow[] = await db<ReturnUrlRow>('return_urls').orderBy(['name', 'url']);
  return rows.map(fromRow);
}

/** A registered address, with the query of the request. */
export interface MatchedReturnUrl {
  readonly id: string;
  readonly name: string;
  readonly url: URL;
}

/**
 * Finds the registered address that matches a requested one, and keeps the request's query; undefined if none matches.
 * Scheme, host, port and path must be equal, and the query must not have a parameter `token`.
 */
export async function matchReturnUrl(db: Database, text: string): Promise<MatchedReturnUrl | undefined> {
  const url = parsePlainUrl(text);
  if (url === undefined || hasTokenParameter(url)) return undefined;
  const row: ReturnUrlRow | undefined = await db<ReturnUrlRow>('return_urls')
    .where({ url: url.origin + url.pathname })
    .first();
  return row && { id: row.id, name: row.name, url };
}

interface ReturnUrlServiceDeps extends ReturnUrlDeps {
  readonly db: Database;
  readonly audit: Audit;
}

/**
 * The registered addresses, for code that must not access the database. Changes are audited in the same transaction.
 */
export const createReturnUrlService = ({ db, audit, ...deps }: ReturnUrlServiceDeps) => ({
  list: () => listReturnUrls(db),
  add: (actor: Actor, wanted: { readonly url: string; readonly name: string }) =>
    audit.perform(
      db,
      actor,
      (transaction) => addReturnUrl(transaction, deps, wanted),
      ({ url }) => ({ kind: 'return-url.added', detail: url }),
    ),
  remove: (actor: Actor, url: string) =>
    audit.perform(
      db,
      actor,
      (transaction) => removeReturnUrl(transaction, url),
      (isRemoved) => (isRemoved ? { kind: 'return-url.removed', detail: url } : undefined),
    ),
  match: (text: string) => matchReturnUrl(db, text),
  isAllowed: (accountId: string, site: MatchedReturnUrl) => isAllowed(db, accountId, site),
  allow: (actor: Actor, accountId: string, site: MatchedReturnUrl) =>
    allowSite({ db, audit, actor, clock: deps.clock }, accountId, site),
  listAllowed: (accountId: string) => listAllowedSites(db, accountId),
  withdraw: (actor: Actor, accountId: string, siteId: string) =>
    withdrawSite({ db, audit, actor, clock: deps.clock }, accountId, siteId),
});

export type ReturnUrlService = ReturnType<typeof createReturnUrlService>;
