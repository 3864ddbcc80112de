import { errorCode, meaningOf, ServiceError } from '../platform/errors.js';
import { tlsProblem } from './postgresql/tls-problem.js';

const SQLITE_ADVICE: Record<string, (file: string) => string> = {
  SQLITE_NOTADB: (file) =>
    `${file} is not a database. Signpost leaves it as it is: restore a backup there, or move the file away to start ` +
    'with an empty database.',
  SQLITE_CORRUPT: (file) =>
    `The database ${file} is damaged. Signpost leaves it as it is: restore a backup there, or move the file away ` +
    'together with its -wal and -shm files to start with an empty database.',
  SQLITE_BUSY: (file) =>
    `The database ${file} stayed locked by another program. Close that program, or try again in a moment.`,
  SQLITE_READONLY: (file) =>
    `The database ${file} cannot be written. Give the user that Signpost runs as the right to write it and its folder.`,
  SQLITE_CANTOPEN: (file) =>
    `The database ${file} cannot be opened. Give the user that Signpost runs as the right to its folder.`,
};

const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/**
 * Converts an error of a known cause about a database file to a ServiceError that explains it. Returns other errors
 * unchanged.
 */
export function sqliteProblem(file: string, error: unknown): unknown {
  const why = errorCode(error) === 'EEXIST' ? 'a part of its path is a file' : meaningOf(error);
  const cure = DISK_FULL_CODES.has(errorCode(error)) ? 'Make room there' : 'Correct that';
  const words =
    SQLITE_ADVICE[errorCode(error)]?.(file) ??
    (why === undefined
      ? undefined
      : `The database ${file} cannot be opened: ${why}. ${cure}, or choose another data folder with SIGNPOST_DATA_DIR.`);
  return words === undefined ? error : new ServiceError('internal', words, { cause: error });
}

/** The address of a database, safe to show: without user and password. */
function shownAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const POSTGRESQL_ADVICE: Record<string, (address: string) => string> = {
  ECONNREFUSED: (address) =>
    `No PostgreSQL answers at ${address}. Start it, or correct SIGNPOST_DATABASE_URL.`,
  ETIMEDOUT: (address) =>
    `The PostgreSQL at ${address} does not answer. Check the network between this machine and that one.`,
  '28P01': (address) =>
    `The PostgreSQL at ${address} refuses the user and password. Correct them in SIGNPOST_DATABASE_URL.`,
  '28000': (address) =>
    `The PostgreSQL at ${address} does not let this user connect from here. Allow it in pg_hba.conf, or use another user.`,
  '3D000': (address) =>
    `There is no database ${address}. Make it, for example with: createdb --encoding UTF8 NAME`,
  '42501': (address) =>
    `The user of the database ${address} may not make tables there. Make it the owner of that database.`,
  '53300': (address) => `The PostgreSQL at ${address} has no connection left. Raise its max_connections.`,
  '53100': (address) => `The disk of the PostgreSQL at ${address} is full. Make room and try again.`,
  '57P03': (address) => `The PostgreSQL at ${address} is still starting. Try again in a moment.`,
  '25006': (address) =>
    `The database ${address} can only be read: it may be a standby. Set SIGNPOST_DATABASE_URL to the primary.`,
};

const TIMED_OUT = /timeout/iu;
/** Further system errors which mean that the address is wrong or cannot be reached. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Converts an error of a known cause about a PostgreSQL database, or the ServiceError that has it as its cause, to a
 * ServiceError that explains it. Returns other errors unchanged.
 */
export function postgresqlProblem(url: string, thrown: unknown): unknown {
  const error = thrown instanceof ServiceError ? thrown.cause : thrown;
  // A ServiceError without a cause is not about the connection, and is already explained.
  if (error === undefined) return thrown;
  const address = shownAddress(url);
  const isLate = error instanceof Error && TIMED_OUT.test(error.message);
  const advice = POSTGRESQL_ADVICE[errorCode(error)] ?? (isLate ? POSTGRESQL_ADVICE['ETIMEDOUT'] : undefined);
  const why = UNREACHABLE.has(errorCode(error)) ? meaningOf(error) : undefined;
  const words =
    tlsProblem(address, error) ??
    advice?.(address) ??
    (why === undefined
      ? undefined
      : `The database ${address} cannot be reached: ${why}. Correct SIGNPOST_DATABASE_URL.`);
  return words === undefined ? thrown : new ServiceError('internal', words, { cause: error });
}
