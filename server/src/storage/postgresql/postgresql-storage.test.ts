import pg from 'pg';
import { MINUTE_MS } from '../../platform/time-units.js';
import { MIGRATIONS } from '../migrations/migrate.js';
import { openStorage } from '../open-storage.js';
import { createEmptyDatabase, type TestDatabase } from '../../../../test/fixtures/storage/test-database.js';

/** Only timeouts are faked, among them those of the driver. */
const REAL_TIMERS = [
  'nextTick',
  'setImmediate',
  'setInterval',
  'queueMicrotask',
  'Date',
  'performance',
] as const;

let database: TestDatabase;
let url: URL;

beforeEach(async () => {
  database = await createEmptyDatabase();
  if (!('url' in database.location)) throw new Error('These tests are for PostgreSQL.');
  url = new URL(database.location.url);
});

afterEach(() => database.remove());

const at = (change: (copy: URL) => void) => {
  const copy = new URL(url);
  change(copy);
  return openStorage({ url: copy.href });
};

/** Runs statements on the database directly, without `openStorage`. Returns the rows of the last statement. */
async function withBareDatabase(...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  let rows: unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

test('opening a new database three times at once succeeds each time, and migrates it once', async () => {
  const storages = await Promise.all([1, 2, 3].map(() => database.open()));
  expect(storages.map(({ dialect }) => dialect)).toEqual(['postgresql', 'postgresql', 'postgresql']);
  expect(await storages[0]?.db('migrations').pluck('name')).toEqual(MIGRATIONS.map(({ name }) => name));
  for (const storage of storages) await storage.close();
});

test('opening a database again keeps its data', async () => {
  const first = await database.open();
  await first.db('installation').insert({ id: 1, secret_fingerprint: 'x', created_at: 1_790_000_000_000 });
  await first.close();
  const second = await database.open();
  expect(await second.db('installation').pluck('created_at')).toEqual([1_790_000_000_000]);
  await second.close();
});

test('the time read from the database is in milliseconds, and not outside the results of now() before and after it', async () => {
  const storage = await database.open();
  const nowMs = async () => {
    const { rows } = await storage.db.raw<{ rows: { now: Date }[] }>('SELECT now()');
    return rows[0]?.now.getTime() ?? NaN;
  };
  const [earlier, read, later] = [await nowMs(), await storage.readTimeMs?.(), await nowMs()];
  expect(read).toBeGreaterThanOrEqual(earlier);
  expect(read).toBeLessThanOrEqual(later);
  await storage.close();
});

test('a database of a newer version is rejected with the name of its unknown migration, and left unchanged', async () => {
  await (await database.open()).close();
  await withBareDatabase(
    "INSERT INTO migrations (name, batch, migration_time) VALUES ('999-future', 2, now())",
  );
  await expect(database.open()).rejects.toThrow(
    /newer version of Signpost \(it has the migration 999-future\)/u,
  );
  const [row] = await withBareDatabase('SELECT count(*)::int AS count FROM migrations');
  expect(row).toEqual({ count: MIGRATIONS.length + 1 });
});

test('a migration that takes a minute, because a table is in use, is not given up', async () => {
  await (await database.open()).close();
  await withBareDatabase(
    "DELETE FROM migrations WHERE name = '023-key-permissions'",
    'ALTER TABLE api_keys DROP COLUMN permissions',
  );
  const holder = new pg.Client({ connectionString: url.href });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE api_keys IN ACCESS SHARE MODE');
  jest.useFakeTimers({ doNotFake: [...REAL_TIMERS] });
  try {
    const opening = database.open();
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'api_keys'::regclass";
    while ((await holder.query(waiting)).rowCount === 0);
    jest.advanceTimersByTime(MINUTE_MS);
    await holder.query('COMMIT');
    const storage = await opening;
    expect(await storage.db('api_keys').pluck('permissions')).toEqual([]);
    await storage.close();
  } finally {
    jest.useRealTimers();
    await holder.end();
  }
});

test("another program's database is rejected and left unchanged", async () => {
  await withBareDatabase('CREATE TABLE migrations (id int)', 'CREATE TABLE guests (id int)');
  await expect(database.open()).rejects.toThrow(/tables of another program/u);
  const tables = await withBareDatabase(
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1",
  );
  expect(tables).toEqual([
    { table_name: 'guests', column_name: 'id' },
    { table_name: 'migrations', column_name: 'id' },
  ]);
  await withBareDatabase('DROP TABLE guests', 'DROP TABLE migrations');
  await (await database.open()).close();
});

test('an error at opening says what is wrong, but does not show the password', async () => {
  const wrong: readonly (readonly [(copy: URL) => void, RegExp])[] = [
    [(copy) => (copy.password = 'not-it'), /refuses the user and password/u],
    [(copy) => (copy.pathname = '/nowhere'), /There is no database 127\.0\.0\.1:\d+\/nowhere/u],
    [(copy) => (copy.port = '1'), /No PostgreSQL answers at 127\.0\.0\.1:1\//u],
    [
      (copy) => (copy.hostname = 'no-such-host.invalid'),
      /The database no-such-host\.invalid.* cannot be reached: its name is not found/u,
    ],
  ];
  for (const [change, words] of wrong) {
    const error: unknown = await at(change).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error)).toMatch(words);
    expect(String(error)).not.toContain(url.password);
  }
});

test('after its connection was ended, a prepared statement works again at the second try at the latest', async () => {
  const storage = await database.open();
  const queries = await storage.openPreparedQueries();
  const pidOf = async () =>
    (await queries.all<{ pid: number }>('SELECT pg_backend_pid() AS pid', []))[0]?.pid;
  const pid = await pidOf();
  await withBareDatabase(`SELECT pg_terminate_backend(${pid})`);
  const later = await pidOf().catch(pidOf);
  expect(later).not.toBe(pid);
  await queries.close();
  await storage.close();
});

test('a statement that times out leaves no transaction open in which later statements would be lost', async () => {
  await (await database.open()).close();
  const place = new URL(url);
  place.searchParams.set('query_timeout', '300');
  const impatient = await openStorage({ url: place.href });
  const holder = new pg.Client({ connectionString: url.href });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE return_urls IN EXCLUSIVE MODE');
  const row = (id: string) => ({ id, url: id, name: id, created_at: 1 });
  const abandoned = impatient.db.transaction(async (transaction) => {
    await transaction('return_urls').insert(row('abandoned'));
  });
  await expect(abandoned).rejects.toMatchObject({
    kind: 'overloaded',
    message: 'The database is not answering at the moment. Try again.',
  });
  await holder.query('COMMIT');
  await impatient.db('return_urls').insert(row('acknowledged'));
  const { rows } = await holder.query('SELECT id FROM return_urls');
  expect(rows).toEqual([{ id: 'acknowledged' }]);
  await holder.end();
  await impatient.close();
});

test('a statement that the server cancels is rejected as overloaded and has no effect, and later statements work', async () => {
  await (await database.open()).close();
  const place = new URL(url);
  place.searchParams.set('statement_timeout', '200');
  const storage = await openStorage({ url: place.href });
  const slow = storage.db.raw(
    "INSERT INTO return_urls (id, url, name, created_at) SELECT 'x', pg_sleep(5)::text, 'x', 1",
  );
  await expect(slow).rejects.toMatchObject({ kind: 'overloaded' });
  expect(await storage.db('return_urls')).toEqual([]);
  await storage.close();
});
