import type { Database } from '../storage.js';

const nameCharacters = 100;

/** What keys are called, when they end or rest, and which one took the place of which; projects that were deleted. */
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
