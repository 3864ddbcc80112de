import { errorCode, ServiceError } from '../platform/errors.js';
import type { PreparedQueries } from './storage.js';

export const WRITE_PROBE_TABLE = 'write_probe';

/** The minimum size of the probe: four SQLite pages, so that it fails if there is no room for counts. */
const PROBE_CHARACTERS = 4 * 4_096;

/**
 * Writes the only row of the probe's table, in the same database and in the same way as counts. `stamp` must differ
 * each time, so that the row's bytes change: SQLite does not rewrite an unchanged page.
 */
export async function probeWrite(queries: PreparedQueries, stamp: number): Promise<void> {
  const text = `${stamp} `;
  const content = text.repeat(Math.ceil(PROBE_CHARACTERS / text.length));
  await queries.all(
    `INSERT INTO ${WRITE_PROBE_TABLE} (id, content) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET content = excluded.content`,
    [content],
  );
}

const EXPLANATION_BY_CODE: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'Its disk is full: make room there.',
  '53100': 'Its disk is full: make room there.',
  SQLITE_READONLY: 'It can only be read: give the server the right to write it.',
  '25006': 'It can only be read: it may be a standby, or set to read-only.',
  SQLITE_BUSY: 'Another program keeps it locked.',
};

/** Says why nothing can be stored, in words that are safe to show to anybody. The error itself is only for the log. */
export function writeProblem(error: unknown): string {
  const isAway = error instanceof ServiceError;
  const words = EXPLANATION_BY_CODE[errorCode(isAway ? error.cause : error)];
  return words ?? (isAway ? 'It does not answer.' : 'It cannot be written to; the log says why.');
}
