import type { Operation } from '@signpost/contract';
import type { AxiosInstance } from 'axios';
import { connectionProblem } from './connection-problem.js';
import { SignpostApiError } from './signpost-api-error.js';

/** An HTTP response of any status. Header names are in lower case, the body is unparsed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The body parsed as JSON; undefined if it is not JSON. */
export function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The media type without its parameters, in lower case; empty if the response has none. */
export function mediaTypeOf({ headers }: HttpAnswer): string {
  return (headers['content-type'] ?? '').replace(/;.*$/su, '').trim().toLowerCase();
}

interface HttpSenderOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly http: AxiosInstance | undefined;
}

/**
 * axios is loaded with the first request, because stdio clients wait for the start, and an MCP server that runs the
 * operations in its own process sends no requests.
 */
const loadAxios = async () => (await import('axios')).default;
let shared: Promise<AxiosInstance> | undefined;
const sharedHttp = () => (shared ??= loadAxios().then((axios) => axios.create()));

type HttpSender = (
  operation: Operation,
  request: unknown,
  timeoutMs: number,
  signal: AbortSignal | undefined,
) => Promise<HttpAnswer>;

/**
 * Returns a function that sends requests with the API key to one server, and resolves to responses of any status. It
 * throws SignpostApiError if there was no response; if `signal` aborts the call, it throws the reason of the signal.
 * Axios errors contain the key in their configuration, so they are not passed on: the thrown error only names the
 * reason.
 */
export function createHttpSender({ baseUrl, apiKey, http }: HttpSenderOptions): HttpSender {
  const root = baseUrl.href.replace(/\/+$/u, '');
  const shownAddress = `${baseUrl.origin}${baseUrl.pathname}`.replace(/\/+$/u, '');

  return async (operation, request, timeoutMs, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const { status, headers, data } = await (http ?? (await sharedHttp())).request<unknown>({
        method: operation.method,
        url: `${root}${operation.path}`,
        ...(request === undefined ? {} : { data: request }),
        headers: { 'X-Api-Key': apiKey },
        responseType: 'arraybuffer',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        // Following a redirect could send the key to another host.
        maxRedirects: 0,
        validateStatus: () => true,
      });
      return { status, headers: textHeaders(headers), body: Buffer.isBuffer(data) ? data : Buffer.alloc(0) };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : connectionProblem(error);
      throw new SignpostApiError(
        `Cannot reach the Signpost server at ${shownAddress}: ${reason}. Check that it runs and that the base URL is right.`,
      );
    }
  };
}

function textHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
}
