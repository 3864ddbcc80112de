import { operations, type Place, type RequestOutput } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import { distanceBetween, type Point } from '../postcodes/nearest/distance.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { pointOfPostcode } from './known-postcode.js';
import { bind, writtenJson } from './operation-handler.js';

/** The position of a place; undefined if the directory does not know it. */
function pointOf(directory: PostcodeDirectory, place: Place): Point | undefined {
  if (typeof place !== 'string') return place;
  const row = directory.rowOf(place);
  return typeof row === 'number' ? directory.pointOf(row) : undefined;
}

const measureDistance = (directories: DirectoryStore) =>
  bind(operations.measureDistance, ({ from, to }) => {
    const directory = directories.current();
    const start = typeof from === 'string' ? pointOfPostcode(directory, 'from', from) : from;
    const results = to.map((place) => {
      const end = pointOf(directory, place);
      return end === undefined ? null : distanceBetween(start, end);
    });
    return { value: { results } };
  });

type ReverseRequest = RequestOutput<typeof operations.reverseGeocode>;

/** The nearest row of each point; undefined if none is in range. */
const nearestRowsOf = (directory: PostcodeDirectory, { points, radiusMetres }: ReverseRequest) =>
  points.map((point) => directory.nearest({ ...point, radiusMetres, limit: 1 })[0]);

const reverseGeocode = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bind(operations.reverseGeocode, (request) => {
    const directory = directories.current();
    return writtenJson(writer.of(directory.table).nearest(nearestRowsOf(directory, request)));
  });

const findPostcodesInText = (directories: DirectoryStore) =>
  bind(operations.findPostcodesInText, ({ text }) => ({
    value: { results: directories.current().findInText(text) },
  }));

/** The operations on places and distances, and on the postcodes in a text. */
export const distanceOperations = (directories: DirectoryStore, writer: CurrentRecordWriter) => ({
  measureDistance: measureDistance(directories),
  reverseGeocode: reverseGeocode(directories, writer),
  findPostcodesInText: findPostcodesInText(directories),
});
