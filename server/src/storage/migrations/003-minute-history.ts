import { dialectOf, type Database } from '../storage.js';

const keepInSqlite = `
  CREATE TRIGGER keep_minute AFTER UPDATE OF minute ON usage_days WHEN NEW.minute <> OLD.minute
  BEGIN
    INSERT INTO usage_minutes (key_id, minute, requests) VALUES (OLD.key_id, OLD.minute, OLD.minute_requests)
      ON CONFLICT (key_id, minute) DO UPDATE SET requests = excluded.requests;
  END`;

/**
 * `used_in_minute` is VOLATILE, so it sees everything committed before its call. A subquery would only see what was
 * committed before the counting statement began, and that statement may since have waited for another server.
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
 * Keeps each key's usage of earlier minutes, in case a clock is set back to them. A trigger stores it, at the cost of
 * one row per key and minute.
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
