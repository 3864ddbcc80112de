import type { Database } from '../storage.js';

const wordCharacters = 8;

/** What operators chose: "open" or "closed"; null where nobody did. */
export const signUpSetting = {
  name: '016-sign-up',
  up: async (db: Database) => {
    await db.schema.alterTable('installation', (table) => {
      table.string('sign_up', wordCharacters);
    });
  },
};
