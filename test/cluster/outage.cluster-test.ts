import { errorBody } from '@signpost/contract';
import { recordFault } from '../faults/support/fault-table.js';
import { waitUntil } from '../fixtures/wait-until.js';
import {
  acknowledged,
  askingStatus,
  kindsInWords,
  lookingUp,
  p99Ms,
  startCalling,
} from './support/callers.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { readCounted } from './support/counted.js';
import { elsewhere, signUpAt } from './support/people.js';
import { createKey, lookUp, refresh, showTokens, tokenStatus } from './support/requests.js';

const LONGEST_MS = 15_000;
/** How long the database is down, under load. */
const AWAY_MS = 5_000;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.remove());

/** Checks that a text does not reveal the database's port, user or password, or an internal error. */
function expectNothingTold(text: string): void {
  const { port, password, username } = new URL(cluster.postgresql.url);
  for (const secret of [port, password, username, 'ECONN', 'Knex', '    at '])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
}

/** Takes the database away for some seconds while callers go on, and brings it back. */
async function watchOutage(signal: 'SIGINT' | 'SIGKILL') {
  const unlimited = ['--per-minute', 'unlimited', '--per-day', 'unlimited'] as const;
  const known = await createKey(cluster, ...unlimited);
  const unseen = await createKey(cluster, ...unlimited);
  const tokens = await showTokens(cluster);
  const visitor = await signUpAt(cluster.members[0]?.url ?? '', `${signal.toLowerCase()}@example.org`);
  const callings = cluster.members.map(({ url }) => ({
    keyed: startCalling(url, lookingUp(known.key, 4, 5)),
    status: startCalling(url, askingStatus(tokens.accessToken, 2, 20)),
  }));
  await waitUntil('all are answered', () =>
    callings.every(({ keyed, status }) =>
      [keyed, status].every(({ calls }) => acknowledged(calls).length > 50),
    ),
  );
  const pids = cluster.members.map(({ server }) => server.process.pid);

  await cluster.postgresql.halt(signal);
  const awayAtMs = Date.now();
  const answers = [];
  const states = [];
  for (const { url } of cluster.members) {
    const requests: Readonly<Record<string, () => Promise<Response>>> = {
      'a lookup': () => lookUp(url, known.key),
      'a lookup with a key that was not seen before': () => lookUp(url, unseen.key),
      'a token': () => tokenStatus(url, tokens.accessToken),
      'a refresh': () => refresh(url, tokens.refreshToken),
      'the public keys': () => fetch(`${url}/.well-known/jwks.json`),
      'a page': () => elsewhere(visitor, url).get('/overview'),
    };
    for (const [what, send] of Object.entries(requests)) {
      const sentAtMs = Date.now();
      const answer = await send();
      const text = await answer.text();
      const retryAfter = answer.headers.get('retry-after');
      answers.push({ what, status: answer.status, retryAfter, text, tookMs: Date.now() - sentAtMs });
    }
    const ready = await fetch(`${url}/readyz`);
    const body: unknown = await ready.json();
    states.push({ status: ready.status, body, health: (await fetch(`${url}/healthz`)).status });
  }
  await waitUntil('it was away for some time', () => Date.now() - awayAtMs > AWAY_MS);
  await cluster.postgresql.resume();
  const backAtMs = Date.now();
  await waitUntil('every server is ready', async () => {
    const responses = await Promise.all(cluster.members.map(({ url }) => fetch(`${url}/readyz`)));
    return responses.every(({ ok }) => ok);
  });
  const readyAtMs = Date.now();
  const since = callings.map(({ keyed, status }) => [keyed.calls.length, status.calls.length] as const);
  await waitUntil('all are answered again', () =>
    callings.every(
      ({ keyed, status }, index) =>
        acknowledged(keyed.calls.slice(since[index]?.[0])).length > 50 &&
        acknowledged(status.calls.slice(since[index]?.[1])).length > 50,
    ),
  );
  await Promise.all(callings.flatMap(({ keyed, status }) => [keyed.stop(), status.stop()]));

  const keyed = callings.flatMap((calling) => calling.keyed.calls);
  const calls = [...keyed, ...callings.flatMap((calling) => calling.status.calls)];
  const { total } = await readCounted(cluster.postgresql.url, known.prefix);
  const longestMs = Math.max(...calls.map(({ sentAtMs, endedAtMs }) => endedAtMs - sentAtMs));
  const figure =
    `${acknowledged(keyed).length} acknowledged ≤ ${total} counted of ${keyed.length} sent; others: ` +
    `${kindsInWords(calls.filter(({ outcome }) => outcome !== 200))}; longest ${longestMs} ms, ` +
    `p99 ${p99Ms(calls).toFixed(0)} ms; ready ${readyAtMs - backAtMs} ms after the database`;
  return {
    answers,
    states,
    calls,
    acknowledged: acknowledged(keyed).length,
    sent: keyed.length,
    total,
    longestMs,
    readyAtMs,
    pids,
    unseen,
    visitor,
    figure,
  };
}

