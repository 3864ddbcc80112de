import { operations, type RequestOutput } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { bindWritten } from './operation-handler.js';

type Request = RequestOutput<typeof operations.reverseGeocode>;

/** The nearest row of each point; undefined where none is in range. */
const rowsOf = (directory: PostcodeDirectory, { points, radiusMetres }: Request) =>
  points.map((point) => directory.nearest({ ...point, radiusMetres, limit: 1 })[0]);

export const reverseGeocode = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operations.reverseGeocode,
    (request) => {
      const directory = directories.current();
      const results = rowsOf(directory, request).map((found) =>
        found === undefined ? null : { ...directory.record(found.row), distanceMetres: found.distanceMetres },
      );
      return { results };
    },
    (request) => {
      const directory = directories.current();
      return writer.of(directory.table).nearest(rowsOf(directory, request));
    },
  );
