import { z } from 'zod';
import { editionOfName } from './edition-name.js';
import { type Fetch, fetchFollowing, reasonOf } from './fetch-following.js';
import { assertWithin, ImportError, MEBIBYTE } from './import-error.js';

const ANSWER_WITHIN_MS = 30_000;
const MEGABYTE = 1_000_000;
const MAX_ANSWER_BYTES = 8 * MEBIBYTE;
const MAX_RESULTS = 100;
const MAX_LICENCE_CHARACTERS = 300;
/**
 * The search is limited to the account of the Office for National Statistics, because anybody may publish under any
 * title.
 */
const QUERY = 'title:"ONS Postcode Directory" AND owner:ONSGeography_data';

/**
 * The title of an edition. Does not match its user guide, its table on the portal, or the "latest" directory without
 * a month.
 */
const TITLE = /^ONS Postcode Directory \([a-z]+ 20\d\d\)(?: for the (?:UK|United Kingdom))?(?: \(V\d+\))?$/iu;
const ARCHIVE_TYPE = 'CSV Collection';
const ARCHIVE_NAME = /^ONSPD_[\w.-]*\.zip$/iu;
const GUIDE = /guide/iu;
const UNNAMED = 'ONSPD.zip';

export const BY_HAND =
  'To do it by hand, download the zip of the newest ONS Postcode Directory from https://geoportal.statistics.gov.uk and run: ' +
  'npx signpost postcodes import FILE, or upload it on the page of the operator';
const LICENCES_PAGE = 'https://www.ons.gov.uk/methodology/geography/licences';

const portalItem = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/u),
  title: z.string(),
  type: z.string(),
  name: z.string().nullish(),
  /** When it was published, in milliseconds since 1970. */
  created: z.number(),
  /** The size in bytes. Results of a search may have -1 instead. */
  size: z.number().nullish(),
  /** The licence, as HTML. */
  licenseInfo: z.string().nullish(),
});
type PortalItem = z.output<typeof portalItem>;

const searchAnswer = z.object({ results: z.array(z.unknown()) });

/** An edition on the portal. */
export interface LatestEdition {
  readonly title: string;
  /** The edition, such as "2026-08". */
  readonly edition: string;
  /** The file name of its archive. */
  readonly name: string;
  readonly url: string;
  /** The size of the archive; undefined if the portal does not say. */
  readonly bytes: number | undefined;
  readonly licence: string;
  /** When it was published: ISO 8601 in UTC. */
  readonly publishedAt: string;
}

/** The title of an edition, and its size in MB if it is known. */
export const titleAndSize = ({ title, bytes }: LatestEdition): string =>
  bytes === undefined ? title : `${title}, ${Math.round(bytes / MEGABYTE).toLocaleString('en-GB')} MB`;

const portalError = (url: URL, why: string, cause?: unknown) =>
  new ImportError(`The portal at ${url.host} ${why}. ${BY_HAND}`, cause);

async function fetchText(url: URL, fetch: Fetch | undefined): Promise<string> {
  const headers = { accept: 'application/json' };
  const init = { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
  const response = await fetchFollowing(url.href, init, fetch);
  if (!response.ok) throw portalError(url, `answered ${response.status} ${response.statusText}`.trim());
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    assertWithin(bytes, MAX_ANSWER_BYTES, `The portal at ${url.host} answers`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

async function fetchJson<Answer>(
  url: URL,
  schema: z.ZodType<Answer>,
  fetch: Fetch | undefined,
): Promise<Answer> {
  let text: string;
  try {
    text = await fetchText(url, fetch);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw portalError(url, `could not be asked for the newest edition (${reasonOf(error)})`, error);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw portalError(url, 'answers otherwise than it is documented to', error);
  }
}

/** Returns the address with these parameters added, except those that it already has. */
function withParameters(address: URL, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url;
}

const isArchive = ({ title, type, name }: PortalItem) =>
  TITLE.test(title) &&
  type === ARCHIVE_TYPE &&
  (name === undefined || name === null || (ARCHIVE_NAME.test(name) && !GUIDE.test(name)));

const newestFirst = (one: PortalItem, other: PortalItem) =>
  (editionOfName(other.title) ?? '').localeCompare(editionOfName(one.title) ?? '') ||
  other.created - one.created;

/** The text of a piece of HTML, without tags and control characters, cut after MAX_LICENCE_CHARACTERS. */
const plainText = (html: string) =>
  html
    .replace(/<[^>]*>/gu, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LICENCE_CHARACTERS);

/**
 * Searches the portal for the newest edition of the ONSPD, and reads its size and licence. Throws an ImportError if the
 * portal cannot be reached, lists no edition, or does not respond as documented.
 */
export async function findLatestEdition(searchUrl: string, fetch?: Fetch): Promise<LatestEdition> {
  const search = withParameters(new URL(searchUrl), {
    q: QUERY,
    f: 'json',
    num: String(MAX_RESULTS),
    sortField: 'created',
    sortOrder: 'desc',
  });
  const { results } = await fetchJson(search, searchAnswer, fetch);
  const items = results.flatMap((result) => portalItem.safeParse(result).data ?? []);
  const [newest] = items.filter(isArchive).sort(newestFirst);
  const edition = newest === undefined ? undefined : editionOfName(newest.title);
  if (newest === undefined || edition === undefined) {
    throw portalError(search, 'lists no edition of the ONS Postcode Directory');
  }
  const address = new URL(`content/items/${newest.id}`, searchUrl);
  const item = await fetchJson(withParameters(address, { f: 'json' }), portalItem, fetch);
  if (item.id !== newest.id || item.title !== newest.title) {
    throw portalError(address, `calls ${JSON.stringify(newest.title)} something else when asked for it`);
  }
  const { size, licenseInfo } = item;
  const licence = plainText(licenseInfo ?? '');
  return {
    title: newest.title,
    edition,
    name: newest.name ?? UNNAMED,
    url: `${address.href}/data`,
    bytes: typeof size === 'number' && size > 0 ? size : undefined,
    licence: licence === '' ? LICENCES_PAGE : licence,
    publishedAt: new Date(newest.created).toISOString(),
  };
}
