import { parseUrl } from '@signpost/contract';

/** Where browsers on other machines reach the guard. */
export interface GuardAddress {
  /** A name or address of this machine, IPv6 without brackets. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

const EVERYWHERE = ['0.0.0.0', '::'];

/** Reads "host" or "host:port", IPv6 in brackets; undefined for anything else, and for "every address". */
export function parseGuardAddress(text: string): GuardAddress | undefined {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/iu.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  if (url === undefined) return undefined;
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const port = /:(\d{1,5})$/u.exec(text.replace(/^\[.*\]/u, ''))?.[1] ?? '0';
  return EVERYWHERE.includes(host) ? undefined : { host, port: Number(port) };
}
