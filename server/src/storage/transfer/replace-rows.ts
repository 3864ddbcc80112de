import { INSTALLATION_ID, type InstallationRow } from '../rows.js';
import type { Database } from '../storage.js';
import { readHighestKeyId, writeHighestKeyId } from './highest-key-id.js';
import { insertRows, type RowCounts } from './insert-rows.js';
import { keepKeyIds, withKeyIds } from './kept-key-ids.js';
import { patiently } from './patiently.js';
import type { RowSource } from './row-source.js';
import { COPIED_TABLES, SESSIONS_TABLE } from './tables.js';

async function readIssuer(transaction: Database): Promise<string | null> {
  const row = await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .first('issuer');
  return row?.issuer ?? null;
}

async function removeRows(transaction: Database): Promise<void> {
  const names = COPIED_TABLES.map(({ name }) => name).reverse();
  for (const name of [SESSIONS_TABLE, ...names]) await patiently(transaction(name).delete());
}

/** Puts exactly the rows of `source` in the place of all that a database holds; answers how many of each table. */
export async function copyRows(transaction: Database, source: RowSource): Promise<RowCounts> {
  const highest = Math.max(source.highestKeyId, await readHighestKeyId(transaction));
  await removeRows(transaction);
  const counts = await insertRows(transaction, source);
  await writeHighestKeyId(transaction, highest);
  return counts;
}

/**
 * Puts the rows of `source` in the place of those that running servers know. Numbers of API keys go on meaning the key
 * that servers remember them for, and the public address stays that of the server that started last here.
 */
export async function replaceRows(transaction: Database, source: RowSource): Promise<RowCounts> {
  const keyIds = await keepKeyIds(transaction, source, await readHighestKeyId(transaction));
  const issuer = await readIssuer(transaction);
  const counts = await copyRows(transaction, withKeyIds(source, keyIds));
  if (issuer !== null) {
    await transaction<InstallationRow>('installation').where({ id: INSTALLATION_ID }).update({ issuer });
  }
  return counts;
}
