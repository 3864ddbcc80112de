import { EDITIONS, headerOf } from '../../../../test/fixtures/postcodes/editions.js';
import { columnsOfHeader } from './edition-columns.js';

/** Columns that repeat the postcode or that the portal of the ONS adds to every table. No response has them. */
const ELSEWHERE = /^(?:pcd\d?|x|y|objectid)$/iu;

test.each(EDITIONS)(
  'reads every column of edition %s, except repeated postcodes and columns that the portal of the ONS adds',
  (edition) => {
    const header = headerOf(edition).split(',');
    const columns = columnsOfHeader(header);
    if ('missing' in columns) throw new Error(`${columns.missing.join(', ')} missing`);
    const { postcode, introduced, terminated, latitude, longitude, easting, northing, codes, details } =
      columns;
    const read = new Set([
      ...[postcode, introduced, terminated, latitude, longitude, easting, northing],
      ...[...Object.values(codes), ...details.values()].flat(),
    ]);
    expect(header.filter((name, index) => !read.has(index) && !ELSEWHERE.test(name))).toEqual([]);
  },
);
