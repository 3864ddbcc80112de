import type { Database as Connection } from 'sqlite3';
import { z } from 'zod';
import { ServiceError } from '../../service-error.js';
import type { Database } from '../storage.js';

/** "Sgnp": the mark in a file's header that says whose database it is. */
const applicationId = 0x53_67_6e_70;

const header = z.object({ application_id: z.number(), objects: z.number() });

const readHeader = (connection: Connection) =>
  new Promise<unknown>((resolve, reject) => {
    const sql =
      'SELECT application_id, (SELECT count(*) FROM sqlite_master) AS objects FROM pragma_application_id';
    connection.get(sql, (error, row) => {
      if (error === null) resolve(row);
      else reject(error);
    });
  });

/** Throws a ServiceError where the file is another program's database: neither marked as ours nor empty. */
export async function refuseForeignFile(connection: Connection, file: string): Promise<void> {
  const { application_id: mark, objects } = header.parse(await readHeader(connection));
  if (mark === applicationId || (mark === 0 && objects === 0)) return;
  throw new ServiceError(
    'internal',
    `${file} is the database of another program. Choose another data folder, or move the file away.`,
  );
}

/**
 * Marks the file as ours. Being a write, it takes the write lock, and as the first statement of a transaction it
 * waits for another writer instead of failing.
 */
export async function markFile(transaction: Database): Promise<void> {
  await transaction.raw(`PRAGMA application_id = ${applicationId}`);
}
