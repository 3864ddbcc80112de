import type { KeyObject } from 'node:crypto';
import { ServiceError } from '../service-error.js';
import type { RowBatch, RowSource } from '../storage/transfer/row-source.js';
import type { Values } from '../storage/transfer/table-shape.js';
import { FORMAT_VERSION, headerLine, identityLine, type BackupHeader } from './backup-format.js';
import { BackupCheck } from './check-backup.js';
import { changed, cutOff, notABackup } from './damaged.js';
import { readLines } from './read-lines.js';

const ROWS_PER_BATCH = 1_000;

function parseJson(path: string, line: string, wrong: typeof changed): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw wrong(path, error);
  }
}

function parseHeader(path: string, line: string): BackupHeader {
  const value = parseJson(path, line, notABackup);
  const identity = identityLine.safeParse(value);
  if (!identity.success) throw notABackup(path);
  if (identity.data.formatVersion !== FORMAT_VERSION) {
    throw new ServiceError(
      'invalidRequest',
      `The backup ${path} was written by Signpost ${identity.data.program} in a newer format. Restore it with that ` +
        'version or a newer one.',
    );
  }
  const header = headerLine.safeParse(value);
  if (!header.success) throw changed(path, header.error);
  return header.data;
}

/** Reads what the file says of itself; throws a ServiceError where it is no backup, or one of another format. */
export async function readBackupHeader(path: string): Promise<BackupHeader> {
  for await (const line of readLines(path)) return parseHeader(path, line);
  throw notABackup(path);
}

async function* readBatches(path: string, key: KeyObject, header: BackupHeader): AsyncGenerator<RowBatch> {
  const check = new BackupCheck(path, header, key);
  let rows: Values[] = [];
  let isFirst = true;
  for await (const line of readLines(path)) {
    const value = isFirst ? undefined : parseJson(path, line, changed);
    if (isFirst) {
      if (JSON.stringify(parseHeader(path, line)) !== JSON.stringify(header)) throw changed(path);
      isFirst = false;
    } else if (Array.isArray(value)) {
      rows.push(check.row(value));
    } else {
      if (rows.length > 0) yield { table: check.table, rows };
      rows = [];
      if (check.mark(value)) continue;
    }
    check.add(line);
    if (rows.length < ROWS_PER_BATCH) continue;
    yield { table: check.table, rows };
    rows = [];
  }
  if (!check.isEnded) throw cutOff(path);
}

/**
 * The rows of a backup. Reading them to the end checks the whole file with the installation's key, and throws a
 * ServiceError where it is cut off, was changed, or was not written with the same secret.
 */
export const rowsOfBackup = (path: string, key: KeyObject, header: BackupHeader): RowSource => ({
  tables: header.tables,
  highestKeyId: header.highestKeyId,
  batches: () => readBatches(path, key, header),
});
