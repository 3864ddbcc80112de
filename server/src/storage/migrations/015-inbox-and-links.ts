import type { Database } from '../storage.js';

const idCharacters = 32;
const kindCharacters = 16;
const hashCharacters = 64;
const emailCharacters = 254;
const nameCharacters = 100;
/** Enough for the longest subject, which is the kind of a request and an e-mail address. */
const subjectCharacters = 300;

/**
 * Requests to the operator, one-time links, the days on which an account was alerted about a limit, and whether an
 * account turned alerts off.
 */
export const inboxAndLinks = {
  name: '015-inbox-and-links',
  up: async (db: Database) => {
    await db.schema.createTable('inbox_requests', (table) => {
      table.string('id', idCharacters).primary();
      table.string('kind', kindCharacters).notNullable();
      table.string('subject', subjectCharacters).notNullable().unique();
      table.string('account_id', idCharacters).references('accounts.id').onDelete('CASCADE').index();
      table.integer('key_id').references('api_keys.id').onDelete('CASCADE').index();
      table.string('email', emailCharacters);
      table.string('name', nameCharacters);
      table.text('reason');
      table.integer('per_minute');
      table.integer('per_day');
      table.bigInteger('asked_at').notNullable();
      table.string('outcome', kindCharacters);
      table.text('answer');
      table.bigInteger('decided_at');
      table.index(['outcome', 'asked_at']);
    });

    await db.schema.createTable('one_time_links', (table) => {
      table.string('account_id', idCharacters).primary().references('accounts.id').onDelete('CASCADE');
      table.string('kind', kindCharacters).notNullable();
      table.string('hash', hashCharacters).notNullable().unique();
      table.bigInteger('expires_at').notNullable();
    });

    await db.schema.createTable('limit_alerts', (table) => {
      table.integer('day').notNullable();
      table.string('account_id', idCharacters).notNullable().references('accounts.id').onDelete('CASCADE');
      table.integer('key_id').notNullable();
      table.integer('percent').notNullable();
      table.primary(['day', 'account_id', 'key_id', 'percent']);
      table.index('account_id');
    });

    await db.schema.alterTable('accounts', (table) => {
      table.boolean('alerts_off').notNullable().defaultTo(false);
    });
  },
};
