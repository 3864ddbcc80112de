import { operations, type RequestOutput } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { NearbyRow } from '../postcodes/nearest/nearest-rows.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { pointOfPostcode, rowOfPostcode } from './known-postcode.js';
import { outsideNote } from './outside-note.js';
import { bind, writtenJson } from './operation-handler.js';

const lookupPostcode = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bind(operations.lookupPostcode, ({ postcode, include }) => {
    const directory = directories.current();
    const row = rowOfPostcode(directory, 'postcode', postcode);
    return writtenJson(writer.of(directory.table).lookup(row, include));
  });

const lookupPostcodes = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bind(operations.lookupPostcodes, ({ postcodes, include }) => {
    const directory = directories.current();
    const { rows, missing } = directory.rowsOf(postcodes);
    return writtenJson(writer.of(directory.table).lookups(rows, missing, include));
  });

const validatePostcode = (directories: DirectoryStore) =>
  bind(operations.validatePostcode, ({ postcode }) => ({ value: directories.current().validate(postcode) }));

type NearestRequest = RequestOutput<typeof operations.findNearestPostcodes>;

interface FoundNearest {
  readonly nearby: readonly NearbyRow[];
  readonly total?: number;
  /** A note that nothing was found because the point is not in the UK. */
  readonly note?: string | undefined;
}

function findNearest(directory: PostcodeDirectory, request: NearestRequest): FoundNearest {
  const { postcode, limit, offset, radiusMetres } = request;
  // The schema guarantees either a point or a postcode, so the zeros are never used.
  const { latitude = 0, longitude = 0 } =
    postcode === undefined ? request : pointOfPostcode(directory, 'postcode', postcode);
  const query = { latitude, longitude, limit, radiusMetres };
  const found: FoundNearest =
    offset === undefined ? { nearby: directory.nearest(query) } : directory.nearestPage(query, offset);
  return found.nearby.length > 0 ? found : { ...found, note: outsideNote([query]) };
}

const findNearestPostcodes = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bind(operations.findNearestPostcodes, (request) => {
    const directory = directories.current();
    const { nearby, total, note } = findNearest(directory, request);
    return writtenJson(writer.of(directory.table).nearest(nearby, total, request.include, note));
  });

const autocompletePostcode = (directories: DirectoryStore) =>
  bind(operations.autocompletePostcode, ({ partial, limit }) => ({
    value: { postcodes: directories.current().autocomplete(partial, limit) },
  }));

/** The operations that look up, validate and complete postcodes, and find those around a place. */
export const postcodeOperations = (directories: DirectoryStore, writer: CurrentRecordWriter) => ({
  lookupPostcode: lookupPostcode(directories, writer),
  lookupPostcodes: lookupPostcodes(directories, writer),
  validatePostcode: validatePostcode(directories),
  findNearestPostcodes: findNearestPostcodes(directories, writer),
  autocompletePostcode: autocompletePostcode(directories),
});
