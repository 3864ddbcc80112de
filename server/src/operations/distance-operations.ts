import { type MissingPlace, operations, type Place, type RequestOutput } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import { distanceBetween, type Point } from '../postcodes/nearest/distance.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { pointOfPostcode } from './known-postcode.js';
import { outsideNote } from './outside-note.js';
import { bind, writtenJson } from './operation-handler.js';

/** The position of a place, or why there is none. */
function pointOf(directory: PostcodeDirectory, place: Place): Point | MissingPlace['reason'] {
  if (typeof place !== 'string') return place;
  const row = directory.rowOf(place);
  return typeof row === 'number' ? (directory.pointOf(row) ?? 'noCoordinates') : (row ?? 'unknown');
}

const measureDistance = (directories: DirectoryStore) =>
  bind(operations.measureDistance, ({ from, to }) => {
    const directory = directories.current();
    const start = typeof from === 'string' ? pointOfPostcode(directory, 'from', from) : from;
    const missing: MissingPlace[] = [];
    const results = to.map((place, index) => {
      const end = pointOf(directory, place);
      if (typeof end !== 'string') return distanceBetween(start, end);
      missing.push({ index, reason: end });
      return null;
    });
    return { value: { results, missing } };
  });

type ReverseRequest = RequestOutput<typeof operations.reverseGeocode>;

/**
 * The nearest row to each point (undefined if none is in range), and a note if points without a row are not in the UK.
 */
function nearestRowsOf(directory: PostcodeDirectory, { points, radiusMetres }: ReverseRequest) {
  const nearby = points.map((point) => directory.nearest({ ...point, radiusMetres, limit: 1 })[0]);
  return { nearby, note: outsideNote(points.filter((_, index) => nearby[index] === undefined)) };
}

const reverseGeocode = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bind(operations.reverseGeocode, (request) => {
    const directory = directories.current();
    const { nearby, note } = nearestRowsOf(directory, request);
    return writtenJson(writer.of(directory.table).nearest(nearby, undefined, undefined, note));
  });

const findPostcodesInText = (directories: DirectoryStore) =>
  bind(operations.findPostcodesInText, ({ text, texts }) => {
    const directory = directories.current();
    const results =
      texts === undefined
        ? directory.findInText(text ?? '')
        : texts.flatMap((one, index) => directory.findInText(one).map((found) => ({ ...found, index })));
    return { value: { results } };
  });

/** The operations that measure distances, and that find the postcodes nearest to points or those in a text. */
export const distanceOperations = (directories: DirectoryStore, writer: CurrentRecordWriter) => ({
  measureDistance: measureDistance(directories),
  reverseGeocode: reverseGeocode(directories, writer),
  findPostcodesInText: findPostcodesInText(directories),
});
