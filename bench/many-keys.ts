import { randomBytes } from 'node:crypto';
import { addKey } from '@signpost/server/create-key';
import { openInstallation } from '@signpost/server/open-installation';
import { measurePass } from './autocannon.js';
import { cpuTimeMs, withCpuTime } from './cpu-time.js';
import { ratio, round, type Row } from './figures.js';
import type { Load } from './load-figures.js';
import { CONNECTIONS, loadGenerator } from './load.js';
import type { BenchOptions } from './options.js';
import { showProgress } from './progress.js';
import type { Section } from './section.js';
import { startSignpost, type SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

const MANY = 10_000;
const RATE_PER_SECOND = 800;
const WARM_UP_PASSES = 2;

/** Creates keys directly in the server's database, because the command line takes half a second for each. */
async function makeKeys({ dataDir }: SignpostProcess, count: number): Promise<string[]> {
  const clock = () => Date.now();
  const installation = await openInstallation({
    dataDir,
    databaseUrl: undefined,
    secret: undefined,
    randomBytes,
    clock,
    monotonicMs: () => performance.now(),
  });
  const { storage, keyPepper } = installation;
  const projectId = (await storage.db('projects').pluck<string[]>('id'))[0] ?? '';
  const keyOptions = { accountId: '', projectId, mayExceedMaximum: true };
  const keys = await storage.db.transaction(async (transaction) => {
    const createdKeys: string[] = [];
    while (createdKeys.length < count)
      createdKeys.push((await addKey({ db: transaction, keyPepper, randomBytes, clock }, keyOptions)).key);
    return createdKeys;
  });
  await storage.close();
  return keys;
}

const lookupsBy = (url: string, keys: readonly string[]): Load => ({
  url: `${url}/api/postcode/lookup`,
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  keys: [keys],
  body: '{"postcode":"SW1A 1AA"}',
});

/** Measures the first, second and third request of each key, after a warm-up by another. */
async function firstRequests({ url, pid, apiKey }: SignpostProcess, keys: readonly string[]): Promise<Row[]> {
  // A warm-up with one key, so that the JavaScript engine has compiled the code of a lookup.
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1)
    await measurePass(lookupsBy(url, [apiKey]), CONNECTIONS, keys.length);
  const rows: Row[] = [];
  for (const name of ['first', 'second', 'third']) {
    showProgress(`records: the ${name} request of each of ${MANY} keys`);
    const before = (await cpuTimeMs([pid])) ?? Number.NaN;
    const { perSecond, p99Ms } = await measurePass(lookupsBy(url, keys), CONNECTIONS, keys.length);
    const cpuMs = ((await cpuTimeMs([pid])) ?? Number.NaN) - before;
    rows.push({
      'request of each key': name,
      'requests/s': round(perSecond),
      'p99 ms': round(p99Ms, 1),
      'CPU µs each': round((cpuMs * 1_000) / keys.length, 1),
    });
  }
  return rows;
}

/**
 * Lookups with one key and with many keys on one server, in turns: first RATE_PER_SECOND, then as many as the server
 * answers.
 */
async function oneAndMany(
  signpost: SignpostProcess,
  many: readonly string[],
  seconds: number,
): Promise<Row[]> {
  const sets = [many.slice(0, 1), many];
  const inTurns = async (ratePerSecond?: number) => {
    const loads = sets.map((keys): Load => ({ ...lookupsBy(signpost.url, keys), ratePerSecond }));
    const cpu = withCpuTime(new Map(loads.map((load) => [load, [signpost.pid]])));
    const figures = await takeTurns(loads, seconds, CONNECTIONS, cpu.measure);
    return figures.map((one, at) => {
      const load = loads[at];
      return { ...one, cpuMicroseconds: load === undefined ? Number.NaN : cpu.microsecondsEach(load) };
    });
  };
  showProgress(`records: ${RATE_PER_SECOND} lookups a second by 1 key and by ${MANY}, in turns`);
  const steady = await inTurns(RATE_PER_SECOND);
  showProgress(`records: as many lookups as are answered by 1 key and by ${MANY}, in turns`);
  const most = await inTurns();
  return sets.map((keys, at) => ({
    keys: keys.length,
    [`p50 ms at ${RATE_PER_SECOND}/s`]: round(steady[at]?.p50Ms ?? Number.NaN, 2),
    [`p99 ms at ${RATE_PER_SECOND}/s`]: round(steady[at]?.p99Ms ?? Number.NaN, 2),
    'p99 of 1 key': ratio(steady[at]?.p99Ms ?? Number.NaN, steady[0]?.p99Ms),
    'most/s': round(most[at]?.perSecond ?? Number.NaN),
    'most of 1 key': ratio(most[at]?.perSecond ?? Number.NaN, most[0]?.perSecond),
    'p99 ms at most': round(most[at]?.p99Ms ?? Number.NaN, 2),
    'CPU µs each': round(most[at]?.cpuMicroseconds ?? Number.NaN, 1),
  }));
}

/** How much the records of many keys slow lookups down. */
export async function benchManyKeys({ seconds }: BenchOptions): Promise<Section[]> {
  const signpost = await startSignpost();
  showProgress(`records: making ${MANY} keys`);
  const keys = await makeKeys(signpost, MANY);
  const first = await firstRequests(signpost, keys);
  const turns = await oneAndMany(signpost, keys, seconds);
  await signpost.end();
  return [
    {
      name: 'recordsKeys',
      title: `Lookups by one key and by many, the sample directory, load by ${loadGenerator}, or by autocannon at ${RATE_PER_SECOND}/s`,
      rows: turns,
    },
    {
      name: 'recordsFirst',
      title: `The first requests of ${MANY} keys after another key has warmed the server up, load by autocannon`,
      rows: first,
    },
  ];
}
