import type { Database } from '../storage.js';

/** Indexes keys by the visible part of their text. */
export const findKeys = {
  name: '013-find-keys',
  up: async (db: Database) => {
    await db.schema.alterTable('api_keys', (table) => {
      table.index('prefix');
    });
  },
};
