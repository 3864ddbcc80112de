import { dialectOf, type Database } from '../storage.js';

const idCharacters = 32;
const kindCharacters = 64;
const addressCharacters = 64;
/** 400 days. A literal, because a released migration must not change with the program. */
const KEPT_MS = 400 * 86_400_000;

const COLUMNS = ['id', 'at', 'kind', 'actor_id', 'subject_id', 'via', 'detail'];
const ONLY_GROWS = 'The audit only grows: an entry is neither changed nor removed before its time.';

const nowMsInSqlite = "CAST(strftime('%s', 'now') AS INTEGER) * 1000";
const inSqlite = [
  `CREATE TRIGGER audit_update BEFORE UPDATE ON audit
   WHEN NEW.address IS NOT NULL OR ${COLUMNS.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(' OR ')}
   BEGIN SELECT RAISE(ABORT, '${ONLY_GROWS}'); END`,
  `CREATE TRIGGER audit_delete BEFORE DELETE ON audit WHEN OLD.at > ${nowMsInSqlite} - ${KEPT_MS}
   BEGIN SELECT RAISE(ABORT, '${ONLY_GROWS}'); END`,
];

const valuesOf = (row: string) => COLUMNS.map((name) => `${row}.${name}`).join(', ');
const inPostgresql = [
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN RAISE EXCEPTION '${ONLY_GROWS}'; END $$`,
  `CREATE TRIGGER audit_update BEFORE UPDATE ON audit FOR EACH ROW
   WHEN (NEW.address IS NOT NULL OR (${valuesOf('NEW')}) IS DISTINCT FROM (${valuesOf('OLD')}))
   EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_delete BEFORE DELETE ON audit FOR EACH ROW
   WHEN (OLD.at > extract(epoch FROM clock_timestamp()) * 1000 - ${KEPT_MS})
   EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse_audit_change()`,
];

/**
 * Entries contain account ids without a foreign key, because entries outlive accounts. An entry cannot be removed for
 * 400 days; only its address can be erased.
 */
export const audit = {
  name: '009-audit',
  up: async (db: Database) => {
    await db.schema.createTable('audit', (table) => {
      table.string('id', idCharacters).primary();
      table.bigInteger('at').notNullable().index();
      table.string('kind', kindCharacters).notNullable();
      table.string('actor_id', idCharacters).index();
      table.string('subject_id', idCharacters).index();
      table.string('via', idCharacters).notNullable();
      table.string('address', addressCharacters);
      table.text('detail');
    });
    for (const statement of dialectOf(db) === 'postgresql' ? inPostgresql : inSqlite) await db.raw(statement);
  },
};