describe.each([
  ['stopped', 'SIGINT'],
  ['killed with -9', 'SIGKILL'],
] as const)('while PostgreSQL is %s under load', (words, signal) => {
  let outage: Awaited<ReturnType<typeof watchOutage>>;

  beforeAll(async () => {
    outage = await watchOutage(signal);
    await recordFault({
      fault: `PostgreSQL ${words} under load, for ${AWAY_MS / 1_000} s`,
      expected: '503 meanwhile, no hang, and afterwards every acknowledged request is counted',
      figure: outage.figure,
    });
  });

  test('while PostgreSQL is down, responses are 503 with Retry-After, take less than 15 seconds and reveal no secret', () => {
    for (const { what, status, retryAfter, text, tookMs } of outage.answers) {
      expect([what, status]).toEqual([what, 503]);
      expect([what, Number(retryAfter) > 0]).toEqual([what, true]);
      expect(tookMs).toBeLessThan(LONGEST_MS);
      if (what !== 'a page') expect(errorBody.strict().parse(JSON.parse(text)).error).toMatch(/Try again/u);
      expectNothingTold(text);
    }
  });

  test('while PostgreSQL is down, every server is alive, but reports that it is not ready', () => {
    const notReady = {
      status: 503,
      body: {
        error: 'Not ready: database. The database: It does not answer.',
        checks: expect.objectContaining({ database: false, accepting: true }),
      },
      health: 200,
    };
    expect(outage.states).toEqual(cluster.members.map(() => notReady));
  });

  test('an outage of PostgreSQL causes no error but 503, and no response takes 15 seconds', () => {
    const refused = outage.calls.filter(({ outcome }) => outcome !== 200);
    expect(refused.filter(({ outcome }) => outcome !== 503)).toEqual([]);
    expect(refused.filter(({ endedAtMs }) => endedAtMs > outage.readyAtMs + LONGEST_MS)).toEqual([]);
    expect(outage.longestMs).toBeLessThan(LONGEST_MS);
  });

  test('an outage of PostgreSQL loses no acknowledged lookup, and counts no more lookups than were sent', () => {
    expect(outage.total).toBeGreaterThanOrEqual(outage.acknowledged);
    expect(outage.total).toBeLessThanOrEqual(outage.sent);
  });

  test('no server ends because of an outage of PostgreSQL', () => {
    expect(cluster.members.map(({ server }) => [server.process.pid, server.process.exitCode])).toEqual(
      outage.pids.map((pid) => [pid, null]),
    );
  });

  test('after an outage of PostgreSQL, sessions work on every server, and so does a key first used during it', async () => {
    for (const { url } of cluster.members) {
      expect((await lookUp(url, outage.unseen.key)).status).toBe(200);
      expect((await elsewhere(outage.visitor, url).get('/overview')).status).toBe(200);
    }
  });
});
