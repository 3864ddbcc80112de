import type { Database } from '../storage.js';

const wordCharacters = 8;

/** The operators' choice whether strangers may sign up, "open" or "closed"; null if no operator has chosen. */
export const signUpSetting = {
  name: '016-sign-up',
  up: async (db: Database) => {
    await db.schema.alterTable('installation', (table) => {
      table.string('sign_up', wordCharacters);
    });
  },
};
