import { parseUrl } from '@signpost/contract';

/**
 * The address of a server without query and fragment. Throws TypeError, which does not repeat a wrong one: it may hold
 * a password, or be the key.
 */
export function parseBaseUrl(text: string): URL {
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new TypeError(
      'The base URL is not an http or https address such as "http://127.0.0.1:3000" (--base-url, SIGNPOST_BASE_URL).',
    );
  url.search = '';
  url.hash = '';
  return url;
}
