import type { Database } from '../storage.js';

const nameCharacters = 100;

/** Keys get a name, a note, an end, a disabled state and the key that they replace. Projects can be deleted. */
export const keyLife = {
  name: '014-key-life',
  up: async (db: Database) => {
    await db.schema.alterTable('api_keys', (table) => {
      table.string('name', nameCharacters);
      table.text('note');
      table.bigInteger('ends_at');
      table.bigInteger('disabled_at');
      table.integer('replaces_id').index();
    });
    await db.schema.alterTable('projects', (table) => {
      table.bigInteger('deleted_at');
    });
  },
};
