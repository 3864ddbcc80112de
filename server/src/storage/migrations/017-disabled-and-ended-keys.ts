import { dialectOf, type Database } from '../storage.js';

/** SQL expression: when a key was revoked, or else when it ends for good; the largest number if it has no end. */
const OVER_AT = 'COALESCE(revoked_at, ends_at, 9223372036854775807)';

/**
 * The function of migration 006, changed: it leaves out keys that were revoked or ended before `asked_since`, and not
 * only those revoked before then.
 */
const readInPostgresql = `
  CREATE OR REPLACE FUNCTION used_by_account(
      asked_account text, asked_day integer, asked_minute integer, asked_since bigint)
    RETURNS TABLE (key_id integer, requests integer, minute integer, minute_requests integer, earlier_requests integer)
    LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(asked_account, 0));
    RETURN QUERY
      SELECT u.key_id, u.requests, u.minute, u.minute_requests, COALESCE(m.requests, 0)
      FROM projects p
      JOIN api_keys k ON k.project_id = p.id
        AND COALESCE(k.revoked_at, k.ends_at, 9223372036854775807) >= asked_since
      JOIN usage_days u ON u.key_id = k.id AND u.day = asked_day
      LEFT JOIN usage_minutes m ON m.key_id = u.key_id AND m.minute = asked_minute
      WHERE p.account_id = asked_account;
  END $$`;

/**
 * Stores whether an operator disabled a key, in which case only an operator can enable it. Adds an index that finds the
 * keys of a project by the time when they ended or were revoked.
 */
export const disabledAndEndedKeys = {
  name: '017-disabled-and-ended-keys',
  up: async (db: Database) => {
    await db.schema.alterTable('api_keys', (table) => {
      table.boolean('disabled_by_operator').notNullable().defaultTo(false);
    });
    // Ended keys add up over the years. In this column order, old ones are not even read.
    await db.raw(`CREATE INDEX api_keys_project_id_over_index ON api_keys (project_id, ${OVER_AT})`);
    if (dialectOf(db) === 'postgresql') await db.raw(readInPostgresql);
  },
};
