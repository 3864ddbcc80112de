import { startCluster, type Cluster } from './support/cluster.js';
import { accountPathOf, createKeyAt, elsewhere, signInOperator, signUpAt } from './support/people.js';
import { createKey, lookUp, refresh, showTokens, tokenStatus } from './support/requests.js';

let cluster: Cluster;
let urls: readonly string[];
let operator: Awaited<ReturnType<typeof signInOperator>>;

beforeAll(async () => {
  cluster = await startCluster();
  urls = cluster.members.map(({ url }) => url);
  operator = await signInOperator(cluster, urls[0] ?? '');
});
afterAll(() => cluster.remove());

/** Sends a request to each server, one after the other. Returns their statuses. */
async function statusOnEach(send: (url: string) => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const url of urls) statuses.push((await send(url)).status);
  return statuses;
}

const ALL_RIGHT = [200, 200, 200];

/** Signs up an account with API access, and uses its key and its access token on every server. */
async function knownPerson(email: string) {
  const visitor = await signUpAt(urls[1] ?? '', email);
  const key = await createKeyAt(visitor, 'A project');
  const path = await accountPathOf(operator, email);
  await operator.submit(path, { state: 'on' }, `${path}/api-access`);
  const tokens = await showTokens(cluster, email);
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual(ALL_RIGHT);
  expect(await statusOnEach((url) => tokenStatus(url, tokens.accessToken))).toEqual(ALL_RIGHT);
  return { email, visitor, key, path, ...tokens };
}

test('every server rejects the next request with a key that was revoked on the command line', async () => {
  const { key, prefix } = await createKey(cluster, '--per-minute', 'unlimited');
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual(ALL_RIGHT);
  await cluster.json('key', 'revoke', prefix);
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual([401, 401, 401]);
});

test('every server rejects the next request with a key that was revoked in the console of one server', async () => {
  const { visitor, key } = await knownPerson('revoked@example.org');
  const overview = await (await visitor.get('/overview')).text();
  const path = /href="(\/keys\/\d+)"/u.exec(overview)?.[1] ?? '';
  expect((await visitor.submit(`${path}/revoke`, {})).status).toBe(303);
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual([401, 401, 401]);
});

test('every server rejects the keys, tokens and sessions of a disabled account', async () => {
  const { visitor, key, path, accessToken, refreshToken } = await knownPerson('disabled@example.org');
  const overviews = () => statusOnEach((url) => elsewhere(visitor, url).get('/overview'));
  expect(await overviews()).toEqual(ALL_RIGHT);
  expect((await operator.submit(`${path}/disable`, {})).status).toBe(303);
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual([401, 401, 401]);
  expect(await statusOnEach((url) => tokenStatus(url, accessToken))).toEqual([401, 401, 401]);
  expect(await statusOnEach((url) => refresh(url, refreshToken))).toEqual([401, 401, 401]);
  expect(await overviews()).toEqual([303, 303, 303]);
});

test('removing or restoring API access takes effect on every server from the next request on', async () => {
  const { path, accessToken, refreshToken } = await knownPerson('access@example.org');
  await operator.submit(path, { state: 'off' }, `${path}/api-access`);
  expect(await statusOnEach((url) => tokenStatus(url, accessToken))).toEqual([401, 401, 401]);
  expect(await statusOnEach((url) => refresh(url, refreshToken))).toEqual([401, 401, 401]);
  await operator.submit(path, { state: 'on' }, `${path}/api-access`);
  expect(await statusOnEach((url) => tokenStatus(url, accessToken))).toEqual(ALL_RIGHT);
  expect(await statusOnEach((url) => refresh(url, refreshToken))).toEqual(ALL_RIGHT);
});

test('after a refresh token is regenerated on one server, all servers reject the old one and accept the new one', async () => {
  const { visitor, email, refreshToken } = await knownPerson('regenerated@example.org');
  expect(await statusOnEach((url) => refresh(url, refreshToken))).toEqual(ALL_RIGHT);
  expect((await visitor.submit('/apikeys/regenerate', {})).status).toBe(303);
  expect(await statusOnEach((url) => refresh(url, refreshToken))).toEqual([401, 401, 401]);
  const renewed = await showTokens(cluster, email);
  expect(renewed.refreshToken).not.toBe(refreshToken);
  expect(await statusOnEach((url) => refresh(url, renewed.refreshToken))).toEqual(ALL_RIGHT);
});

test('changed limits take effect on every server from the next request on', async () => {
  const { key, prefix } = await createKey(cluster, '--per-minute', 'unlimited');
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual(ALL_RIGHT);
  await cluster.json('key', 'limit', prefix, '--per-minute', '0');
  expect(await statusOnEach((url) => lookUp(url, key))).toEqual([429, 429, 429]);
  const path = await accountPathOf(operator, cluster.operator.email);
  const page = await (await operator.get(path)).text();
  const keys = [...page.matchAll(/href="(\/operator\/accounts\/\w+\/keys\/\d+)\/requests"/gu)];
  const policies: (string | null)[] = [];
  // All keys of the operator get this limit, so it does not matter which one this is.
  for (const [, of] of keys)
    await operator.submit(path, { perMinute: '1000', perDay: 'unlimited' }, `${of}/limits`);
  for (const url of urls) policies.push((await lookUp(url, key)).headers.get('ratelimit-policy'));
  expect(policies).toEqual(Array(3).fill('"minute";q=1000;w=60'));
});
