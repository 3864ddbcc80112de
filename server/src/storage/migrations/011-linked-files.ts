import type { Database } from '../storage.js';

const idCharacters = 32;
const hashCharacters = 64;
const nameCharacters = 255;
const mediaTypeCharacters = 100;

/**
 * Files that are kept for some minutes under a secret address. The bytes of a file are split into chunks, one per row.
 */
export const linkedFiles = {
  name: '011-linked-files',
  up: async (db: Database) => {
    await db.schema.createTable('linked_files', (table) => {
      table.string('hash', hashCharacters).primary();
      table
        .string('account_id', idCharacters)
        .notNullable()
        .references('accounts.id')
        .onDelete('CASCADE')
        .index();
      table.integer('key_id').notNullable().references('api_keys.id').onDelete('CASCADE').index();
      table.string('name', nameCharacters).notNullable();
      table.string('media_type', mediaTypeCharacters).notNullable();
      table.integer('bytes').notNullable();
      table.bigInteger('expires_at').notNullable().index();
    });

    await db.schema.createTable('linked_file_chunks', (table) => {
      table
        .string('file_hash', hashCharacters)
        .notNullable()
        .references('linked_files.hash')
        .onDelete('CASCADE');
      table.integer('number').notNullable();
      table.binary('body').notNullable();
      table.primary(['file_hash', 'number']);
    });
  },
};
