import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { parseUrl } from '@signpost/contract';
import { errorCode, ServiceError } from '../../platform/errors.js';
import type { RandomBytes } from '../../platform/random.js';
import { withoutBrackets, type HostAndPort } from './host-and-port.js';

/**
 * Where browsers on other machines reach the guard: a name or address of this machine. Port 0 means any free
 * port.
 */
export type GuardAddress = HostAndPort;

const EVERYWHERE = ['0.0.0.0', '::'];

/** Parses "host" or "host:port", IPv6 in brackets; undefined for anything else, and for "every address". */
export function parseGuardAddress(text: string): GuardAddress | undefined {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/iu.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  if (url === undefined) return undefined;
  const host = withoutBrackets(url.hostname);
  const port = /:(\d{1,5})$/u.exec(text.replace(/^\[.*\]/u, ''))?.[1] ?? '0';
  return EVERYWHERE.includes(host) ? undefined : { host, port: Number(port) };
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that port. Set another, or leave the port out for any free one.',
  EACCES: 'this user may not. Set a port of 1024 or above.',
  EADDRNOTAVAIL: 'this machine does not have that address. Set one that it has.',
  ENOTFOUND: 'the name is not found. Set a name or an address of this machine.',
};

/** Makes the guard listen. Throws a ServiceError that names the variable if it cannot. */
export async function listenForBrowsers(server: Server, { host, port }: GuardAddress): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const why = LISTEN_PROBLEMS[errorCode(error)];
    if (why === undefined) throw error;
    const where = `SIGNPOST_GUARD_ADDRESS (${host}, port ${port})`;
    throw new ServiceError('internal', `The guard cannot listen at ${where}: ${why}`, { cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The guard has no port.');
  return address;
}

/** The credentials that a browser sends to the guard if other machines can reach it. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

const PASSWORD_BYTES = 24;

/** The header that requests the credentials. */
export const PROXY_CHALLENGE = 'Basic realm="signpost"';

/** The address at which browsers of other machines reach the guard, and the credentials they need there. */
export interface Exposure {
  readonly address: GuardAddress;
  readonly credentials: ProxyCredentials;
}

/** New credentials for one process. */
export const createProxyCredentials = (randomBytes: RandomBytes): ProxyCredentials => ({
  username: 'signpost',
  password: randomBytes(PASSWORD_BYTES).toString('base64url'),
});

/** Whether a request may pass: it has the credentials, or none are required. */
export function isAuthorised(
  { headers }: IncomingMessage,
  credentials: ProxyCredentials | undefined,
): boolean {
  if (credentials === undefined) return true;
  const { username, password } = credentials;
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const sent = Buffer.from(headers['proxy-authorization'] ?? '');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
