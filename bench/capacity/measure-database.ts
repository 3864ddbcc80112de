import type pg from 'pg';
import { cpuTimeMs } from '../cpu-time.js';
import { round, type Row } from '../figures.js';

const ROWS = 100_000;
const BYTES_PER_MB = 1_000_000;
const MILLION = 1_000_000;

const numberOf = async (client: pg.Client, sql: string): Promise<number> => {
  const { rows } = await client.query<{ value: string }>(sql);
  return Number(rows[0]?.value ?? Number.NaN);
};

export const logBytesOf = (client: pg.Client): Promise<number> =>
  numberOf(client, `SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS value`);

/** The lower bound for counting: changes and commits one row, again and again, and does nothing else. */
export async function measureBareCommits(
  client: pg.Client,
  databasePid: number,
  seconds: number,
): Promise<Row> {
  await client.query('CREATE TABLE bare (id integer PRIMARY KEY, requests integer NOT NULL)');
  await client.query('INSERT INTO bare VALUES (1, 0)');
  const update = { name: 'bare', text: 'UPDATE bare SET requests = requests + 1 WHERE id = 1' };
  const readCosts = async () =>
    [(await cpuTimeMs([databasePid])) ?? Number.NaN, await logBytesOf(client)] as const;
  const [cpuBefore, logBefore] = await readCosts();
  const began = performance.now();
  let commits = 0;
  while (performance.now() - began < seconds * 1000) {
    await client.query(update);
    commits += 1;
  }
  const elapsedMs = performance.now() - began;
  const [cpuAfter, logAfter] = await readCosts();
  await client.query('DROP TABLE bare');
  return {
    commit: 'one row, bare',
    'lookups each': 1,
    'commits/s': round((commits / elapsedMs) * 1000),
    'ms each': round(elapsedMs / commits, 2),
    'CPU µs each': round(((cpuAfter - cpuBefore) * 1000) / commits),
    'bytes of log each': round((logAfter - logBefore) / commits),
  };
}

const KEYS = 100;
const OPERATIONS = 2;
const DAY_MINUTES = 1_440;
const MINUTES_KEPT = 120;
const HOURS_OF_DAY = 24;

/** A table that grows with requests, and how many rows a million requests add to it. */
interface GrowingTable {
  readonly table: string;
  readonly rowFor: string;
  readonly kept: string;
  /** SQL that inserts ROWS typical rows, which differ only in their primary keys. */
  readonly fill: string;
  /** How many rows a million requests add if each needs a row of its own. */
  readonly most: number;
  /** How many rows the table has after a day in which 100 keys make a million requests, each key with 2 operations. */
  readonly usual: number;
}

const insertLike = (table: string, differing: string, where = 'true') =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(found.one, jsonb_build_object(${differing}))).*
   FROM (SELECT one FROM ${table} one WHERE ${where} LIMIT 1) AS found, generate_series(1, ${ROWS}) AS n`;

const GROWING_TABLES: readonly GrowingTable[] = [
  {
    table: 'usage_days',
    rowFor: 'a key and a day',
    kept: 'as long as the key',
    fill: insertLike('usage_days', `'day', -n`),
    most: MILLION,
    usual: KEYS,
  },
  {
    table: 'usage_minutes',
    rowFor: 'a key and a minute',
    kept: '3 days',
    fill: `INSERT INTO usage_minutes (key_id, minute, requests) SELECT 1, -n, 1 FROM generate_series(1, ${ROWS}) AS n`,
    most: MILLION,
    usual: KEYS * DAY_MINUTES,
  },
  {
    table: 'usage_counts',
    rowFor: 'a key, an operation and a minute, hour or day',
    kept: '2 hours, 2 or 92 days',
    fill: insertLike('usage_counts', `'start_minute', -n`, 'span_minutes = 1'),
    most: MILLION,
    usual: KEYS * OPERATIONS * (MINUTES_KEPT + HOURS_OF_DAY + 1),
  },
  {
    table: 'request_log',
    rowFor: 'a key, an outcome and a second',
    kept: '7 days, 2,500 of a key',
    fill: insertLike(
      'request_log',
      `'id', lpad(n::text, 21, '0'), 'requests', 1, 'entries', jsonb_build_array((found.one).entries::jsonb -> 0)::text`,
    ),
    most: MILLION,
    usual: KEYS * 1_000,
  },
];

/** Fills each table with a hundred thousand typical rows, and calculates the size of what a million requests add. */
export async function measureSizes(client: pg.Client): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { table, rowFor, kept, fill, most, usual } of GROWING_TABLES) {
    const size = () => numberOf(client, `SELECT pg_total_relation_size('${table}') AS value`);
    await client.query(`VACUUM FULL ${table}`);
    const before = await size();
    const filled = await client.query(fill);
    const bytes = ((await size()) - before) / (filled.rowCount ?? Number.NaN);
    rows.push({
      table,
      'a row for': rowFor,
      kept,
      'bytes a row': round(bytes),
      'MB, each alone': round((bytes * most) / BYTES_PER_MB),
      'MB, 100 keys in a day': round((bytes * usual) / BYTES_PER_MB, 1),
    });
  }
  return rows;
}
