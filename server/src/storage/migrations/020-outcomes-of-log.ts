import type { Database } from '../storage.js';

const outcomeCharacters = 8;

/**
 * Each row of the log now has requests with a single outcome, so that many successes do not push failures out of the
 * log.
 */
export const outcomesOfLog = {
  name: '020-outcomes-of-log',
  up: async (db: Database) => {
    await db.schema.alterTable('request_log', (table) => {
      // Null in rows from before this migration. The requests of such a row may have different outcomes.
      table.string('outcome', outcomeCharacters);
    });
  },
};
