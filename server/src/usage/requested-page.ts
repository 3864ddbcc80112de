import { type Operation, operations, parseWebAddress } from '@signpost/contract';
import { z } from 'zod';

/** The ids of the operations whose request has a field `url`. */
const WITH_PAGE: ReadonlySet<string> = new Set(
  Object.entries<Operation>(operations).flatMap(([id, { request }]) =>
    request !== undefined && 'url' in request.shape ? [id] : [],
  ),
);

const sentPage = z.object({ url: z.string() });

const MAX_CHARACTERS = 500;

/**
 * The address of the page in a request, in the form that the log may store: shortened, without user and password, and
 * without query and fragment, which contain secrets more often than a path does. Undefined if the request is not for a
 * page on the web.
 */
export function requestedPage(operation: string, body: unknown): string | undefined {
  if (!WITH_PAGE.has(operation)) return undefined;
  const url = parseWebAddress(sentPage.safeParse(body).data?.url ?? '');
  if (url === undefined) return undefined;
  const address = url.origin + url.pathname;
  return address.length > MAX_CHARACTERS ? `${address.slice(0, MAX_CHARACTERS)}…` : address;
}
