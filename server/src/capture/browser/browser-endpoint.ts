import { parseUrl } from '@signpost/contract';
import { isLoopbackHost } from '../../platform/networks.js';

/**
 * The reason why a browser, usually a remote one, is not used. The message follows the browser's name and a
 * colon.
 */
export class EndpointProblem extends Error {
  constructor(
    message: string,
    /** Details for the log, such as the other side's message without its address. */
    readonly detail?: string,
  ) {
    super(message);
    this.name = 'EndpointProblem';
  }
}

/** A browser on another machine, or one that somebody else started. */
export interface BrowserEndpoint {
  /** The address to connect to. May contain a token: not for logs, metrics or responses. */
  readonly url: string;
  /** The name in logs and messages: host and port, with a number if an earlier endpoint has the same. */
  readonly label: string;
  readonly isLoopback: boolean;
}

/** A prefix that marks an address as one of Chromium's protocol, whatever its path. */
const CDP_PREFIX = 'cdp+';
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'ws:': '80',
  'https:': '443',
  'wss:': '443',
};

/**
 * Whether an address counts as one of Chromium's protocol by its scheme or path. Any other address needs CDP_PREFIX,
 * because it may belong to a Playwright server, for example.
 */
const isDevTools = ({ protocol, pathname }: URL) =>
  protocol.startsWith('http') || pathname.startsWith('/devtools/');

function parseEndpoint(text: string): BrowserEndpoint | undefined {
  const isSaid = text.startsWith(CDP_PREFIX);
  const address = isSaid ? text.slice(CDP_PREFIX.length) : text;
  const url = /^(?:ws|http)s?:\/\//iu.test(address) ? parseUrl(address) : undefined;
  if (url === undefined || url.hash !== '' || url.hostname === '') return undefined;
  if (!isSaid && !isDevTools(url)) return undefined;
  return {
    url: url.href,
    label: `${url.hostname}:${url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? '') : url.port}`,
    isLoopback: isLoopbackHost(url.hostname),
  };
}

/**
 * Parses each address to an endpoint; to undefined if it is invalid. Numbers an endpoint if an earlier one has the
 * same host and port.
 */
export function parseEndpoints(texts: readonly string[]): readonly (BrowserEndpoint | undefined)[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const endpoint = parseEndpoint(text);
    if (endpoint === undefined) return undefined;
    const count = (seen.get(endpoint.label) ?? 0) + 1;
    seen.set(endpoint.label, count);
    return count === 1 ? endpoint : { ...endpoint, label: `${endpoint.label}#${count}` };
  });
}
