import type { Database } from '../storage.js';

/** Whether the log of an account's requests names the pages that were captured, and their addresses. */
export const pagesOfRequests = {
  name: '018-pages-of-requests',
  up: async (db: Database) => {
    await db.schema.alterTable('accounts', (table) => {
      table.boolean('logs_pages').notNullable().defaultTo(false);
    });
    // Beside the entries and in their order, so that all addresses of an account are taken away at once.
    await db.schema.alterTable('request_log', (table) => {
      table.text('pages');
    });
  },
};
