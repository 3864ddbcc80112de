import { DirectoryBuilder } from '../directory-builder.js';
import { byNameColumn } from '../name-columns.js';
import { directoryKind, editionOf } from './edition.js';
import { ImportError } from './import-error.js';
import { assertWithin, type ImportBounds } from './import-bounds.js';
import { readNames } from './names-tables.js';
import { pickFiles } from './pick-files.js';
import { readRows } from './read-rows.js';
import { openSource } from './open-source.js';
import type { SourceFile } from './source.js';

interface ReadingOptions {
  readonly withoutNorthernIreland: boolean;
  readonly importedAt: string;
  readonly bounds: ImportBounds;
  readonly onBytes: (done: number, total: number) => void;
}

const sizeOf = (files: readonly SourceFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Reads a zip or csv file of the directory; `name` is what messages call it. Throws an ImportError. */
export async function readDirectory(path: string, name: string, options: ReadingOptions) {
  const { withoutNorthernIreland, importedAt, bounds, onBytes } = options;
  const source = await openSource(path, name, bounds.maxArchiveFiles);
  try {
    const { rows, tables } = pickFiles(source.files, name, bounds.maxTableBytes);
    assertWithin(sizeOf(tables), bounds.maxTablesBytes, `The tables of names and codes in ${name} have`);
    const nameOf = await readNames(tables);
    const builder = new DirectoryBuilder();
    const total = sizeOf(rows);
    let done = 0;
    let newestMonth = 0;
    let isOnspd = false;
    for (const file of rows) {
      const read = await readRows(file, { builder, withoutNorthernIreland }, (bytes) => {
        done += bytes;
        assertWithin(done, bounds.maxRowsBytes, `${name} has`);
        onBytes(done, total);
      });
      newestMonth = Math.max(newestMonth, read.newestMonth);
      isOnspd ||= read.isOnspd;
    }
    if (builder.rows === 0) throw new ImportError(`${name} has a header, but no postcodes below it.`);
    const names = [...rows.map((file) => file.name), name];
    const unknown = byNameColumn(() => ({ count: 0 }));
    const data = builder.build(
      {
        edition: editionOf(names, newestMonth),
        source: directoryKind(names, isOnspd),
        isSample: false,
        withoutNorthernIreland,
        importedAt,
      },
      (column, code) => {
        const word = nameOf(column, code);
        if (word === undefined) unknown[column].count += 1;
        return word ?? code;
      },
    );
    const unknownCodes = byNameColumn((column) => unknown[column].count);
    return { data, duplicates: builder.duplicates, unknownCodes };
  } finally {
    source.close();
  }
}
