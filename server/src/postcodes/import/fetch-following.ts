import { ImportError } from './import-error.js';

/** Fetches one address without following redirects. */
export type Fetch = (
  url: URL,
  init: {
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<Response>;

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether a redirect may be followed: to https always, to http only from http. */
const mayLeadTo = (from: URL, to: URL) =>
  to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');

/**
 * Fetches an address and follows redirects with the same headers. Throws an ImportError if a redirect leads from https
 * to http, or to another scheme, or if there are more than MAX_REDIRECTS.
 */
export async function fetchFollowing(
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
  fetchOne: Fetch = fetch,
): Promise<Response> {
  let current = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetchOne(current, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, current);
    // The message leaves out path and query of the redirect's target, because they may contain a signature.
    if (!mayLeadTo(current, next)) {
      throw new ImportError(
        `${url} leads to ${next.protocol}//${next.host}, which is not https: it is not followed.`,
      );
    }
    current = next;
  }
  throw new ImportError(`${url} leads on more than ${MAX_REDIRECTS} times: it is not followed.`);
}

/** Why a fetch failed: the message of the error's cause if it has one, otherwise the message of the error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
