/**
 * Parses an address; undefined if it is invalid. Does not use `URL.canParse`: after some thousand calls, Node.js 20
 * rejects addresses with letters such as "ü".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Parses an http or https address from outside; undefined if it is anything else. White space around the address is
 * ignored. The address must have two slashes and a host after them: `parseUrl` accepts "http:host", "http:\\host" and
 * "http:///host" too. Pass on only the `href` of the result, so that no other program reads the text differently.
 */
export function parseWebAddress(text: string): URL | undefined {
  const address = text.trim();
  return /^https?:\/\/[^\s/\\]/iu.test(address) ? parseUrl(address) : undefined;
}

/** Whether a text is an http or https origin such as "https://signpost.example", with or without a slash at its end. */
export function isWebOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/u.test(url.protocol) && url.href === `${url.origin}/`;
}

/** Whether a text is a host with or without a port. */
export const isHost = (text: string): boolean =>
  parseUrl(`http://${text}`)?.pathname === '/' && /^[^/?#@]+$/u.test(text);

const MAX_FILE_NAME_CHARACTERS = 80;

/** The host of a page in ASCII letters, digits, "_", "." and "-", cut to 80 characters; "page" if there is no host. */
export function hostFileName(pageUrl: string): string {
  const name = (parseUrl(pageUrl)?.hostname ?? '')
    .replace(/[^\w.-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/gu, '')
    .slice(0, MAX_FILE_NAME_CHARACTERS);
  return name === '' ? 'page' : name;
}
