/**
 * The address in a text; undefined if it is not an address. `URL.canParse` is not asked: after some thousand calls Node.js 20
 * refuses addresses with letters such as "ü".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * An http or https address that a person or program has sent; undefined if it is anything else. The one judge of it:
 * white space around it does not matter, and both slashes and a host are needed, which `parseUrl` would add by itself
 * ("http:host", "http:\\\\host", "http:///host"). Only its `href` may go on, so that nobody reads the text in another way.
 */
export function parseWebAddress(text: string): URL | undefined {
  const address = text.trim();
  return /^https?:\/\/[^\s/\\]/iu.test(address) ? parseUrl(address) : undefined;
}

/** Whether a text is a whole origin of pages, such as "https://signpost.example". */
export function isWebOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/u.test(url.protocol) && url.href === `${url.origin}/`;
}

/** Whether a text is a host as it stands in an address, with a port or without. */
export const isHost = (text: string): boolean =>
  parseUrl(`http://${text}`)?.pathname === '/' && /^[^/?#@]+$/u.test(text);

const MAX_FILE_NAME_CHARACTERS = 80;

/** The host of a page in characters that every file system takes; "page" where there is none. */
export function hostFileName(pageUrl: string): string {
  const name = (parseUrl(pageUrl)?.hostname ?? '')
    .replace(/[^\w.-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/gu, '')
    .slice(0, MAX_FILE_NAME_CHARACTERS);
  return name === '' ? 'page' : name;
}
