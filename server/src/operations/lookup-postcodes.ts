import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { bindWritten } from './operation-handler.js';

export const lookupPostcodes = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operations.lookupPostcodes,
    ({ postcodes }) => {
      const directory = directories.current();
      const results = directory.rowsOf(postcodes).map((row) => directory.record(row));
      return { results, found: results.length, notFound: postcodes.length - results.length };
    },
    ({ postcodes }) => {
      const directory = directories.current();
      return writer.of(directory.table).lookups(directory.rowsOf(postcodes), postcodes.length);
    },
  );
