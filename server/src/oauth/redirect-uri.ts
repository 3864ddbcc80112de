import { LIMITS, parseUrl } from '@signpost/contract';
import ipaddr from 'ipaddr.js';

/**
 * Printable ASCII without "#" and the characters that parsers disagree about: double quotes, angle brackets,
 * backslashes and others that a URL must encode.
 */
const PLAIN = /^[!$-;=?-[\]_a-z~]+$/u;
const USER_INFORMATION = /^[^/]*\/\/[^/?]*@/u;

/** Requires the slashes that browsers would otherwise add, so that every parser finds the same host after them. */
const HTTPS = /^https:\/\/[^/]/iu;

/** The beginning of a redirect to a program on the person's own machine, with or without a port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/u;

/**
 * URL schemes that open known assistants. Any other scheme, except http and https, must be a reversed domain like
 * com.example.app.
 */
const ASSISTANTS: ReadonlySet<string> = new Set([
  'antigravity:',
  'cherrystudio:',
  'claude:',
  'cursor:',
  'goose:',
  'jetbrains:',
  'kiro:',
  'lmstudio:',
  'positron:',
  'raycast:',
  'trae:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'warp:',
  'windsurf:',
  'zed:',
]);
const REVERSED_DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/u;

/** Names of ranges in ipaddr.js. Systems treat an unspecified address as the loopback address. */
const OWN_RANGES: ReadonlySet<string> = new Set(['loopback', 'unspecified']);

const isOpenedHere = (text: string) => LOOPBACK.test(text);

/** Whether a parsed host is the machine of the person who follows the address. */
function isOwnHost(hostname: string): boolean {
  const bare = hostname.replaceAll(/[[\]]/gu, '');
  return (
    /(?:^|\.)localhost\.?$/u.test(bare) ||
    (ipaddr.isValid(bare) && OWN_RANGES.has(ipaddr.process(bare).range()))
  );
}

/** Whether a redirect leads to a program on the person's own machine. Anybody may have started such a program. */
export const isOwnMachine = (uri: string): boolean =>
  !HTTPS.test(uri) || isOwnHost(parseUrl(uri)?.hostname ?? '');

/** Why an address cannot be a redirect; undefined if it can. */
export function redirectUriProblem(text: string): string | undefined {
  const url = parseUrl(text);
  const isWhole = text.length <= LIMITS.oauth.parameterCharacters && PLAIN.test(text);
  if (url === undefined || !isWhole || USER_INFORMATION.test(text))
    return 'A redirect URI must be a whole address of plain characters, without user name or fragment.';
  if (HTTPS.test(text) || isOpenedHere(text)) return undefined;
  if (url.protocol === 'https:') return 'A redirect URI with https must begin with https:// and its host.';
  if (url.protocol === 'http:')
    return 'A redirect URI with http must lead to 127.0.0.1, [::1] or localhost; use https for any other host.';
  if (ASSISTANTS.has(url.protocol) || REVERSED_DOMAIN.test(url.protocol)) return undefined;
  return 'A redirect URI must begin with https, with http where it leads to this machine, or with the scheme of a program, such as com.example.app.';
}

const withoutPort = (uri: string) => uri.replace(LOOPBACK, '$1');

/** Whether two redirects are the same. With http on the person's own machine, the port may differ. */
export const isSameRedirect = (registered: string, requested: string): boolean =>
  registered === requested ||
  (isOpenedHere(registered) && isOpenedHere(requested) && withoutPort(registered) === withoutPort(requested));

/** Appends parameters to an address, after its unchanged query. */
export const withParameters = (uri: string, parameters: Readonly<Record<string, string>>): string =>
  `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;
