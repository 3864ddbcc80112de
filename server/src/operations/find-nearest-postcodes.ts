import { operations, type RequestOutput } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import type { NearbyRow } from '../postcodes/nearest/nearest-rows.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { pointOfPostcode } from './known-postcode.js';
import { bindWritten } from './operation-handler.js';

type Request = RequestOutput<typeof operations.findNearestPostcodes>;

interface Found {
  readonly nearby: readonly NearbyRow[];
  readonly total?: number;
}

function find(directory: PostcodeDirectory, request: Request): Found {
  const { postcode, limit, offset, radiusMetres } = request;
  // The schema takes a point or a postcode.
  const { latitude = 0, longitude = 0 } =
    postcode === undefined ? request : pointOfPostcode(directory, 'postcode', postcode);
  const query = { latitude, longitude, limit, radiusMetres };
  return offset === undefined ? { nearby: directory.nearest(query) } : directory.nearestPage(query, offset);
}

export const findNearestPostcodes = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operations.findNearestPostcodes,
    (request) => {
      const directory = directories.current();
      const { nearby, total } = find(directory, request);
      const results = nearby.map(({ row, distanceMetres }) => ({
        ...directory.record(row, request.include),
        distanceMetres,
      }));
      return total === undefined ? { results } : { results, total };
    },
    (request) => {
      const directory = directories.current();
      const { nearby, total } = find(directory, request);
      return writer.of(directory.table).nearest(nearby, total, request.include);
    },
  );
