import { forwardMigration } from './forward-migration.js';

export const capturesPerAccount = forwardMigration('004-captures-per-account', async (db) => {
  await db.schema.alterTable('accounts', (table) => {
    table.integer('captures');
  });
});
