import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { parseUrl } from '@signpost/contract';
import { meaningOf, ServiceError } from '../../platform/errors.js';
import type { RandomBytes } from '../../platform/random.js';
import { withoutBrackets, type HostAndPort } from './host-and-port.js';

/** An address at which browsers reach the guard: a name or address of this machine. Port 0 stands for any free port. */
export type GuardAddress = HostAndPort;

const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * Parses "host" or "host:port", with IPv6 in brackets. The port is 0 if it is left out. Returns undefined for anything
 * else, and for addresses that stand for all addresses of the machine, such as 0.0.0.0.
 */
export function parseGuardAddress(text: string): GuardAddress | undefined {
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/iu.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  if (url === undefined) return undefined;
  const host = withoutBrackets(url.hostname);
  const port = /:(\d{1,5})$/u.exec(text.replace(/^\[.*\]/u, ''))?.[1] ?? '0';
  return EVERYWHERE.includes(host) ? undefined : { host, port: Number(port) };
}

const LISTEN_ADVICE =
  ' Set an address or name of this machine, with a free port of 1024 or above, or without a port for any free one.';

/** The address of the guard for browsers on this machine. */
export const LOOPBACK: GuardAddress = { host: '127.0.0.1', port: 0 };

/**
 * Makes the guard listen. If that fails for a known reason, throws a ServiceError, which names SIGNPOST_GUARD_ADDRESS
 * if that is where the address is from.
 */
export async function listenForBrowsers(server: Server, address: GuardAddress): Promise<AddressInfo> {
  const { host, port } = address;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const why = meaningOf(error);
    if (why === undefined) throw error;
    const isOurs = address === LOOPBACK;
    const location = isOurs ? host : `SIGNPOST_GUARD_ADDRESS (${host}, port ${port})`;
    const message = `The guard cannot listen at ${location}: ${why}.${isOurs ? '' : LISTEN_ADVICE}`;
    throw new ServiceError('internal', message, { cause: error });
  }
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('The guard has no port.');
  return listening;
}

const PASSWORD_BYTES = 24;

/** The value of the header Proxy-Authenticate, which asks for a user name and a password. */
export const PROXY_CHALLENGE = 'Basic realm="signpost"';

/** The address at which browsers of other machines reach the guard, and the password that they must send. */
export interface Exposure {
  readonly address: GuardAddress;
  readonly password: string;
}

/** Creates a random password. Each server process creates its own. */
export const createProxyPassword = (randomBytes: RandomBytes): string =>
  randomBytes(PASSWORD_BYTES).toString('base64url');

/** The user name and password that a request sends for the proxy; both empty if it sends none. */
export function credentialsOf({ headers }: IncomingMessage): {
  readonly username: string;
  readonly password: string;
} {
  const [, encoded = ''] = /^Basic ([\w+/=-]+)$/u.exec(headers['proxy-authorization'] ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return { username: text.slice(0, Math.max(colon, 0)), password: text.slice(colon + 1) };
}

/** Compares passwords in a time that does not depend on where they differ. */
export function isPassword(password: string, expected: string): boolean {
  const [one, other] = [Buffer.from(password), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
