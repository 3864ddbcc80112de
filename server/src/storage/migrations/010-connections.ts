import type { Database } from '../storage.js';

const idCharacters = 32;
const hashCharacters = 64;
const nameCharacters = 100;
const hostCharacters = 255;
const urlCharacters = 2048;

/**
 * Assistants that use `/mcp`: the clients that registered themselves, and the connections that people made.
 */
export const connections = {
  name: '010-connections',
  up: async (db: Database) => {
    await db.schema.createTable('oauth_clients', (table) => {
      table.string('id', idCharacters).primary();
      table.string('name', nameCharacters).notNullable();
      table.text('redirect_uris').notNullable();
      table.bigInteger('created_at').notNullable();
      table.bigInteger('used_at').index();
    });

    await db.schema.createTable('oauth_connections', (table) => {
      table.string('id', idCharacters).primary();
      table.integer('key_id').notNullable().unique().references('api_keys.id').onDelete('CASCADE');
      table.string('client_id', urlCharacters).notNullable();
      table.string('client_name', nameCharacters).notNullable();
      table.string('client_host', hostCharacters);
      table.string('redirect_uri', urlCharacters).notNullable();
      table.string('resource', urlCharacters).notNullable();
      table.string('code_hash', hashCharacters).notNullable().unique();
      table.string('code_challenge', hashCharacters).notNullable();
      table.bigInteger('redeemed_at');
      table.string('access_hash', hashCharacters).unique();
      table.bigInteger('access_expires_at');
      table.string('family_hash', hashCharacters).unique();
      table.string('refresh_hash', hashCharacters);
      table.bigInteger('expires_at').notNullable().index();
      table.bigInteger('created_at').notNullable();
    });
  },
};
