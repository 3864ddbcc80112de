import { z } from 'zod';
import { dialectOf } from '../dialect-of.js';
import type { Database } from '../storage.js';
import { KEYS_TABLE } from './tables.js';

const sqliteSequence = z.array(z.object({ seq: z.number() }));
const sequenceName = z.object({ rows: z.tuple([z.object({ name: z.string() })]) });
const sequenceState = z.object({ rows: z.tuple([z.object({ last: z.number(), is_called: z.boolean() })]) });

async function postgresqlSequence(db: Database): Promise<string> {
  const answer: unknown = await db.raw("SELECT pg_get_serial_sequence(?, 'id') AS name", [KEYS_TABLE]);
  return sequenceName.parse(answer).rows[0].name;
}

/** The highest number that was given to an API key, whether that key is there or not; 0 for none. */
export async function readHighestKeyId(db: Database): Promise<number> {
  if (dialectOf(db) === 'sqlite') {
    const rows: unknown = await db('sqlite_sequence').where({ name: KEYS_TABLE }).select('seq');
    return sqliteSequence.parse(rows)[0]?.seq ?? 0;
  }
  // The name comes quoted as far as it needs to be.
  const name = await postgresqlSequence(db);
  const answer: unknown = await db.raw(`SELECT last_value AS last, is_called FROM ${name}`);
  const { last, is_called: isCalled } = sequenceState.parse(answer).rows[0];
  return isCalled ? last : 0;
}

/** Makes the next API key's number higher than this one. */
export async function writeHighestKeyId(db: Database, highest: number): Promise<void> {
  if (highest === 0) return;
  if (dialectOf(db) === 'sqlite') {
    await db('sqlite_sequence').where({ name: KEYS_TABLE }).delete();
    await db('sqlite_sequence').insert({ name: KEYS_TABLE, seq: highest });
  } else {
    await db.raw('SELECT setval(?, ?)', [await postgresqlSequence(db), highest]);
  }
}
