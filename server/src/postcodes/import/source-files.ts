import { posix } from 'node:path';
import { editionOfName } from './edition-name.js';
import { ImportError } from './import-error.js';

/** A readable file, on disk or in an archive. */
export interface SourceFile {
  /** The path in the archive or folder, or the name of the file itself. */
  readonly name: string;
  /** The size according to the archive or the file system. */
  readonly bytes: number;
  /**
   * Streams the bytes. Throws an ImportError if the file cannot be opened. If a file in an archive is damaged, its
   * stream throws an ImportError.
   */
  open(): Promise<AsyncIterable<unknown>>;
  /** Set if the bytes have a checksum, so that damage is noticed at the end of reading. */
  readonly hasChecksum?: boolean;
}

export interface Source {
  readonly files: readonly SourceFile[];
  close(): void;
}

const HIDDEN = /(?:^|\/)(?:__MACOSX\/|\.)/u;
const CSV = /\.csv$/iu;
const ZIP = /\.zip$/iu;
const TABLE = /\.(?:csv|txt)$/iu;
const WORKBOOK = /\.xls[xm]?$/iu;
/** Completes a message such as "book.xlsx is …". */
export const EXCEL_WORKBOOK =
  'an Excel workbook. Save it as csv if it has all the postcodes that you need: a sheet holds at most 1,048,576 rows, less than half of an edition. Better download the zip of the edition, which also has the names.';
const DOCUMENTS = /(?:^|\/)(?:documents|user guide)\//iu;
const NAMES_AND_CODES = /names? and codes?/iu;
export const MULTI_CSV = /(?:^|\/)multi[_ -]?csv\//iu;
const DIRECTORY_NAME = /^(?:ONSPD|NSPL)/iu;

interface PickedFiles {
  /** The files with the rows of the directory: a single one, or one for each postcode area. */
  readonly rows: readonly SourceFile[];
  readonly tables: readonly SourceFile[];
}

const isDocument = ({ name }: SourceFile) => DOCUMENTS.test(name) || NAMES_AND_CODES.test(name);
const isVisible = ({ name }: SourceFile) => !HIDDEN.test(name);
export const isZip = ({ name }: SourceFile) => ZIP.test(name);
/** Whether the file may contain rows of the directory. */
export const holdsRows = (file: SourceFile) => isVisible(file) && CSV.test(file.name) && !isDocument(file);
const isNamedAsDirectory = ({ name }: SourceFile) => DIRECTORY_NAME.test(posix.basename(name));
const largestFirst = (one: SourceFile, other: SourceFile) => other.bytes - one.bytes;

/** The edition in the name of a file, or otherwise in the name of the nearest folder that contains it. */
const editionOfPath = (path: string) =>
  path
    .split('/')
    .reverse()
    .map(editionOfName)
    .find((edition) => edition !== undefined);

const productOfPath = (path: string) => /onspd|nspl/iu.exec(posix.basename(path))?.[0].toUpperCase();

/**
 * Throws an ImportError if the paths of the csv files in a folder or an archive name more than one edition, or both
 * products.
 */
export function assertOneEdition(files: readonly SourceFile[], name: string): void {
  const paths = files.filter(holdsRows).map((file) => file.name);
  for (const [noun, valueOf] of [
    ['editions', editionOfPath],
    ['directories', productOfPath],
  ] as const) {
    const several = [...new Set(paths.flatMap((path) => valueOf(path) ?? []))].sort();
    if (several.length <= 1) continue;
    throw new ImportError(
      `${name} holds several ${noun}, ${several.join(', ')}: name the folder or the file of one.`,
    );
  }
}

/**
 * Finds the files with rows, and the tables of names and codes, among the files of a source. Leaves out tables of more
 * than `maxTableBytes`. Throws an ImportError if no file can have rows.
 */
export function pickFiles(
  files: readonly SourceFile[],
  sourceName: string,
  maxTableBytes: number,
): PickedFiles {
  const [only] = files;
  if (files.length === 1 && only !== undefined && only.name === sourceName)
    return { rows: [only], tables: [] };
  const visible = files.filter(isVisible);
  const tables = visible.filter(
    (file) => TABLE.test(file.name) && isDocument(file) && file.bytes <= maxTableBytes,
  );
  const data = files.filter(holdsRows);
  const singleFiles = data.filter(({ name }) => !MULTI_CSV.test(name)).sort(largestFirst);
  const best = singleFiles.find(isNamedAsDirectory) ?? singleFiles[0];
  if (best !== undefined) return { rows: [best], tables };
  const parts = data.filter(({ name }) => MULTI_CSV.test(name));
  if (parts.length > 0) return { rows: parts, tables };
  if (visible.some(({ name }) => name === 'xl/workbook.xml'))
    throw new ImportError(`${sourceName} is ${EXCEL_WORKBOOK}`);
  const workbook = visible.find(({ name }) => WORKBOOK.test(name));
  if (workbook !== undefined) throw new ImportError(`${workbook.name} in ${sourceName} is ${EXCEL_WORKBOOK}`);
  const zipped = visible.find(isZip);
  throw new ImportError(
    `${sourceName} holds no postcode directory: there is no csv file in it${
      zipped === undefined ? '' : `, but another archive, ${zipped.name}: unpack that one`
    }.`,
  );
}
