import { ServiceError } from '../../platform/errors.js';
import { INSTALLATION_ID, type InstallationRow } from '../rows.js';
import { type Database, dialectOf } from '../storage.js';
import { AUDIT_TABLE, COPIED_TABLES, SESSIONS_TABLE } from './copied-tables.js';
import { assignKeyIds, readHighestKeyId, withKeyIds, writeHighestKeyId } from './key-ids.js';
import { readTableShape, type RowBatch, type RowSource, type TableShape } from './row-source.js';
import { withoutTimeout } from './write-exclusively.js';

/** How many rows one INSERT has at most: SQLite allows at most 32,766 values in a statement. */
const ROWS_PER_STATEMENT = 500;

const shapeText = ({ columns }: TableShape) => columns.map(({ name, kind }) => `${name} ${kind}`).join(', ');

async function requireShape(transaction: Database, shape: TableShape): Promise<void> {
  const currentShape = await readTableShape(transaction, shape.name);
  if (shapeText(currentShape) === shapeText(shape) && currentShape.columns.length > 0) return;
  throw new ServiceError(
    'internal',
    `The rows of the table ${shape.name} do not fit this version's schema.`,
    {
      detail: `There: ${shapeText(currentShape)}. Rows: ${shapeText(shape)}.`,
    },
  );
}

/** Throws a ServiceError if a text contains NUL, which PostgreSQL cannot store, unlike SQLite. */
function rejectNul({ table, rows }: RowBatch): void {
  for (const row of rows) {
    const index = row.findIndex((value) => typeof value === 'string' && value.includes('\0'));
    if (index === -1) continue;
    throw new ServiceError(
      'internal',
      `A text in ${table.name}.${table.columns[index]?.name ?? ''} holds the character NUL, which PostgreSQL cannot ` +
        'store. Change that text first.',
    );
  }
}

async function insertBatch(transaction: Database, { table, rows }: RowBatch): Promise<void> {
  const names = table.columns.map(({ name }) => name);
  const oneRow = `(${names.map(() => '?').join(', ')})`;
  const onConflict = table.name === AUDIT_TABLE ? ' ON CONFLICT DO NOTHING' : '';
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const chunk = rows.slice(start, start + ROWS_PER_STATEMENT);
    // The statement is written by hand: for SQLite, the query builder would write a compound SELECT, which is slower
    // and limited to fewer rows.
    await transaction.raw(
      `INSERT INTO ?? (${names.map(() => '??').join(', ')}) VALUES ${chunk.map(() => oneRow).join(', ')}${onConflict}`,
      [table.name, ...names, ...chunk.flat()],
    );
  }
}

/** Rows per table. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Inserts all rows of `source` into empty tables in a transaction, in batches. Only the audit may already have entries;
 * they are kept. Returns the number of rows of `source` per table. Throws a ServiceError if the columns of `source` do
 * not fit the schema or, on PostgreSQL, if a text contains NUL.
 */
export async function insertRows(transaction: Database, source: RowSource): Promise<RowCounts> {
  const isPostgresql = dialectOf(transaction) === 'postgresql';
  for (const table of source.tables) await requireShape(transaction, table);
  const counts = new Map(source.tables.map(({ name }) => [name, 0]));
  for await (const batch of source.batches()) {
    if (isPostgresql) rejectNul(batch);
    await insertBatch(transaction, batch);
    counts.set(batch.table.name, (counts.get(batch.table.name) ?? 0) + batch.rows.length);
  }
  return Object.fromEntries(counts);
}

async function readIssuer(transaction: Database): Promise<string | null> {
  const row = await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .first('issuer');
  return row?.issuer ?? null;
}

async function removeRows(transaction: Database): Promise<void> {
  const names = COPIED_TABLES.map(({ name }) => name)
    .filter((name) => name !== AUDIT_TABLE)
    .reverse();
  for (const name of [SESSIONS_TABLE, ...names]) await withoutTimeout(transaction(name).delete());
}

/**
 * Replaces the rows of the copied tables with those of `source`, and removes all sessions. The audit instead keeps its
 * entries and gets missing ones. Returns the number of rows of `source` per table.
 */
export async function copyRows(transaction: Database, source: RowSource): Promise<RowCounts> {
  const highest = Math.max(source.highestKeyId, await readHighestKeyId(transaction));
  await removeRows(transaction);
  const counts = await insertRows(transaction, source);
  await writeHighestKeyId(transaction, highest);
  return counts;
}

/**
 * Like `copyRows`, for a database that running servers use. Ids of API keys keep their meaning for those servers. The
 * public address stays that of the server that last started on this database.
 */
export async function replaceRows(transaction: Database, source: RowSource): Promise<RowCounts> {
  const keyIds = await assignKeyIds(transaction, source, await readHighestKeyId(transaction));
  const issuer = await readIssuer(transaction);
  const counts = await copyRows(transaction, withKeyIds(source, keyIds));
  if (issuer !== null) {
    await transaction<InstallationRow>('installation').where({ id: INSTALLATION_ID }).update({ issuer });
  }
  return counts;
}
