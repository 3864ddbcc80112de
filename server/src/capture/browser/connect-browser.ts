import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { meaningOf } from '../../platform/errors.js';
import { Browser } from './browser.js';
import { type BrowserEndpoint, EndpointProblem } from './browser-endpoint.js';
import { ProtocolConnection } from './protocol/connection.js';
import { connectWebSocket } from './protocol/web-socket-transport.js';

const CONNECT_TIMEOUT_MS = 10_000;

const versionAnswer = z.object({ webSocketDebuggerUrl: z.string() });

/** Finds an error code of the operating system in a message. */
const SYSTEM_CODE = /\bE[A-Z]+(?:_[A-Z]+)?\b/u;

function explainFailure(message: string): string {
  const meaning = meaningOf({ code: SYSTEM_CODE.exec(message)?.[0] });
  if (meaning !== undefined) return meaning;
  if (/timed out|AbortError|TimeoutError/u.test(message)) return 'it does not answer';
  if (/\b40[13]\b/u.test(message)) return 'it refuses the connection; look at the token in its address';
  return (
    'it does not answer as a DevTools address; give that of a Chromium with --remote-debugging-port, such as ' +
    'http://127.0.0.1:9222'
  );
}

/**
 * Returns the first line of the message of an error about a browser, with URLs replaced by the label, because they may
 * contain the browser's token.
 */
const withoutAddresses = (message: string, label: string) =>
  (message.split('\n', 1)[0] ?? '').replace(/\b(?:ws|http)s?:\/\/\S+/giu, label);

/** Fetches a text over HTTP. Throws if that fails or takes too long. */
async function fetchText(url: URL): Promise<string> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end();
  });
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`answered ${response.statusCode ?? 0}`);
  }
  return text(response);
}

/**
 * Returns an endpoint that is a WebSocket address unchanged. Asks any other endpoint over HTTP for the browser's
 * WebSocket address, and returns that with the endpoint's own host and port.
 */
async function socketUrlOf(endpoint: string): Promise<string> {
  const url = new URL(endpoint);
  if (url.protocol.startsWith('ws')) return endpoint;
  const versionUrl = new URL(endpoint);
  versionUrl.pathname = `${url.pathname.replace(/\/$/u, '')}/json/version`;
  const { webSocketDebuggerUrl } = versionAnswer.parse(JSON.parse(await fetchText(versionUrl)));
  const reportedUrl = new URL(webSocketDebuggerUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.pathname = reportedUrl.pathname;
  if (reportedUrl.search !== '') url.search = reportedUrl.search;
  return url.href;
}

/** Connects to a browser. Throws an EndpointProblem that says why it could not. */
export async function connectBrowser({ url, label }: BrowserEndpoint): Promise<Browser> {
  try {
    const transport = await connectWebSocket(await socketUrlOf(url), CONNECT_TIMEOUT_MS);
    const connection = new ProtocolConnection(transport);
    return await Browser.connect(connection, async () => {
      connection.close();
      await connection.closed;
    });
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new EndpointProblem(explainFailure(message), withoutAddresses(message, label));
  }
}

/**
 * Converts any error of trying a remote browser to the reason why the browser is not used. The reason contains no
 * token.
 */
export const toEndpointProblem = (error: unknown, { label }: BrowserEndpoint): EndpointProblem =>
  error instanceof EndpointProblem
    ? error
    : new EndpointProblem('it ended during the test', withoutAddresses(String(error), label));
