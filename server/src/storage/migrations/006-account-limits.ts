import { dialectOf, type Database } from '../storage.js';

/**
 * `used_by_account` makes other calls for the same account wait until the transaction ends. It returns the usage of the
 * account's keys on a day, except keys revoked before `asked_since`. Each query of a VOLATILE function sees everything
 * that was committed before the query began.
 */
const readInPostgresql = `
  CREATE FUNCTION used_by_account(asked_account text, asked_day integer, asked_minute integer, asked_since bigint)
    RETURNS TABLE (key_id integer, requests integer, minute integer, minute_requests integer, earlier_requests integer)
    LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(asked_account, 0));
    RETURN QUERY
      SELECT u.key_id, u.requests, u.minute, u.minute_requests, COALESCE(m.requests, 0)
      FROM projects p
      JOIN api_keys k ON k.project_id = p.id AND (k.revoked_at IS NULL OR k.revoked_at >= asked_since)
      JOIN usage_days u ON u.key_id = k.id AND u.day = asked_day
      LEFT JOIN usage_minutes m ON m.key_id = u.key_id AND m.minute = asked_minute
      WHERE p.account_id = asked_account;
  END $$`;

/**
 * Adds the limits of accounts. Whenever requests of a key are counted, its row for the day also gets its account's
 * limits and, if there are any, the usage of all keys of the account.
 */
export const accountLimits = {
  name: '006-account-limits',
  up: async (db: Database) => {
    await db.schema.alterTable('accounts', (table) => {
      table.integer('per_minute');
      table.integer('per_day');
    });
    await db.schema.alterTable('usage_days', (table) => {
      table.integer('account_per_minute');
      table.integer('account_per_day');
      table.integer('account_requests');
      table.integer('account_minute_requests');
    });
    // Makes reading the usage of an account fast: keys revoked long ago, which add up over the years, are not read.
    await db.schema.alterTable('api_keys', (table) => {
      table.dropIndex('project_id');
      table.index(['project_id', 'revoked_at']);
    });
    if (dialectOf(db) === 'postgresql') await db.raw(readInPostgresql);
  },
};
