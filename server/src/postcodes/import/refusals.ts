import { ServiceError } from '../../platform/errors.js';

/** Why a directory was not imported, in words for the person who imports it. */
export class ImportError extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('invalidRequest', message, { cause });
    this.name = 'ImportError';
  }
}

/** A place in a source file: lines count from 1. */
interface Place {
  readonly file: string;
  readonly line: number;
  /** The header's word for the column, or its number from 1. */
  readonly column?: string | undefined;
}

export const formatPlace = ({ file, line, column }: Place) =>
  `${file}, line ${line}${column === undefined ? '' : `, column ${column}`}`;

export const MEBIBYTE = 1024 * 1024;

/**
 * How much an import reads at most, whatever an archive or a server says of itself. An edition is about 240 MB packed
 * and over 1 GB unpacked, in some 200 files; each of its tables of names has a few MB. All bounds leave room to grow.
 */
export const IMPORT_BOUNDS = {
  /** Of an address, which may send the csv itself. */
  maxDownloadBytes: 2_048 * MEBIBYTE,
  /** Of the csv files of the directory, unpacked. */
  maxRowsBytes: 4_096 * MEBIBYTE,
  /** Of a table of names; what is larger is no such table. */
  maxTableBytes: 8 * MEBIBYTE,
  /** Of all tables of names. They are in memory at once. */
  maxTablesBytes: 32 * MEBIBYTE,
  maxArchiveFiles: 2_000,
};

export type ImportBounds = Readonly<typeof IMPORT_BOUNDS>;

/** Refuses what has more bytes than it may; `what` begins the sentence. */
export function assertWithin(bytes: number, maxBytes: number, what: string): void {
  if (bytes <= maxBytes) return;
  throw new ImportError(
    `${what} more than ${Math.ceil(maxBytes / MEBIBYTE)} MB, which no edition of the directory has.`,
  );
}
