import type { Database } from '../storage.js';

const subjectCharacters = 400;

/**
 * The table failed_attempts stays, because servers of the version before this migration still use it during an upgrade.
 */
export const triesAndWriteProbe = {
  name: '005-tries-and-write-probe',
  up: async (db: Database) => {
    await db.schema.createTable('tries', (table) => {
      table.string('subject', subjectCharacters).primary();
      table.text('times').notNullable();
      table.bigInteger('expires_at').notNullable().index();
    });

    await db.schema.createTable('write_probe', (table) => {
      table.integer('id').primary();
      table.text('content').notNullable();
    });
  },
};
