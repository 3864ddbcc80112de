import { operations, type Place } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { distanceBetween, type Point } from '../postcodes/nearest/distance.js';
import { pointOfPostcode } from './known-postcode.js';
import { bindJson } from './operation-handler.js';

/** Where a place is; undefined where the directory does not know it. */
function pointOf(directory: PostcodeDirectory, place: Place): Point | undefined {
  if (typeof place !== 'string') return place;
  const row = directory.rowOf(place);
  return typeof row === 'number' ? directory.pointOf(row) : undefined;
}

export const measureDistance = (directories: DirectoryStore) =>
  bindJson(operations.measureDistance, ({ from, to }) => {
    const directory = directories.current();
    const start = typeof from === 'string' ? pointOfPostcode(directory, 'from', from) : from;
    const results = to.map((place) => {
      const end = pointOf(directory, place);
      return end === undefined ? null : distanceBetween(start, end);
    });
    return { results };
  });
