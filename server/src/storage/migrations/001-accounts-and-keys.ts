import type { Database } from '../storage.js';

const idCharacters = 32;
const emailCharacters = 254;
const nameCharacters = 100;

export const accountsAndKeys = {
  name: '001-accounts-and-keys',
  up: async (db: Database) => {
    await db.schema.createTable('installation', (table) => {
      table.integer('id').primary();
      table.string('secret_fingerprint').notNullable();
      table.bigInteger('created_at').notNullable();
    });

    await db.schema.createTable('accounts', (table) => {
      table.string('id', idCharacters).primary();
      table.string('email', emailCharacters).notNullable().unique();
      table.string('name', nameCharacters);
      table.string('password_hash').notNullable();
      table.boolean('is_operator').notNullable();
      table.boolean('has_api_access').notNullable();
      table.boolean('must_change_password').notNullable();
      table.bigInteger('disabled_at');
      table.bigInteger('created_at').notNullable();
    });

    await db.schema.createTable('projects', (table) => {
      table.string('id', idCharacters).primary();
      table.string('account_id', idCharacters).notNullable().references('accounts.id');
      table.string('name', nameCharacters).notNullable();
      table.bigInteger('created_at').notNullable();
      table.unique(['account_id', 'name']);
    });

    await db.schema.createTable('api_keys', (table) => {
      table.increments('id');
      table.string('project_id', idCharacters).notNullable().references('projects.id').index();
      table.string('hash', 64).notNullable().unique();
      table.string('prefix', idCharacters).notNullable();
      table.integer('per_minute');
      table.integer('per_day');
      table.bigInteger('created_at').notNullable();
      table.bigInteger('revoked_at');
    });

    // `key_id` has no foreign key: the statement that admits requests joins api_keys anyway, and checking a foreign key
    // would only cost another lookup per request.
    await db.schema.createTable('usage_days', (table) => {
      table.integer('key_id').notNullable();
      table.integer('day').notNullable();
      table.integer('requests').notNullable();
      table.integer('minute').notNullable();
      table.integer('minute_requests').notNullable();
      table.integer('granted').notNullable();
      table.integer('per_minute').notNullable();
      table.integer('per_day').notNullable();
      table.bigInteger('last_at');
      table.bigInteger('previous_at');
      table.integer('timed_requests').notNullable().defaultTo(0);
      table.double('timed_ms').notNullable().defaultTo(0);
      table.primary(['key_id', 'day']);
    });
  },
};
