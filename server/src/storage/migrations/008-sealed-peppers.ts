import type { Database } from '../storage.js';

/**
 * Columns for the sealed peppers. The next program that opens the database with its secret fills them, because
 * migrations do not know the secret.
 */
export const sealedPeppers = {
  name: '008-sealed-peppers',
  up: async (db: Database) => {
    await db.schema.alterTable('installation', (table) => {
      table.text('key_pepper');
      table.text('refresh_token_pepper');
    });
  },
};
