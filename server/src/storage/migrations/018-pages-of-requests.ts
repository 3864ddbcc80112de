import type { Database } from '../storage.js';

/** Stores whether an account's request log includes page addresses, and those addresses. */
export const pagesOfRequests = {
  name: '018-pages-of-requests',
  up: async (db: Database) => {
    await db.schema.alterTable('accounts', (table) => {
      table.boolean('logs_pages').notNullable().defaultTo(false);
    });
    // A column apart from the entries, with the addresses in the same order, so that all addresses of an account can
    // be removed at once.
    await db.schema.alterTable('request_log', (table) => {
      table.text('pages');
    });
  },
};
