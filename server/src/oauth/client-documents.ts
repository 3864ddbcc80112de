import { LIMITS, parseUrl } from '@signpost/contract';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { MINUTE_MS } from '../platform/time-units.js';
import type { Throttle } from '../throttle/throttle.js';
import { type OAuthClient, readClientMetadata } from './client.js';
import { OAuthError } from './oauth-error.js';

/** The response from an address, with any status. */
export interface FetchedDocument {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/**
 * Fetches a public address without following redirects. Rejects if the address is not allowed, or the document is too
 * large or too slow.
 */
export type FetchDocument = (
  url: URL,
  limits: { readonly maxBytes: number; readonly timeoutMs: number },
) => Promise<FetchedDocument>;

export interface ClientDocumentsDeps {
  readonly fetchDocument: FetchDocument;
  readonly throttle: Throttle;
  readonly monotonicMs: () => number;
}

const TIMEOUT_MS = 5_000;
const CACHE_MS = 5 * MINUTE_MS;
const MAX_CACHED = 500;
const FETCHES_A_MINUTE = 20;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/iu;

const invalidClient = (why: string) =>
  new OAuthError('invalid_client', `The assistant cannot be known by its client_id: ${why}`);

/** The address of a client's metadata document; undefined if the client_id is not such an address. */
export function documentUrl(clientId: string): URL | undefined {
  const url = parseUrl(clientId);
  const isPlain = url?.href === clientId && url.username === '' && url.hash === '' && !clientId.includes('@');
  return isPlain && url.protocol === 'https:' && url.pathname !== '/' ? url : undefined;
}

const ownName = z.looseObject({
  client_id: z.string(),
  client_secret: z.undefined().optional(),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidClient('its document is not JSON.');
  }
}

/**
 * Reads a document, which must name the address that it was fetched from as its client_id, and must be for a client
 * without a secret.
 */
function readDocument(clientId: string, host: string, fetched: FetchedDocument): OAuthClient {
  const { status, contentType, text } = fetched;
  if (status !== 200) throw invalidClient(`its document is answered with ${status} instead of 200.`);
  if (!JSON_TYPE.test(contentType)) throw invalidClient('its document is not marked as application/json.');
  const document = parseJson(text);
  const own = ownName.safeParse(document);
  if (own.data?.client_id !== clientId)
    throw invalidClient('its document names another client_id, or a secret.');
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods_supported: methods = [] } =
    own.data;
  if (method !== 'none' && !methods.includes('none'))
    throw invalidClient(`it shows who it is by ${method}, and this server knows none but "none".`);
  return { ...readClientMetadata(document), id: clientId, host };
}

/** Creates the reader of clients whose client_id is the address of their metadata document. */
export function createClientDocuments({ fetchDocument, throttle, monotonicMs }: ClientDocumentsDeps) {
  const cache = new LRUCache<string, OAuthClient>({
    max: MAX_CACHED,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now: monotonicMs },
  });

  return {
    /**
     * Reads the metadata of a client that an account is asked to connect. Throws an OAuthError if they are not valid or
     * cannot be fetched, and a ServiceError `rateLimited` if too many were fetched for the account.
     */
    async read(clientId: string, url: URL, accountId: string): Promise<OAuthClient> {
      const cached = cache.get(clientId);
      if (cached !== undefined) return cached;
      const subject = `client document ${accountId}`;
      await throttle.take([{ subject, maxTries: FETCHES_A_MINUTE, windowMs: MINUTE_MS }]);
      const limits = { maxBytes: LIMITS.oauth.bodyBytes, timeoutMs: TIMEOUT_MS };
      const fetched = await fetchDocument(url, limits).catch(() => {
        throw invalidClient(
          'its document cannot be fetched. It must be at a public https address, small, and answer within seconds.',
        );
      });
      const client = readDocument(clientId, url.host, fetched);
      cache.set(clientId, client);
      return client;
    },
  };
}
