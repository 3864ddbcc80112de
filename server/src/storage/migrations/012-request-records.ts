import type { Database } from '../storage.js';

const operationCharacters = 32;
const outcomeCharacters = 8;
const idCharacters = 32;
/** How many `took_` columns there are. A literal, because a released migration must not change with the program. */
const TIME_COLUMNS = 14;

/** The outcomes of requests: counts by minute, hour and day, and the latest requests of each key. */
export const requestRecords = {
  name: '012-request-records',
  up: async (db: Database) => {
    await db.schema.createTable('usage_counts', (table) => {
      table.integer('span_minutes').notNullable();
      table.integer('start_minute').notNullable();
      table.integer('key_id').notNullable();
      table.string('operation', operationCharacters).notNullable();
      table.string('outcome', outcomeCharacters).notNullable();
      table.integer('requests').notNullable();
      for (let range = 0; range < TIME_COLUMNS; range += 1) table.integer(`took_${range}`).notNullable();
      // In this column order, the counts of all keys in a few spans are found without reading other spans.
      table.primary(['span_minutes', 'start_minute', 'key_id', 'operation', 'outcome']);
      table.index('key_id');
    });

    // One row holds the requests of a key between two writes (since migration 020, those with the same outcome), so a
    // busy key does not cost one row per request.
    await db.schema.createTable('request_log', (table) => {
      table.integer('key_id').notNullable();
      table.string('id', idCharacters).notNullable();
      table.bigInteger('at').notNullable().index();
      table.integer('requests').notNullable();
      table.text('entries').notNullable();
      table.primary(['key_id', 'id']);
    });
  },
};
