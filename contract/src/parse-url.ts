/**
 * The address in a text; undefined where it is none. `URL.canParse` is not asked: after some thousand calls Node.js 20
 * refuses addresses with letters such as "ü".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
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
