import { parseUrl } from '@signpost/contract';
import { isLoopbackHost } from '../../platform/networks.js';

/** Why a browser, mostly one elsewhere, is not used; the message follows its name and a colon. */
export class EndpointProblem extends Error {
  constructor(
    message: string,
    /** For the log: what the other side said, without its address. */
    readonly detail?: string,
  ) {
    super(message);
    this.name = 'EndpointProblem';
  }
}

/** A browser on another machine, or one that somebody else started. */
export interface BrowserEndpoint {
  /** Where it is connected to. May hold a token: not for logs, metrics or answers. */
  readonly url: string;
  /** Host and port, with a number where several share them: its name wherever people read it. */
  readonly label: string;
  readonly isLoopback: boolean;
}

/** Says of any WebSocket that Chromium's protocol is spoken there. */
const CDP_PREFIX = 'cdp+';
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'ws:': '80',
  'https:': '443',
  'wss:': '443',
};

/** Any but the DevTools' own paths may be something else, such as a Playwright server. */
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

/** One endpoint per address, undefined for what is none; those that share host and port are numbered. */
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
