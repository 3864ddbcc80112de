import type { Database } from '../storage.js';

const idCharacters = 32;
const hashCharacters = 64;
const operationCharacters = 32;
const mediaTypeCharacters = 100;

/** A table of links to captures, and a table with the bytes of each link's capture, split into chunks. */
export const captureLinks = {
  name: '022-capture-links',
  up: async (db: Database) => {
    await db.schema.createTable('capture_links', (table) => {
      table.string('id', idCharacters).primary();
      table.string('hash', hashCharacters).notNullable().unique();
      table
        .string('account_id', idCharacters)
        .notNullable()
        .references('accounts.id')
        .onDelete('CASCADE')
        .index();
      table.integer('key_id').notNullable().references('api_keys.id').onDelete('CASCADE').index();
      table.string('operation', operationCharacters).notNullable();
      table.text('ciphertext').notNullable();
      table.string('encryption_key_id', idCharacters).notNullable().references('encryption_keys.id');
      table.integer('refresh_seconds').notNullable();
      table.bigInteger('created_at').notNullable();
      table.bigInteger('expires_at').notNullable().index();
      table.bigInteger('ended_at').index();
      table.string('capture_id', idCharacters);
      table.string('media_type', mediaTypeCharacters);
      table.integer('bytes');
      table.bigInteger('captured_at');
      table.bigInteger('retry_at');
      table.string('failure', operationCharacters);
      table.bigInteger('claimed_until');
    });

    await db.schema.createTable('capture_link_chunks', (table) => {
      table.string('capture_id', idCharacters).notNullable();
      table.integer('number').notNullable();
      table
        .string('link_id', idCharacters)
        .notNullable()
        .references('capture_links.id')
        .onDelete('CASCADE')
        .index();
      table.binary('body').notNullable();
      table.primary(['capture_id', 'number']);
    });
  },
};
