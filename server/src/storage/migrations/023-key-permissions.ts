import type { Database } from '../storage.js';

const permissionsCharacters = 64;

/** What a key may do, such as "captures,usage"; null for everything. */
export const keyPermissions = {
  name: '023-key-permissions',
  up: async (db: Database) => {
    await db.schema.alterTable('api_keys', (table) => {
      table.string('permissions', permissionsCharacters);
    });
  },
};
