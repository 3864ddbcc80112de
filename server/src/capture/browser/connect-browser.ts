import { type Browser, chromium } from 'playwright';
import { type BrowserEndpoint, EndpointProblem } from './browser-endpoint.js';
import { browserFlags } from './launch-browser.js';

const CONNECT_TIMEOUT_MS = 10_000;

const KIND_NAMES = { cdp: 'DevTools address', playwright: 'Playwright server' } as const;

interface ConnectOptions {
  /** The guard, as the browser reaches it. */
  readonly proxyServer: string;
  readonly withoutSandbox: boolean;
}

function explainFailure(message: string, { kind }: BrowserEndpoint): string {
  const versions = /server version: v(\S+)[\s\S]*client version: v(\S+)/u.exec(message);
  if (versions !== null) {
    return `its Playwright is ${versions[1]} and this server's is ${versions[2]}; start it with npx playwright@${versions[2]}`;
  }
  if (/ECONNREFUSED/u.test(message)) return 'nothing listens there';
  if (/ENOTFOUND|EAI_AGAIN/u.test(message)) return 'its name is not found';
  if (/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|Timeout \d+ms exceeded/u.test(message)) return 'it does not answer';
  if (/Chromium sandboxing failed/u.test(message)) {
    return 'the sandbox of its browser cannot start; allow unprivileged user namespaces there, or set SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes';
  }
  if (/Executable doesn't exist/u.test(message)) {
    return 'it has no browser; run npx playwright install chromium-headless-shell there';
  }
  if (/\b40[13]\b/u.test(message)) return 'it refuses the connection; look at the token in its address';
  const other = kind === 'cdp' ? 'playwright+ws://' : 'cdp+ws:// or http://';
  return `it does not answer as a ${KIND_NAMES[kind]}; look at its path, or, where it is of the other kind, begin its address with ${other}`;
}

/** A browser's own words may repeat its whole address, and so its token. */
const withoutAddresses = (message: string, label: string) =>
  (message.split('\n', 1)[0] ?? '').replace(/\b(?:ws|http)s?:\/\/\S+/giu, label);

/** Connects to a browser; throws an EndpointProblem that says why it could not. */
export async function connectBrowser(
  endpoint: BrowserEndpoint,
  { proxyServer, withoutSandbox }: ConnectOptions,
): Promise<Browser> {
  try {
    if (endpoint.kind === 'cdp') {
      return await chromium.connectOverCDP(endpoint.url, { timeout: CONNECT_TIMEOUT_MS });
    }
    // A server that starts a browser for each connection takes these, where it was started with --unsafe.
    const launchOptions = {
      headless: true,
      args: browserFlags(proxyServer),
      chromiumSandbox: !withoutSandbox,
    };
    return await chromium.connect(endpoint.url, {
      timeout: CONNECT_TIMEOUT_MS,
      headers: { 'x-playwright-launch-options': JSON.stringify(launchOptions) },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new EndpointProblem(explainFailure(message, endpoint), withoutAddresses(message, endpoint.label));
  }
}

/** Why a browser elsewhere is not used, from whatever went wrong while it was tried; no token is in it. */
export const toEndpointProblem = (error: unknown, { label }: BrowserEndpoint): EndpointProblem =>
  error instanceof EndpointProblem
    ? error
    : new EndpointProblem('it ended while it was tried', withoutAddresses(String(error), label));
