import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openStorage, type DatabasePlace } from '../open-storage.js';
import type { Storage } from '../storage.js';

/** An empty database of a test's own, on the engine that the run is for. */
export interface TestDatabase {
  readonly place: DatabasePlace;
  open(): Promise<Storage>;
  /** All that is stored: the bytes of the files, or the rows of every table. */
  stored(): Promise<Buffer>;
  remove(): Promise<void>;
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function rowsOf(url: string): Promise<Buffer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ xml: string }>(
    "SELECT schema_to_xml(current_schema(), true, false, '')::text AS xml",
  );
  await client.end();
  return Buffer.from(rows[0]?.xml ?? '');
}

async function createPostgresqlDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const place = { url: url.href };
  return {
    place,
    open: () => openStorage(place),
    stored: () => rowsOf(url.href),
    remove: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Makes the database; PostgreSQL where SIGNPOST_TEST_DATABASE_URL names a server of the run, else SQLite. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['SIGNPOST_TEST_DATABASE_URL'];
  if (serverUrl !== undefined) return createPostgresqlDatabase(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'signpost-database-'));
  const file = join(folder, 'signpost.db');
  return {
    place: { file },
    open: () => openStorage({ file }),
    stored: async () => Buffer.concat([await readFile(file), await readFile(`${file}-wal`)]),
    remove: () => rm(folder, { recursive: true }),
  };
}
