import { once } from 'node:events';
import { errorBody } from '@signpost/contract';
import { recordFault } from '../faults/support/fault-table.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { acknowledged, kindsInWords, lookingUp, startCalling, type Call } from './support/callers.js';
import { startCluster, type Cluster, type Member } from './support/cluster.js';
import { createKey, lookUp } from './support/requests.js';

/** The number of connections. Each sends its next request when it has a response. */
const CONNECTIONS = 24;
/**
 * Longer than the balancer needs to notice a server that hangs, and longer than it keeps that server's requests
 * waiting.
 */
const STOPPED_MS = 35_000;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ servers: [{}, {}] });
});
afterAll(() => cluster.remove());

/**
 * The outcomes that the documents describe: 200, the balancer's own error with Retry-After, or a closed connection if
 * the server ended and the connection had been used before.
 */
const isDocumented = ({ outcome, words, retryAfter }: Call) =>
  outcome === 200 ||
  outcome === 'socket hang up' ||
  ([502, 503, 504].includes(Number(outcome)) &&
    errorBody.strict().safeParse(JSON.parse(words)).success &&
    Number(retryAfter) > 0);

async function underLoad(apiKey: string, disturb: () => Promise<void>) {
  const calling = startCalling(cluster.balancer.url, lookingUp(apiKey, CONNECTIONS, 0));
  await waitUntil('there is load', () => acknowledged(calling.calls).length > 500);
  const before = calling.calls.length;
  const logBefore = cluster.balancer.log().length;
  await disturb();
  const answeredMeanwhile = calling.calls.length - before;
  await calling.stop();
  return { calls: calling.calls, answeredMeanwhile, log: cluster.balancer.log().slice(logBefore) };
}

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const disturbances: readonly [
  words: string,
  disturb: (member: Member) => Promise<void>,
  repair: (member: Member) => Promise<void>,
][] = [
  [
    'hangs (SIGSTOP)',
    async ({ server }) => {
      server.process.kill('SIGSTOP');
      await pass(STOPPED_MS);
    },
    ({ server }) => Promise.resolve(void server.process.kill('SIGCONT')),
  ],
  [
    'is killed with -9',
    async ({ server }) => {
      const exited = once(server.process, 'exit');
      server.process.kill('SIGKILL');
      await exited;
      await pass(STOPPED_MS / 5);
    },
    (member) => cluster.restart(member),
  ],
];

test.each(disturbances)(
  'when one of two servers %s under load, the other responds, and every response is a documented one',
  async (words, disturb, repair) => {
    const { key } = await createKey(cluster, '--per-minute', 'unlimited', '--per-day', 'unlimited');
    const [first, second] = cluster.members;
    if (first === undefined || second === undefined) throw new Error('There are two servers.');
    const { calls, answeredMeanwhile, log } = await underLoad(key, () => disturb(first));
    await repair(first);

    const refused = calls.filter(({ outcome }) => outcome !== 200);
    await recordFault({
      fault: `One of two servers ${words} under load`,
      expected: 'the other serves on; what the lost one held is answered 502 or 504, or its connection ends',
      figure: `${answeredMeanwhile} answered meanwhile by the other; refused: ${kindsInWords(refused)}`,
    });
    expect(calls.filter((call) => !isDocumented(call))).toEqual([]);
    // Each caller can be delayed by the lost server once. After that the balancer knows that it is down.
    expect(refused.length).toBeLessThanOrEqual(CONNECTIONS);
    expect(answeredMeanwhile).toBeGreaterThan(500);
    expect(log).toContain(`${first.name} is DOWN`);
    expect(log).not.toContain(`${second.name} is DOWN`);
    await waitUntil('the balancer has it again', () =>
      new RegExp(`${first.name} is UP`, 'u').test(cluster.balancer.log().split('is DOWN').at(-1) ?? ''),
    );
  },
);

test('with no server up, the balancer responds with a JSON error and Retry-After', async () => {
  for (const { server } of cluster.members) await server.end('SIGKILL');
  const answer = await lookUp(cluster.balancer.url, 'sp_live_x');

  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/json']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(errorBody.strict().parse(await answer.json()).error).toMatch(/Try again/u);
});
