import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { rowOfPostcode } from './known-postcode.js';
import { bindWritten } from './operation-handler.js';

export const lookupPostcode = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operations.lookupPostcode,
    ({ postcode, include }) => {
      const directory = directories.current();
      return { result: directory.record(rowOfPostcode(directory, 'postcode', postcode), include) };
    },
    ({ postcode, include }) => {
      const directory = directories.current();
      return writer.of(directory.table).lookup(rowOfPostcode(directory, 'postcode', postcode), include);
    },
  );
