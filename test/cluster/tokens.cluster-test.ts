import { z } from 'zod';
import { startCluster, type Cluster } from './support/cluster.js';
import { refreshed } from './support/people.js';
import { refresh, showTokens, tokenStatus } from './support/requests.js';

const AT_ONCE = 50;
const jwks = z.object({ keys: z.array(z.object({ kid: z.string() })) });

let cluster: Cluster;
let urls: readonly string[];

beforeAll(async () => {
  cluster = await startCluster();
  urls = cluster.members.map(({ url }) => url);
});
afterAll(() => cluster.remove());

const keysOf = async (url: string) =>
  jwks.parse(await (await fetch(`${url}/.well-known/jwks.json`)).json()).keys;
const kidsOnEach = async () =>
  Promise.all(urls.map(async (url) => (await keysOf(url)).map(({ kid }) => kid)));

const kidOf = (accessToken: string) => {
  const header: unknown = JSON.parse(Buffer.from(accessToken.split('.')[0] ?? '', 'base64url').toString());
  return z.object({ kid: z.string() }).parse(header).kid;
};

test('if several servers need the first signing key at once, one creates it and all publish it', async () => {
  const [first, ...others] = await kidsOnEach();
  expect(first).toHaveLength(1);
  expect(others).toEqual([first, first]);
});

test('an access token from one server is valid on every other', async () => {
  const { refreshToken } = await showTokens(cluster);
  for (const issuer of urls) {
    const { access_token: accessToken } = await refreshed(issuer, refreshToken);
    for (const url of urls) {
      const answer = await tokenStatus(url, accessToken);
      expect([issuer, url, answer.status]).toEqual([issuer, url, 200]);
    }
  }
});

test('all servers switch to a rotated key at once, and old tokens stay valid on all', async () => {
  const before = await showTokens(cluster);
  const old = await Promise.all(urls.map((url) => refreshed(url, before.refreshToken)));
  await cluster.json('secret', 'rotate');
  const renewed = await Promise.all(urls.map((url) => refreshed(url, before.refreshToken)));
  const kids = new Set(renewed.map((pair) => kidOf(pair.access_token)));
  expect(kids.size).toBe(1);
  expect(kids).not.toContain(kidOf(before.accessToken));
  for (const { access_token: accessToken } of [...old, ...renewed])
    for (const url of urls) expect((await tokenStatus(url, accessToken)).status).toBe(200);
  const [first, ...others] = await kidsOnEach();
  expect(first).toEqual([...kids, kidOf(before.accessToken)]);
  expect(others).toEqual([first, first]);
  expect((await showTokens(cluster)).refreshToken).toBe(before.refreshToken);
});

test('while signing keys are rotated, each server refreshes tokens that another server accepts', async () => {
  const { refreshToken } = await showTokens(cluster);
  let isOver = false;
  const statuses = new Set<number>();
  const refreshing = urls.map(async (url, index) => {
    while (!isOver) {
      const answer = await refresh(url, refreshToken);
      statuses.add(answer.status);
      const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(await answer.json());
      statuses.add((await tokenStatus(urls[(index + 1) % urls.length] ?? '', accessToken)).status);
    }
  });
  await Promise.all([cluster.json('secret', 'rotate'), cluster.json('secret', 'rotate')]);
  isOver = true;
  await Promise.all(refreshing);
  expect([...statuses]).toEqual([200]);
});

test('fifty simultaneous refreshes on all servers each return a different access token and the same refresh token', async () => {
  const { refreshToken } = await showTokens(cluster);
  const all = [...urls, cluster.balancer.url];
  const pairs = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => refreshed(all[index % all.length] ?? '', refreshToken)),
  );
  expect(new Set(pairs.map((pair) => pair.access_token)).size).toBe(AT_ONCE);
  expect(new Set(pairs.map((pair) => pair.refresh_token))).toEqual(new Set([refreshToken]));
  const statuses = await Promise.all(
    pairs.map(
      async (pair, index) => (await tokenStatus(urls[index % urls.length] ?? '', pair.access_token)).status,
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
