import type { Database } from '../storage.js';

/** Filled by the next program that opens the database with its secret, which migrations do not know. */
export const sealedPeppers = {
  name: '008-sealed-peppers',
  up: async (db: Database) => {
    await db.schema.alterTable('installation', (table) => {
      table.text('key_pepper');
      table.text('refresh_token_pepper');
    });
  },
};
