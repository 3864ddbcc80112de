import { DirectoryBuilder } from '../directory-builder.js';
import { byNameColumn } from '../name-columns.js';
import { directoryKind, editionOf } from './edition.js';
import { ImportError } from './import-error.js';
import { readNamesTables } from './names-tables.js';
import { pickFiles } from './pick-files.js';
import { readRows } from './read-rows.js';
import { openSource } from './open-source.js';

interface ReadingOptions {
  readonly withoutNorthernIreland: boolean;
  readonly importedAt: string;
  readonly onBytes: (done: number, total: number) => void;
}

/** Reads a zip or csv file of the directory; `name` is what messages call it. Throws an ImportError. */
export async function readDirectory(path: string, name: string, options: ReadingOptions) {
  const { withoutNorthernIreland, importedAt, onBytes } = options;
  const source = await openSource(path, name);
  try {
    const { rows, tables } = pickFiles(source.files, name);
    const words = await readNamesTables(tables);
    const builder = new DirectoryBuilder();
    const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    let newestMonth = 0;
    let isOnspd = false;
    for (const file of rows) {
      const read = await readRows(file, { builder, withoutNorthernIreland }, (bytes) => {
        done += bytes;
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
        const word = words[column].get(code);
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
