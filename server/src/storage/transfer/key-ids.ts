import { z } from 'zod';
import { type Database, dialectOf } from '../storage.js';
import { KEYS_TABLE } from './copied-tables.js';
import type { RowBatch, RowSource, Value } from './row-source.js';

const sqliteSequence = z.array(z.object({ seq: z.number() }));
const sequenceName = z.object({ rows: z.tuple([z.object({ name: z.string() })]) });
const sequenceState = z.object({ rows: z.tuple([z.object({ last: z.number(), is_called: z.boolean() })]) });

async function postgresqlSequence(db: Database): Promise<string> {
  const answer: unknown = await db.raw("SELECT pg_get_serial_sequence(?, 'id') AS name", [KEYS_TABLE]);
  return sequenceName.parse(answer).rows[0].name;
}

/** The highest id ever given to an API key, even if that key is gone; 0 if there was no key. */
export async function readHighestKeyId(db: Database): Promise<number> {
  if (dialectOf(db) === 'sqlite') {
    const rows: unknown = await db('sqlite_sequence').where({ name: KEYS_TABLE }).select('seq');
    return sqliteSequence.parse(rows)[0]?.seq ?? 0;
  }
  // The database returns the name already quoted if necessary.
  const name = await postgresqlSequence(db);
  const answer: unknown = await db.raw(`SELECT last_value AS last, is_called FROM ${name}`);
  const { last, is_called: isCalled } = sequenceState.parse(answer).rows[0];
  return isCalled ? last : 0;
}

/** Makes the id of the next API key higher than `highest`. */
export async function writeHighestKeyId(db: Database, highest: number): Promise<void> {
  if (highest === 0) return;
  if (dialectOf(db) === 'sqlite') {
    await db('sqlite_sequence').where({ name: KEYS_TABLE }).delete();
    await db('sqlite_sequence').insert({ name: KEYS_TABLE, seq: highest });
  } else {
    await db.raw('SELECT setval(?, ?)', [await postgresqlSequence(db), highest]);
  }
}

const KEYS_PER_QUERY = 500;

const keyRows = z.array(z.object({ id: z.number(), hash: z.string() }));
type KeyRow = z.infer<typeof keyRows>[number];

/** The columns of the copied tables that contain an API key's id. */
const COLUMNS_OF_TABLE: Readonly<Record<string, readonly string[]>> = {
  [KEYS_TABLE]: ['id', 'replaces_id'],
  inbox_requests: ['key_id'],
  oauth_connections: ['key_id'],
  capture_links: ['key_id'],
  usage_days: ['key_id'],
  usage_minutes: ['key_id'],
  usage_counts: ['key_id'],
  request_log: ['key_id'],
};

async function* keysOf(source: RowSource): AsyncGenerator<readonly KeyRow[]> {
  let areReached = false;
  for await (const { table, rows } of source.batches()) {
    if (table.name !== KEYS_TABLE) {
      if (areReached) return;
      continue;
    }
    areReached = true;
    const [id, hash] = ['id', 'hash'].map((name) => table.columns.findIndex((one) => one.name === name));
    const keys = keyRows.parse(rows.map((row) => ({ id: row[id ?? 0], hash: row[hash ?? 0] })));
    for (let start = 0; start < keys.length; start += KEYS_PER_QUERY) {
      yield keys.slice(start, start + KEYS_PER_QUERY);
    }
  }
}

/** The result of assigning ids to API keys. */
interface KeyIds {
  /** The new id of each key whose id changes. */
  readonly changed: ReadonlyMap<number, number>;
  /** At least as high as every id that a key ever had in the database or in `source`, and as every new id. */
  readonly highest: number;
}

/**
 * Assigns ids to the keys of `source`, which will replace the keys of the database. A key that is in the database gets
 * its id there; a key whose id belongs to another key there gets a new id; others keep their ids. Running servers
 * remember the ids of keys, and with the ids of `source`, an id could come to mean another key if the two databases
 * have diverged, for example if an empty database got its first key before the restore.
 */
export async function assignKeyIds(
  db: Database,
  source: RowSource,
  highestInDatabase: number,
): Promise<KeyIds> {
  const changed = new Map<number, number>();
  let highest = Math.max(highestInDatabase, source.highestKeyId);
  for await (const keys of keysOf(source)) {
    const existingKeys = keyRows.parse(
      await db(KEYS_TABLE)
        .whereIn(
          'id',
          keys.map(({ id }) => id),
        )
        .orWhereIn(
          'hash',
          keys.map(({ hash }) => hash),
        )
        .select('id', 'hash'),
    );
    const idOf = new Map(existingKeys.map(({ id, hash }) => [hash, id]));
    const takenIds = new Set(idOf.values());
    for (const { id, hash } of keys) {
      const assigned = idOf.get(hash) ?? (takenIds.has(id) ? (highest += 1) : id);
      if (assigned !== id) changed.set(id, assigned);
    }
  }
  return { changed, highest };
}

/** The rows of `source` with the new ids of the keys. */
export function withKeyIds(source: RowSource, { changed, highest }: KeyIds): RowSource {
  if (changed.size === 0) return source;
  const newId = (value: Value | undefined) =>
    typeof value === 'number' ? (changed.get(value) ?? value) : (value ?? null);

  async function* batches(): AsyncGenerator<RowBatch> {
    for await (const { table, rows } of source.batches()) {
      const names = COLUMNS_OF_TABLE[table.name] ?? [];
      const columns = table.columns.flatMap(({ name }, index) => (names.includes(name) ? [index] : []));
      const renumbered = rows.map((row) =>
        columns.reduce((changed, column) => changed.with(column, newId(changed[column])), row),
      );
      yield { table, rows: renumbered };
    }
  }
  return { tables: source.tables, highestKeyId: highest, batches };
}
