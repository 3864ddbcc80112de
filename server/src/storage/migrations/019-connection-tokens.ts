import type { Database } from '../storage.js';

const idCharacters = 32;
const hashCharacters = 64;

/**
 * Access tokens of connections get a table of their own, so that each expires at its own time. The columns access_hash
 * and access_expires_at of oauth_connections stay for servers of version 0.1 that still run during an upgrade. Another
 * table keeps the hash of each replaced refresh token, with the tokens that replaced it.
 */
export const connectionTokens = {
  name: '019-connection-tokens',
  up: async (db: Database) => {
    await db.schema.createTable('oauth_access_tokens', (table) => {
      table.string('hash', hashCharacters).primary();
      table
        .string('connection_id', idCharacters)
        .notNullable()
        .references('oauth_connections.id')
        .onDelete('CASCADE')
        .index();
      table.bigInteger('expires_at').notNullable().index();
    });
    await db.raw(
      'INSERT INTO oauth_access_tokens (hash, connection_id, expires_at) ' +
        'SELECT access_hash, id, access_expires_at FROM oauth_connections ' +
        'WHERE access_hash IS NOT NULL AND access_expires_at IS NOT NULL',
    );

    await db.schema.createTable('oauth_replaced_tokens', (table) => {
      table.string('hash', hashCharacters).primary();
      table
        .string('connection_id', idCharacters)
        .notNullable()
        .references('oauth_connections.id')
        .onDelete('CASCADE')
        .index();
      table.bigInteger('replaced_at').notNullable().index();
      table.text('successor').notNullable();
    });
  },
};
