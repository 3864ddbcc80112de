import { ServiceError } from '../../platform/errors.js';

/** The reason why a directory was not imported, with a message for the person who imports it. */
export class ImportError extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('invalidRequest', message, { cause });
    this.name = 'ImportError';
  }
}

/** A position in a source file. Lines are 1-based. */
interface FilePosition {
  readonly file: string;
  readonly line: number;
  /** The title of the column, or its 1-based number. */
  readonly column?: string | undefined;
}

export const formatPosition = ({ file, line, column }: FilePosition) =>
  `${file}, line ${line}${column === undefined ? '' : `, column ${column}`}`;

export const MEBIBYTE = 1024 * 1024;
const MEGABYTE = 1_000_000;

/**
 * How much an import reads at most, whatever an archive or a server declares. An edition is about 240 MB packed and
 * over 1 GB unpacked, in some 200 files; each of its tables of names has a few MB.
 */
export const IMPORT_BOUNDS = {
  /** The maximum size of a download, which may be an unpacked csv file. */
  maxDownloadBytes: 2_000 * MEGABYTE,
  /** The maximum size of all csv files with postcodes together, unpacked. Tables of names do not count. */
  maxRowsBytes: 4_000 * MEGABYTE,
  /** The maximum size of a table of names. Larger files are not read as tables. */
  maxTableBytes: 8 * MEGABYTE,
  /** The maximum size of all tables of names together, which are in memory at the same time. */
  maxTablesBytes: 32 * MEGABYTE,
  maxArchiveFiles: 2_000,
};

export type ImportBounds = Readonly<typeof IMPORT_BOUNDS>;

/**
 * Throws an ImportError if there are more bytes than allowed. The message begins with `subject`, which ends in a verb,
 * such as "has".
 */
export function assertWithin(bytes: number, maxBytes: number, subject: string): void {
  if (bytes <= maxBytes) return;
  throw new ImportError(
    `${subject} more than ${Math.max(1, Math.round(maxBytes / MEGABYTE))} MB, which no edition of the directory has.`,
  );
}
