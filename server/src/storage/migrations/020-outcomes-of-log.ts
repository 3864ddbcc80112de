import type { Database } from '../storage.js';

const outcomeCharacters = 8;

/** Each row of the log has requests with one outcome, so that many successes push out no failures. */
export const outcomesOfLog = {
  name: '020-outcomes-of-log',
  up: async (db: Database) => {
    await db.schema.alterTable('request_log', (table) => {
      // Null in older rows, whose requests have several outcomes.
      table.string('outcome', outcomeCharacters);
    });
  },
};
