import type { Database } from '../storage.js';

const idCharacters = 32;
const hashCharacters = 64;
const addressCharacters = 64;
const browserCharacters = 100;

/** New columns of sessions are nullable or have a default: during an upgrade, older servers also create sessions. */
export const sessionsAndSecondFactor = {
  name: '007-sessions-and-second-factor',
  up: async (db: Database) => {
    await db.schema.alterTable('sessions', (table) => {
      table.bigInteger('begun_at');
      table.bigInteger('used_at');
      table.bigInteger('password_at');
      table.string('address', addressCharacters);
      table.string('browser', browserCharacters);
      table.boolean('awaits_code').notNullable().defaultTo(false);
    });

    await db.schema.alterTable('accounts', (table) => {
      table.boolean('has_second_factor').notNullable().defaultTo(false);
    });

    await db.schema.createTable('second_factors', (table) => {
      table.string('id', idCharacters).primary();
      table
        .string('account_id', idCharacters)
        .notNullable()
        .unique()
        .references('accounts.id')
        .onDelete('CASCADE');
      table.text('ciphertext').notNullable();
      table.string('encryption_key_id', idCharacters).notNullable().references('encryption_keys.id');
      table.bigInteger('last_step');
      table.bigInteger('created_at').notNullable();
    });

    await db.schema.createTable('recovery_codes', (table) => {
      table.string('hash', hashCharacters).primary();
      table
        .string('account_id', idCharacters)
        .notNullable()
        .references('accounts.id')
        .onDelete('CASCADE')
        .index();
    });
  },
};
