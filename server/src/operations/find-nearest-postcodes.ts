import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { bindWritten } from './operation-handler.js';

export const findNearestPostcodes = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operations.findNearestPostcodes,
    (query) => {
      const directory = directories.current();
      const results = directory
        .nearest(query)
        .map(({ row, distanceMetres }) => ({ ...directory.record(row), distanceMetres }));
      return { results };
    },
    (query) => {
      const directory = directories.current();
      return writer.of(directory.table).nearest(directory.nearest(query));
    },
  );
