import { randomBytes } from 'node:crypto';
import { keysOf } from './bench-keys.js';
import { withCpuTime } from './cpu-time.js';
import { ratio, round, type Row } from './figures.js';
import { startFloor } from './floor.js';
import type { BenchOptions } from './options.js';
import { startPostgresql } from './postgresql.js';
import { showProgress } from './progress.js';
import { answerOf, floorOf, loadOf, setupsOf, type Setup } from './server-setups.js';
import { startSignpost, type SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

/** Every row has this many connections, of which each server gets an equal share, so that only the servers differ. */
const CONNECTIONS = 96;
const SEVERAL_SERVERS = 3;
const KEYS = 12;

async function startTogether(databaseUrl: string): Promise<[SignpostProcess, ...SignpostProcess[]]> {
  const variables = {
    SIGNPOST_DATABASE_URL: databaseUrl,
    SIGNPOST_SECRET: randomBytes(32).toString('hex'),
  };
  const first = await startSignpost({ variables });
  const others: SignpostProcess[] = [];
  while (others.length < SEVERAL_SERVERS - 1) others.push(await startSignpost({ variables, joins: first }));
  return [first, ...others];
}

async function startFloors(dataDir: string, answer: string) {
  const floors: Awaited<ReturnType<typeof startFloor>>[] = [];
  while (floors.length < SEVERAL_SERVERS) floors.push(await startFloor(dataDir, answer));
  return floors;
}

async function measureSetups(setups: readonly Setup[], seconds: number): Promise<Row[]> {
  const loads = new Map(setups.map((setup) => [setup, loadOf(setup)]));
  const cpu = withCpuTime(new Map([...loads].map(([{ pids }, load]) => [load, pids])));
  const figures = await takeTurns([...loads.values()], seconds, CONNECTIONS, cpu.measure);
  const rateOf = (is: (setup: Setup) => boolean) => figures[setups.findIndex(is)]?.perSecond;
  return [...loads].flatMap(([{ server, database, urls, keys }, load], index) => {
    const own = figures[index];
    if (own === undefined) return [];
    const cpuEach = cpu.microsecondsEach(load);
    const [number] = keys.split(',');
    const alone = rateOf((one) => one.database === database && one.urls.length === 1 && one.keys === number);
    const floors = rateOf((one) => one.keysAt === undefined && one.urls.length === urls.length);
    return {
      server,
      servers: urls.length,
      database,
      keys,
      'lookups/s': round(own.perSecond),
      'p50 ms': round(own.p50Ms, 2),
      'p99 ms': round(own.p99Ms, 2),
      'of one server': ratio(own.perSecond, alone),
      'of as many floors': ratio(own.perSecond, floors),
      ...(Number.isNaN(cpuEach) ? {} : { 'CPU µs each': round(cpuEach) }),
    };
  });
}

/**
 * Measures lookups on one server with SQLite, on one with PostgreSQL, and on three with the same PostgreSQL. Compares
 * them with as many bare servers that respond with the same bytes. There is no balancer: the load generator spreads the
 * connections evenly.
 */
export async function benchServers({ seconds }: BenchOptions): Promise<Row[]> {
  showProgress('servers: starting PostgreSQL, and servers on it and on SQLite');
  const postgresql = await startPostgresql();
  const alone = await startSignpost();
  const together = await startTogether(postgresql.url);
  const [first] = together;
  const floors = await startFloors(alone.dataDir, await answerOf(alone, alone.apiKey));

  const onSqlite = { database: 'SQLite', databasePids: [], keys: await keysOf(alone, KEYS) };
  const keys = await keysOf(first, KEYS);
  const onPostgresql = { database: 'PostgreSQL', databasePids: [postgresql.pid], keys };
  const setups = [
    floorOf(floors.slice(0, 1)),
    floorOf(floors),
    ...setupsOf({ ...onSqlite, servers: [alone] }),
    ...setupsOf({ ...onPostgresql, servers: [first] }),
    ...setupsOf({ ...onPostgresql, servers: together }),
  ];
  showProgress(`servers: lookups, ${setups.length} ways in turns`);
  const rows = await measureSetups(setups, seconds);
  for (const one of [...floors, ...together, alone, postgresql]) await one.end();
  return rows;
}
