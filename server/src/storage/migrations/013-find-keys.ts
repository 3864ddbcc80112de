import type { Database } from '../storage.js';

/** Keys are found by the characters of them that are shown. */
export const findKeys = {
  name: '013-find-keys',
  up: async (db: Database) => {
    await db.schema.alterTable('api_keys', (table) => {
      table.index('prefix');
    });
  },
};
