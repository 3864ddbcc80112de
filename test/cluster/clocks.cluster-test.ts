import { LIMITS } from '@signpost/contract';
import { PASSWORD } from '../fixtures/console-steps.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { z } from 'zod';
import { recordFault } from '../faults/support/fault-table.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { databaseTimeMs, readCounted } from './support/counted.js';
import { elsewhere, refreshed, signUpAt } from './support/people.js';
import { createKey, lookUp, showTokens, tokenStatus } from './support/requests.js';

/** How many seconds the clock of each server is off. */
const WRONG_BY = [90, -90, 3_600];
const PER_MINUTE = 20;
const ASKED_OF_EACH = 25;
const LIFETIME_MS = LIMITS.accessTokenLifetimeMinutes * 60_000;
const SECOND_MS = 1_000;

const library = process.env.SIGNPOST_CLUSTER_FAKETIME ?? '';

let cluster: Cluster;
let urls: readonly string[];

beforeAll(async () => {
  if (library === '') throw new Error('npm run test:cluster says where the library is that shifts clocks.');
  cluster = await startCluster({
    servers: WRONG_BY.map((seconds) => ({
      LD_PRELOAD: library,
      FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })),
  });
  urls = cluster.members.map(({ url }) => url);
});
afterAll(() => cluster.remove());

const now = () => databaseTimeMs(cluster.postgresql.url);

test('each server of these tests has the wrong clock that it was given', async () => {
  for (const [index, url] of urls.entries()) {
    const told = Date.parse((await fetch(`${url}/healthz`)).headers.get('date') ?? '');
    expect(Math.abs(told - (await now()) - (WRONG_BY[index] ?? NaN) * SECOND_MS)).toBeLessThan(
      20 * SECOND_MS,
    );
  }
});

test('a limit per minute is exact on servers with wrong clocks, as it follows the database’s minutes', async () => {
  const { key, prefix } = await createKey(
    cluster,
    '--per-minute',
    String(PER_MINUTE),
    '--per-day',
    'unlimited',
  );
  const fromMs = await now();
  const asked = urls.flatMap((url) => Array.from({ length: ASKED_OF_EACH }, () => lookUp(url, key)));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  const toMs = await now();
  const granted = statuses.filter((status) => status === 200).length;
  const { ofMinute, total } = await readCounted(cluster.postgresql.url, prefix);
  await recordFault({
    fault: `clocks of three servers wrong by ${WRONG_BY.join(', ')} s`,
    expected: `${PER_MINUTE} a minute over all, in the minutes of the database`,
    figure: `${statuses.length} requests in ${toMs - fromMs} ms, ${granted} granted in ${ofMinute.size} minute`,
  });
  expect(total).toBe(granted);
  const minutes = [...ofMinute.keys()];
  for (const minute of minutes) {
    expect(minute).toBeGreaterThanOrEqual(Math.floor(fromMs / 60_000));
    expect(minute).toBeLessThanOrEqual(Math.floor(toMs / 60_000));
  }
  // All requests fall into one minute, unless the test ran across the end of one; then the limit of the next may be
  // used up too.
  if (Math.floor(fromMs / 60_000) === Math.floor(toMs / 60_000))
    expect([...ofMinute.values()]).toEqual([PER_MINUTE]);
  else for (const requests of ofMinute.values()) expect(requests).toBeLessThanOrEqual(PER_MINUTE);
  expect(granted).toBeGreaterThanOrEqual(PER_MINUTE);
});

test('on servers with wrong clocks, the expiry of tokens follows the database’s clock, and none is issued in the future', async () => {
  const { refreshToken } = await showTokens(cluster);
  const issuedAt = z.object({ iat: z.number(), exp: z.number() });
  for (const issuer of urls) {
    const fromMs = await now();
    const pair = await refreshed(issuer, refreshToken);
    const toMs = await now();
    const endMs = Date.parse(pair.valid_to);
    // The end is a whole second, and the issuer's estimate of the database's time may be a little behind.
    expect(endMs).toBeGreaterThan(fromMs - 2 * SECOND_MS + LIFETIME_MS);
    expect(endMs).toBeLessThanOrEqual(toMs + LIFETIME_MS);
    const payload: unknown = JSON.parse(
      Buffer.from(pair.access_token.split('.')[1] ?? '', 'base64url').toString(),
    );
    const { iat, exp } = issuedAt.parse(payload);
    expect([exp * SECOND_MS, (exp - iat) * SECOND_MS]).toEqual([endMs, LIFETIME_MS]);
    expect(iat * SECOND_MS).toBeLessThanOrEqual(toMs);
    for (const url of urls) expect((await tokenStatus(url, pair.access_token)).status).toBe(200);
  }
});

test('servers with wrong clocks share sessions, and count failed sign-ins in the same window', async () => {
  const email = 'clocks@example.org';
  const visitor = await signUpAt(urls[2] ?? '', email);
  for (const url of urls) expect((await elsewhere(visitor, url).get('/overview')).status).toBe(200);
  for (let tries = 0; tries < 10; tries += 1)
    await new ConsoleClient(urls[tries % urls.length] ?? '').signIn(email, 'a wrong password');
  const waits: number[] = [];
  for (const url of urls) {
    const refused = await new ConsoleClient(url).signIn(email, PASSWORD);
    expect(refused.status).toBe(429);
    waits.push(Number(refused.headers.get('retry-after')));
  }
  expect(Math.max(...waits) - Math.min(...waits)).toBeLessThan(60);
});
