import { parseUrl } from '@signpost/contract';

const MAX_CHARACTERS = 2_048;
/** Printable ASCII without what parsers disagree about: backslashes, and the fragment that a browser keeps to itself. */
const PLAIN = /^[!"$-[\]-~]+$/u;

/** Whether a parameter would be taken for `token` by some parser: those know lists, blanks and semicolons too. */
function isToken(parameter: string): boolean {
  const [name = ''] = new URLSearchParams(parameter).keys();
  return /^\s*token\s*(?:[[.].*)?$/iu.test(name);
}

/**
 * Parses an absolute http or https address that every parser reads alike; undefined for any other: one with user
 * information, a fragment, white space, backslashes, or whatever a parser would first have to put right.
 */
export function parsePlainUrl(text: string): URL | undefined {
  if (text.length > MAX_CHARACTERS || !PLAIN.test(text)) return undefined;
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const [beforeQuery = ''] = text.split('?', 1);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && beforeQuery === url.origin + url.pathname && !beforeQuery.includes('@') ? url : undefined;
}

/** Whether the query of an address has a parameter `token`, in whatever way it may be read. */
export const hasTokenParameter = ({ search }: URL): boolean => search.slice(1).split(/[&;]/u).some(isToken);

/** The address with `token` after what its query has already, which stays byte by byte. */
export function withToken(url: URL, token: string): URL {
  const withIt = new URL(url);
  withIt.search = `${url.search === '' ? '?' : `${url.search}&`}token=${encodeURIComponent(token)}`;
  return withIt;
}
