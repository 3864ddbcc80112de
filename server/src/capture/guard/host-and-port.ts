import { parseUrl } from '@signpost/contract';

/** The target of a connection. An IPv6 address has no brackets. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** A host without the brackets of an IPv6 address in a URL. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/gu, '');

/** The host and port of a URL. If it names no port, the port is 443 for https, and otherwise 80. */
export const hostAndPortOf = ({ hostname, port, protocol }: URL): HostAndPort => ({
  host: withoutBrackets(hostname),
  port: port === '' ? (DEFAULT_PORTS[protocol] ?? 80) : Number(port),
});

/** Parses "host:port", as CONNECT names its target; undefined if there is no valid host or no port at the end. */
export function parseAuthority(authority: string): HostAndPort | undefined {
  const port = /^[^/?#@\\]+:(\d{1,5})$/u.exec(authority)?.[1];
  const url = parseUrl(`http://${authority}`);
  return url === undefined || port === undefined
    ? undefined
    : { host: withoutBrackets(url.hostname), port: Number(port) };
}
