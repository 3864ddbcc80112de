import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { keysOf } from '../bench-keys.js';
import { serveCapturePages } from '../capture-pages.js';
import { onEnd } from '../endings.js';
import { startFloor } from '../floor.js';
import { loadGenerator } from '../load.js';
import type { BenchOptions } from '../options.js';
import { startPostgresql } from '../postgresql.js';
import { showProgress } from '../progress.js';
import type { Section } from '../section.js';
import { answerOf } from '../server-setups.js';
import { startSignpost } from '../signpost-process.js';
import { measureCheck } from './measure-check.js';
import { logBytesOf, measureBareCommits, measureSizes } from './measure-database.js';
import { batchRow, coreRows, measureCosts, type MeasuredServer } from './measure-lookups.js';
import { measureMemory } from './measure-memory.js';

const KEYS = 24;

async function benchCaptures(program: string, options: BenchOptions): Promise<Section[]> {
  const pages = await serveCapturePages();
  const memory = await measureMemory(program, pages.url, options);
  const check = await measureCheck(pages.url, options);
  await pages.end();
  return [
    { name: 'capacityMemory', title: 'Memory of captures, server and browser together', rows: memory },
    {
      name: 'capacityCheck',
      title: 'Captures of a small page at random times, and the simulation of the same load',
      rows: check,
    },
  ];
}

async function benchDatabase({ seconds }: BenchOptions): Promise<Section[]> {
  showProgress('capacity: starting PostgreSQL, and servers on it and on SQLite');
  const postgresql = await startPostgresql();
  const alone = await startSignpost();
  const variables = {
    SIGNPOST_DATABASE_URL: postgresql.url,
    SIGNPOST_SECRET: randomBytes(32).toString('hex'),
  };
  const server = await startSignpost({ variables });
  const floor = await startFloor(alone.dataDir, await answerOf(alone, alone.apiKey));
  const client = new pg.Client(postgresql.url);
  await client.connect();
  const endClient = onEnd(() => client.end());

  const keys = await keysOf(server, KEYS);
  const onPostgresql = {
    name: 'signpost',
    database: 'PostgreSQL',
    url: server.url,
    pid: server.pid,
    databasePid: postgresql.pid,
    logBytes: () => logBytesOf(client),
  };
  const oneKey: MeasuredServer = { ...onPostgresql, keys: keys.slice(0, 1) };
  const manyKeys: MeasuredServer = { ...onPostgresql, keys };
  const bare = { name: 'bare node:http', database: 'none', url: floor.url, pid: floor.pid };
  const onSqlite = { name: 'signpost', database: 'SQLite', url: alone.url, pid: alone.pid };
  showProgress('capacity: lookups, and what they take of server and database');
  const costs = await measureCosts([bare, { ...onSqlite, keys: [alone.apiKey] }, oneKey, manyKeys], seconds);
  const commits = [await measureBareCommits(client, postgresql.pid, seconds)];
  for (const [one, words] of [
    [oneKey, 'lookups of 1 key'],
    [manyKeys, `lookups of ${KEYS} keys`],
  ] as const) {
    const own = costs.get(one);
    if (own !== undefined) commits.push(batchRow(words, own));
  }
  showProgress('capacity: the size of what requests leave in PostgreSQL');
  const sizes = await measureSizes(client);
  const cores = await coreRows(costs);
  await endClient();
  for (const one of [floor, server, alone, postgresql]) await one.end();
  return [
    { name: 'capacityLookups', title: `Lookups of one core, load by ${loadGenerator}`, rows: cores },
    { name: 'capacityCommits', title: 'Commits of PostgreSQL for lookups', rows: commits },
    { name: 'capacitySize', title: 'Size of a million requests in PostgreSQL', rows: sizes },
  ];
}

/** Measures captures, lookups and PostgreSQL. inputs.ts has figures of such a run, for the simulation. */
export const benchCapacity = async (program: string, options: BenchOptions): Promise<readonly Section[]> => [
  ...(await benchCaptures(program, options)),
  ...(await benchDatabase(options)),
];
