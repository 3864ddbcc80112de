import type { Database } from '../storage.js';

const idCharacters = 32;
const hashCharacters = 64;
const nameCharacters = 100;
const urlCharacters = 2048;
const subjectCharacters = 400;

export const tokensAndSessions = {
  name: '002-tokens-and-sessions',
  up: async (db: Database) => {
    await db.schema.alterTable('installation', (table) => {
      table.string('issuer', urlCharacters);
    });

    await db.schema.createTable('signing_keys', (table) => {
      table.string('id', idCharacters).primary();
      table.string('public_key').notNullable();
      table.text('private_key').notNullable();
      table.bigInteger('created_at').notNullable();
      table.bigInteger('retired_at');
    });

    await db.schema.createTable('encryption_keys', (table) => {
      table.string('id', idCharacters).primary();
      table.text('wrapped_key').notNullable();
      table.bigInteger('created_at').notNullable();
    });

    await db.schema.createTable('refresh_tokens', (table) => {
      table.string('id', idCharacters).primary();
      table.string('account_id', idCharacters).notNullable().unique().references('accounts.id');
      table.string('hash', hashCharacters).notNullable().unique();
      table.text('ciphertext').notNullable();
      table.string('encryption_key_id', idCharacters).notNullable().references('encryption_keys.id');
      table.bigInteger('created_at').notNullable();
    });

    await db.schema.createTable('return_urls', (table) => {
      table.string('id', idCharacters).primary();
      table.string('url', urlCharacters).notNullable().unique();
      table.string('name', nameCharacters).notNullable();
      table.bigInteger('created_at').notNullable();
    });

    await db.schema.createTable('sessions', (table) => {
      table.string('id', hashCharacters).primary();
      table.string('account_id', idCharacters).notNullable().references('accounts.id').index();
      table.bigInteger('expires_at').notNullable().index();
    });

    await db.schema.createTable('failed_attempts', (table) => {
      table.string('subject', subjectCharacters).primary();
      table.bigInteger('window_start').notNullable().index();
      table.integer('failures').notNullable();
    });
  },
};
