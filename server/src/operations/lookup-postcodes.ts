import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { bindWritten } from './operation-handler.js';

export const lookupPostcodes = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operations.lookupPostcodes,
    ({ postcodes, include }) => {
      const directory = directories.current();
      const { rows, missing } = directory.rowsOf(postcodes);
      const results = rows.map((row) => directory.record(row, include));
      return { results, found: rows.length, notFound: missing.length, missing: [...missing] };
    },
    ({ postcodes, include }) => {
      const directory = directories.current();
      const { rows, missing } = directory.rowsOf(postcodes);
      return writer.of(directory.table).lookups(rows, missing, include);
    },
  );
