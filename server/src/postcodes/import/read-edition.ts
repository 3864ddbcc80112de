import type { DetailSpool } from '../file/detail-spool.js';
import { DirectoryBuilder } from '../table/directory-builder.js';
import { byNameColumn, type ByNameColumn } from '../table/directory-data.js';
import { DetailRows } from './detail-rows.js';
import { editionOfName } from './edition-name.js';
import { readNames } from './names-tables.js';
import { openSource } from './open-source.js';
import { isPseudoArea } from './pseudo-codes.js';
import { readRows } from './read-rows.js';
import { assertWithin, type ImportBounds, ImportError } from './import-error.js';
import { assertOneEdition, pickFiles, type SourceFile } from './source-files.js';

/** The edition, such as "2025-08", according to the newest month in the rows; "unknown" if no row has a month. */
function editionOfRows(newestMonth: number): string {
  if (newestMonth === 0) return 'unknown';
  return `${Math.trunc(newestMonth / 100)}-${String(newestMonth % 100).padStart(2, '0')}`;
}

/**
 * Whether an edition is the ONSPD or the NSPL, according to the names of its files or, if they do not say, to the
 * columns that only the ONSPD has.
 */
function directoryKind(names: readonly string[], hasOnspdColumns: boolean): 'ONSPD' | 'NSPL' {
  const named = names
    .map((name) => /onspd|nspl/iu.exec(name)?.[0].toUpperCase())
    .find((name) => name !== undefined);
  if (named !== undefined) return named === 'NSPL' ? 'NSPL' : 'ONSPD';
  return hasOnspdColumns ? 'ONSPD' : 'NSPL';
}

/**
 * The year of the names in each column: from the column's title, or else that of the edition; null if neither is
 * known.
 */
function yearsOfNames(
  vintages: ByNameColumn<number | null> | null,
  edition: string,
): ByNameColumn<number | null> {
  const year = /^\d{4}(?=-)/u.exec(edition)?.[0];
  return byNameColumn((column) => vintages?.[column] ?? (year === undefined ? null : Number(year)));
}

interface ReadingOptions {
  readonly withoutNorthernIreland: boolean;
  readonly importedAt: string;
  readonly bounds: ImportBounds;
  /** Stores the columns that are not kept in memory. */
  readonly spool: DetailSpool;
  readonly onBytes: (done: number, total: number) => void;
}

const sizeOf = (files: readonly SourceFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Reads an edition from a zip or csv file, or from a folder. `name` is for messages and may contain the edition. Throws
 * an ImportError if something is wrong with the source.
 */
export async function readEdition(path: string, name: string, options: ReadingOptions) {
  const { withoutNorthernIreland, importedAt, bounds, spool, onBytes } = options;
  const source = await openSource(path, name, bounds.maxArchiveFiles);
  try {
    assertOneEdition(source.files, name);
    const { rows, tables } = pickFiles(source.files, name, bounds.maxTableBytes);
    assertWithin(sizeOf(tables), bounds.maxTablesBytes, `The tables of names and codes in ${name} have`);
    const nameOf = await readNames(tables);
    const builder = new DirectoryBuilder();
    const details = new DetailRows(spool);
    const total = sizeOf(rows);
    let done = 0;
    let newestMonth = 0;
    let isOnspd = false;
    let header: string | undefined;
    let vintages: ByNameColumn<number | null> | null = null;
    for (const file of rows) {
      const read = await readRows(file, { builder, details, withoutNorthernIreland }, (bytes) => {
        done += bytes;
        assertWithin(done, bounds.maxRowsBytes, `${name} has`);
        onBytes(done, total);
      });
      header ??= read.header;
      vintages ??= read.vintages;
      if (read.header !== header)
        throw new ImportError(
          `${file.name} has other columns than ${rows[0]?.name ?? name}: they are of two editions. Import the files of one.`,
        );
      newestMonth = Math.max(newestMonth, read.newestMonth);
      isOnspd ||= read.isOnspd;
    }
    if (builder.rows === 0) throw new ImportError(`${name} has a header, but no postcodes below it.`);
    const names = [...rows.map((file) => file.name), name];
    const namedEdition = names.map(editionOfName).find((edition) => edition !== undefined);
    const edition = namedEdition ?? editionOfRows(newestMonth);
    const unknown = byNameColumn(() => ({ count: 0 }));
    const data = builder.build(
      {
        edition,
        vintages: yearsOfNames(vintages, edition),
        source: directoryKind(names, isOnspd),
        isSample: false,
        withoutNorthernIreland,
        importedAt,
      },
      (column, code) => {
        const word = nameOf(column, code);
        if (isPseudoArea(column, code, word)) return null;
        if (word === undefined) unknown[column].count += 1;
        return word ?? code;
      },
    );
    const unknownCodes = byNameColumn((column) => unknown[column].count);
    const detailData = details.build(data.info.rows, data.order, nameOf);
    return {
      data: { ...data, details: detailData },
      isEditionNamed: namedEdition !== undefined,
      duplicates: builder.duplicates,
      unknownCodes,
    };
  } finally {
    source.close();
  }
}
