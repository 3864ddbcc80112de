import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectWithTls } from 'node:tls';
import { withinTime } from '../../platform/within-time.js';
import { connectUpstream } from './connect-upstream.js';
import { hostAndPortOf } from './host-and-port.js';
import type { HostResolver } from './host-resolver.js';
import { Rejection } from './rejections.js';

interface FetchLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

type Headers = Readonly<Record<string, string>>;

type OpenResolver = () => HostResolver;

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Rejection('badAnswer');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Connects to the host of a URL under the same rules as pages, with TLS for https. Aborting the signal ends the lookup.
 */
async function connectTo(openResolver: OpenResolver, url: URL, signal: AbortSignal): Promise<Socket> {
  const resolver = openResolver();
  const { ca } = resolver.outbound;
  const target = hostAndPortOf(url);
  const end = () => resolver.end();
  signal.addEventListener('abort', end, { once: true });
  try {
    const socket = await connectUpstream(resolver, target);
    if (signal.aborted) socket.destroy();
    signal.throwIfAborted();
    if (url.protocol !== 'https:') return socket;
    return connectWithTls({
      socket,
      ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
      ...(ca === undefined ? {} : { ca: [...ca] }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

async function open(
  openResolver: OpenResolver,
  url: URL,
  headers: Headers,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  // Never reuses a connection of an earlier fetch, because the address was checked just now for this one.
  const socket = await connectTo(openResolver, url, signal);
  const request = url.protocol === 'https:' ? requestOverHttps : requestOverHttp;
  return new Promise((respond, reject) => {
    const path = url.pathname + url.search;
    request({
      ...hostAndPortOf(url),
      path,
      headers: { ...headers, 'user-agent': 'Signpost', connection: 'close' },
      createConnection: () => socket,
      signal,
    })
      .once('response', respond)
      .once('error', reject)
      .end();
  });
}

/**
 * Returns a function that fetches small texts under the same rules as pages. It does not follow redirects, and throws
 * a Rejection if a limit is exceeded.
 */
export const createGuardedFetch =
  (openResolver: OpenResolver) =>
  async (url: URL, { maxBytes, timeoutMs }: FetchLimits) => {
    const ending = new AbortController();
    const fetchText = async () => {
      const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
      const response = await open(openResolver, url, headers, ending.signal);
      const text = await readText(response, maxBytes);
      return { status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '', text };
    };
    return withinTime(fetchText(), timeoutMs, () => new Rejection('connectionTimeout')).finally(() =>
      ending.abort(),
    );
  };

/** The statuses whose responses have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Throws a network error in the form that fetch uses: as the cause of an error that has no code. Throws a Rejection,
 * or the reason of an aborted signal, unchanged.
 */
function failAsFetch(error: unknown, signal: AbortSignal): never {
  if (error instanceof Rejection) throw error;
  signal.throwIfAborted();
  throw new TypeError('fetch failed', { cause: error });
}

/** The body of a response as a stream. */
function bodyOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<unknown, unknown> = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next().catch((error: unknown) => failAsFetch(error, signal));
      if (done === true) controller.close();
      else if (Buffer.isBuffer(value)) controller.enqueue(new Uint8Array(value));
    },
    cancel: () => {
      answer.destroy();
    },
  });
}

/**
 * Returns a function that fetches large files under the same rules as pages, and streams the body. Aborting the signal
 * also ends the body. The function does not follow redirects, and fails in the same form as fetch, except that a
 * Rejection is thrown unchanged.
 */
export const createGuardedDownload =
  (openResolver: OpenResolver) =>
  async (
    url: URL,
    { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal },
  ): Promise<Response> => {
    const answer = await open(openResolver, url, headers, signal).catch((error: unknown) =>
      failAsFetch(error, signal),
    );
    const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    const init = { status, statusText, headers: Object.fromEntries(fields) };
    if (!BODILESS.has(status)) return new Response(bodyOf(answer, signal), init);
    answer.resume();
    return new Response(null, init);
  };
