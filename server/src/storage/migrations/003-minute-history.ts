import { dialectOf, type Database } from '../storage.js';

const keepInSqlite = `
  CREATE TRIGGER keep_minute AFTER UPDATE OF minute ON usage_days WHEN NEW.minute <> OLD.minute
  BEGIN
    INSERT INTO usage_minutes (key_id, minute, requests) VALUES (OLD.key_id, OLD.minute, OLD.minute_requests)
      ON CONFLICT (key_id, minute) DO UPDATE SET requests = excluded.requests;
  END`;

/**
 * A function that may change things sees what was committed up to its call. A sub-select in the statement that counts
 * would see what there was when that began, before it waited for another server's.
 */
const keepInPostgresql = `
  CREATE FUNCTION used_in_minute(asked_key integer, asked_minute integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    RETURN COALESCE((SELECT requests FROM usage_minutes WHERE key_id = asked_key AND minute = asked_minute), 0);
  END $$;
  CREATE FUNCTION keep_minute() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_minutes (key_id, minute, requests) VALUES (OLD.key_id, OLD.minute, OLD.minute_requests)
      ON CONFLICT (key_id, minute) DO UPDATE SET requests = excluded.requests;
    RETURN NULL;
  END $$;
  CREATE TRIGGER keep_minute AFTER UPDATE OF minute ON usage_days
    FOR EACH ROW WHEN (NEW.minute <> OLD.minute) EXECUTE FUNCTION keep_minute()`;

/**
 * Keeps what each key used of the minutes before, for clocks that are set back to them. By trigger: it costs a key one
 * row per minute, and nothing in the statement that counts.
 */
export const minuteHistory = {
  name: '003-minute-history',
  up: async (db: Database) => {
    await db.schema.createTable('usage_minutes', (table) => {
      table.integer('key_id').notNullable();
      table.integer('minute').notNullable().index();
      table.integer('requests').notNullable();
      table.primary(['key_id', 'minute']);
    });
    await db.raw(dialectOf(db) === 'postgresql' ? keepInPostgresql : keepInSqlite);
  },
};
