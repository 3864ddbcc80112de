import { usageStatistics } from '@signpost/contract';
import { recordFault } from '../faults/support/fault-table.js';
import { rounds } from '../fixtures/length.js';
import {
  acknowledged,
  askingStatus,
  kindsInWords,
  lookingUp,
  p99Ms,
  startCalling,
  type Call,
} from './support/callers.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { readCounted } from './support/counted.js';
import { keepKilling } from './support/kills.js';
import { createKey, showTokens } from './support/requests.js';

/** More than a minute, because using up a daily limit takes two calendar minutes. */
const FOR_MS = rounds(70_000, 120_000);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Tolerance between the time when the server counts a request and the times its caller sees. Clocks differ by less. */
const BORDER_MS = 500;

interface Limited {
  readonly name: string;
  readonly perMinute: number | undefined;
  readonly perDay: number | undefined;
}

// Each key sends about 40 requests per second, so that every limit is used up in each complete window. The key with two
// limits uses up the one of its first minute before the one of its day, at whatever second it starts.
const KEYS: readonly Limited[] = [
  { name: 'no limit', perMinute: undefined, perDay: undefined },
  { name: 'no limit', perMinute: undefined, perDay: undefined },
  { name: '1 a minute', perMinute: 1, perDay: undefined },
  { name: '40 a minute', perMinute: 40, perDay: undefined },
  { name: '300 a day', perMinute: undefined, perDay: 300 },
  { name: '30 a minute and 59 a day', perMinute: 30, perDay: 59 },
];

const limitWords = (limit: number | undefined) => (limit === undefined ? 'unlimited' : String(limit));
/**
 * Returns the numbers of the windows in which a caller was told that the limit is used up. Leaves out calls so close to
 * the border of two windows that they may belong to either.
 */
const usedUp = (calls: readonly Call[], words: RegExp, windowMs: number) => {
  const windows = calls
    .filter((call) => call.outcome === 429 && words.test(call.words))
    .filter(({ sentAtMs, endedAtMs }) => {
      const [first, last] = [sentAtMs - BORDER_MS, endedAtMs + BORDER_MS];
      return Math.floor(first / windowMs) === Math.floor(last / windowMs);
    })
    .map(({ sentAtMs }) => Math.floor(sentAtMs / windowMs));
  return [...new Set(windows)];
};

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.remove());

test('while servers are killed under load, limits stay exact and no acknowledged request is lost', async () => {
  const keys = await Promise.all(
    KEYS.map(async (key) => ({
      ...key,
      ...(await createKey(
        cluster,
        ...['--per-minute', limitWords(key.perMinute), '--per-day', limitWords(key.perDay)],
      )),
    })),
  );
  const { accessToken } = await showTokens(cluster);
  const { url } = cluster.balancer;
  const ledgers = keys.map((key) => ({
    key,
    calling: startCalling(
      url,
      lookingUp(key.key, key.name === 'no limit' ? 4 : 2, key.name === 'no limit' ? 15 : 50),
    ),
  }));
  const status = startCalling(url, askingStatus(accessToken, 2, 30));
  const all = [...ledgers.map(({ calling }) => calling), status];
  const connections = all.reduce((sum, calling) => sum + calling.connections, 0);
  const logBefore = cluster.balancer.log().length;
  const kills = await keepKilling(cluster, FOR_MS);
  await Promise.all(all.map((calling) => calling.stop()));

  const wrong: unknown[] = [];
  let counted = 0;
  for (const { key, calling } of ledgers) {
    const { calls } = calling;
    const is = await readCounted(cluster.postgresql.url, key.prefix);
    counted += is.total;
    const known = acknowledged(calls).length;
    const lost = calls.filter(({ outcome }) => outcome !== 200 && outcome !== 429).length;
    if (is.total < known || is.total > known + lost)
      wrong.push({ key: key.name, known, lost, counted: is.total });
    const sumOf = (windows: ReadonlyMap<number, number>) =>
      [...windows.values()].reduce((sum, one) => sum + one, 0);
    if (sumOf(is.ofMinute) !== is.total)
      wrong.push({ key: key.name, minutes: [...is.ofMinute], total: is.total });
    for (const [windows, limit, words, windowMs] of [
      [is.ofMinute, key.perMinute, /requests? per minute/u, MINUTE_MS],
      [is.ofDay, key.perDay, /requests? per day/u, DAY_MS],
    ] as const) {
      if (limit === undefined) continue;
      const exhausted = usedUp(calls, words, windowMs);
      if (exhausted.length === 0) wrong.push({ key: key.name, never: words.source });
      for (const [window, requests] of windows) {
        if (requests > limit) wrong.push({ key: key.name, window, requests, limit });
      }
      for (const window of exhausted) {
        const requests = windows.get(window);
        if (requests !== limit) wrong.push({ key: key.name, exhausted: window, requests, limit });
        const within = acknowledged(calls).filter(
          (call) =>
            call.sentAtMs > window * windowMs + BORDER_MS &&
            call.endedAtMs < (window + 1) * windowMs - BORDER_MS,
        ).length;
        if (within > limit) wrong.push({ key: key.name, window, acknowledged: within, limit });
      }
    }
  }

  const calls = all.flatMap((calling) => calling.calls);
  const errors = calls.filter(({ outcome }) => outcome !== 200 && outcome !== 429);
  const blamed = kills.map((kill) =>
    errors.filter(({ sentAtMs, endedAtMs }) => sentAtMs <= kill.toMs && endedAtMs >= kill.fromMs),
  );
  const unexplained = errors.filter((error) => !blamed.some((one) => one.includes(error)));
  // A status from a server, not from the balancer in place of a killed one.
  const answered = errors.filter(
    ({ outcome }) => typeof outcome === 'number' && outcome !== 502 && outcome !== 504,
  );
  // A connection has only one open request, and anything it sends after a kill goes to another server.
  const tooMany = blamed.filter((one) => one.length > connections);
  await recordFault({
    fault: `kill -9 of one of three servers every few seconds, for ${FOR_MS / 1_000} s, behind the balancer`,
    expected:
      'limits exact, acknowledged requests counted, errors only of requests under way on the killed server',
    figure:
      `${kills.length} kills; ${calls.length} requests, ${acknowledged(calls).length} acknowledged, ${counted} counted ` +
      `for keys; errors: ${kindsInWords(errors)}, at most ${Math.max(...blamed.map((one) => one.length))} per kill; ` +
      `p99 ${p99Ms(calls).toFixed(0)} ms; ${wrong.length} counts wrong`,
  });
  expect(wrong).toEqual([]);
  expect({ unexplained, answered, tooMany }).toEqual({ unexplained: [], answered: [], tooMany: [] });
  // There was always a server to send requests to.
  expect(cluster.balancer.log().slice(logBefore)).not.toContain('<NOSRV>');
  expect(kills.length).toBeGreaterThan(FOR_MS / 15_000);
});

test('the usage that each server reports includes the requests to the other servers', async () => {
  const { key, prefix } = await createKey(cluster, '--per-minute', 'unlimited', '--per-day', 'unlimited');
  const totals: number[] = [];
  for (const { url } of cluster.members) {
    const answer = await fetch(`${url}/api/usage`, { headers: { 'X-Api-Key': key } });
    totals.push(usageStatistics.parse(await answer.json()).totalRequests);
  }
  expect(totals).toEqual([1, 2, 3]);
  expect((await readCounted(cluster.postgresql.url, prefix)).total).toBe(3);
});
