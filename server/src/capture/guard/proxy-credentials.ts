import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RandomBytes } from '../../random-bytes.js';

/** What a browser shows to the guard, where others than this machine's programs reach it. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

const PASSWORD_BYTES = 24;

/** The header that asks for them. */
export const PROXY_CHALLENGE = 'Basic realm="signpost"';

/** New ones, for one process. */
export const createProxyCredentials = (randomBytes: RandomBytes): ProxyCredentials => ({
  username: 'signpost',
  password: randomBytes(PASSWORD_BYTES).toString('base64url'),
});

/** Whether a request may pass: it shows the credentials, or none are asked for. */
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
