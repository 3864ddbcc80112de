import type { Operation } from '@signpost/contract';
import axios, { type AxiosInstance } from 'axios';
import type { HttpAnswer } from './http-answer.js';
import { SignpostApiError } from './signpost-api-error.js';

interface HttpSenderOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly http: AxiosInstance;
}

export type HttpSender = (
  operation: Operation,
  request: unknown,
  signal: AbortSignal | undefined,
) => Promise<HttpAnswer>;

/**
 * Sends requests with the key to one server and answers whatever status comes back.
 * Throws the reason of `signal` when that ended the call, else SignpostApiError when no answer came. The errors
 * of axios hold the key in their configuration, so nothing of them but their words goes on.
 */
export function createHttpSender({ baseUrl, apiKey, timeoutMs, http }: HttpSenderOptions): HttpSender {
  const root = baseUrl.href.replace(/\/+$/u, '');
  const shownAddress = `${baseUrl.origin}${baseUrl.pathname}`.replace(/\/+$/u, '');

  return async (operation, request, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const { status, headers, data } = await http.request<unknown>({
        method: operation.method,
        url: `${root}${operation.path}`,
        ...(request === undefined ? {} : { data: request }),
        headers: { 'X-Api-Key': apiKey },
        responseType: 'arraybuffer',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        // A redirect would hand the key to whoever it names.
        maxRedirects: 0,
        validateStatus: () => true,
      });
      return { status, headers: textHeaders(headers), body: Buffer.isBuffer(data) ? data : Buffer.alloc(0) };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : wordsOf(error);
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

function wordsOf(error: unknown): string {
  if (!axios.isAxiosError(error)) return 'the request failed';
  return error.message === '' ? (error.code ?? 'the request failed') : error.message;
}
