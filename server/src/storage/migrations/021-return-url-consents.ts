import type { Database } from '../storage.js';

const idCharacters = 32;

/** The consents of accounts: /apilogin gives a return URL tokens of the account without asking the owner again. */
export const returnUrlConsents = {
  name: '021-return-url-consents',
  up: async (db: Database) => {
    await db.schema.createTable('return_url_consents', (table) => {
      table.string('account_id', idCharacters).notNullable().references('accounts.id').onDelete('CASCADE');
      table
        .string('return_url_id', idCharacters)
        .notNullable()
        .references('return_urls.id')
        .onDelete('CASCADE')
        .index();
      table.bigInteger('agreed_at').notNullable();
      table.primary(['account_id', 'return_url_id']);
    });
  },
};
