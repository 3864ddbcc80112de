import { insertTwoKeys } from '../../../test/fixtures/storage/rows.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { Storage } from '../storage/storage.js';
import { MOST_READ, readAccountLog } from './read-request-log.js';
import { type Outcome, OUTCOMES } from './recorded-request.js';

const NOW_MS = Date.UTC(2026, 2, 8);
/** More rows of successes than the query reads. */
const SUCCESSES = 1_100;
let database: TestDatabase;
let storage: Storage;

const entry = (atMs: number, status: number, outcome: Outcome) => [
  ...[atMs, 'lookupPostcode', status, outcome, 1, `${outcome}-${atMs}`, 0],
];

/** A row of the log with requests that ended at these times. Older versions stored rows without an outcome. */
const rowOf = (keyId: number, id: string, entries: ReturnType<typeof entry>[], outcome: Outcome | null) => ({
  key_id: keyId,
  id,
  at: Number(entries.at(-1)?.[0]),
  requests: entries.length,
  outcome,
  entries: JSON.stringify(entries),
});

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  await insertTwoKeys(db);
  const successes = Array.from({ length: SUCCESSES }, (_, index) => {
    const atMs = NOW_MS - index * 1_000;
    return rowOf(1, `s${index}`, [entry(atMs - 1, 200, '2xx'), entry(atMs, 200, '2xx')], '2xx');
  });
  const old = NOW_MS - 2 * SUCCESSES * 1_000;
  const failures = [
    rowOf(1, 'f4', [entry(old, 404, '4xx')], '4xx'),
    rowOf(1, 'f5', [entry(old - 1, 500, '5xx')], '5xx'),
    rowOf(1, 'fr', [entry(old - 2, 429, 'refused')], 'refused'),
    rowOf(1, 'mixed', [entry(old - 4, 200, '2xx'), entry(old - 3, 400, '4xx')], null),
    rowOf(2, 'other', [entry(old - 5, 500, '5xx')], '5xx'),
  ];
  await db.batchInsert('request_log', [...successes, ...failures], 100);
});

afterAll(async () => {
  await storage.close();
  await database.remove();
});

const read = (outcomes: readonly Outcome[]) =>
  readAccountLog(storage.db, { accountId: 'acc_ada', outcomes }, NOW_MS);

test("reads an account's failures however many newer successes there are", async () => {
  const log = await read(OUTCOMES);
  expect(log.filter(({ outcome }) => outcome === '2xx')).toHaveLength(MOST_READ);
  expect(log.filter(({ outcome }) => outcome !== '2xx').map(({ status }) => status)).toEqual([
    404, 500, 429, 400,
  ]);
  const times = log.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});

test('reads only the chosen outcomes, also from rows with several outcomes', async () => {
  expect((await read(['4xx', '5xx'])).map(({ status }) => status)).toEqual([404, 500, 400]);
  expect(await read([])).toEqual([]);
});
