import { z } from 'zod';
import { ConsoleClient } from '../../fixtures/console-client.js';
import { PASSWORD } from '../../fixtures/console-steps.js';
import { tokenPair } from '@signpost/contract';
import type { Cluster } from './cluster.js';
import { refresh } from './requests.js';

/** A browser with the same cookies at another server. Cookies belong to a host, whatever its port. */
export function elsewhere(visitor: ConsoleClient, url: string): ConsoleClient {
  const other = new ConsoleClient(url);
  for (const [name, value] of visitor.cookies) other.cookies.set(name, value);
  return other;
}

/** Signs up a new account at a server. */
export async function signUpAt(url: string, email: string): Promise<ConsoleClient> {
  const visitor = new ConsoleClient(url);
  const answer = await visitor.submit('/signup', { email, name: 'Newcomer', password: PASSWORD });
  expect(answer.status).toBe(303);
  return visitor;
}

/** Signs in the operator at a server, with a password of their own. */
export async function signInOperator({ operator }: Cluster, url: string): Promise<ConsoleClient> {
  const visitor = new ConsoleClient(url);
  await visitor.signIn(operator.email, operator.password);
  const changed = await visitor.submit('/password', { current: operator.password, next: PASSWORD });
  expect(changed.headers.get('location')).toBe('/overview?done=password');
  return visitor;
}

/** The path of an account's page in the operators' area. */
export async function accountPathOf(operator: ConsoleClient, email: string): Promise<string> {
  const list = await (await operator.get(`/operator/accounts?search=${encodeURIComponent(email)}`)).text();
  return z.string().parse(/href="(\/operator\/accounts\/acc_\w+)"/u.exec(list)?.[1]);
}

/** Creates a project and a key in it with forms of the console. Returns the key. */
export async function createKeyAt(visitor: ConsoleClient, project: string): Promise<string> {
  await visitor.submit('/overview', { name: project }, '/projects');
  const overview = await (await visitor.get('/overview')).text();
  const path = z.string().parse(/href="(\/projects\/\w+\/keys)"/u.exec(overview)?.[1]);
  const page = await (await visitor.submit('/overview', {}, path)).text();
  return z.string().parse(/sp_live_\w{38}/u.exec(page)?.[0]);
}

/** Gets a new access token for a refresh token. */
export const refreshed = async (url: string, refreshToken: string) =>
  tokenPair.parse(await (await refresh(url, refreshToken)).json());
