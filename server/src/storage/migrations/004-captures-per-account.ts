import type { Database } from '../storage.js';

export const capturesPerAccount = {
  name: '004-captures-per-account',
  up: async (db: Database) => {
    await db.schema.alterTable('accounts', (table) => {
      table.integer('captures');
    });
  },
};
