import type { Database } from '../storage.js';

/** Indexes keys by their prefix, the part that may be shown. */
export const findKeys = {
  name: '013-find-keys',
  up: async (db: Database) => {
    await db.schema.alterTable('api_keys', (table) => {
      table.index('prefix');
    });
  },
};
