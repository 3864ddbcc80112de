import type { Knex } from 'knex';

/** One step of the schema, known in the database by its name for ever. */
export interface ForwardMigration extends Knex.Migration {
  readonly name: string;
}

/** A step without a way back: data is taken back by restoring a backup, never by undoing a schema. */
export const forwardMigration = (name: string, up: (db: Knex) => Promise<void>): ForwardMigration => ({
  name,
  up,
  down: () => Promise.reject(new Error(`The migration ${name} cannot be undone; restore a backup.`)),
});
