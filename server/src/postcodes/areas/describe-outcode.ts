import type { OutcodeRecord } from '@signpost/contract';
import { byNameColumn, NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';
import { EASTING, LATITUDE, LONGITUDE, NORTHING, type PackedDirectory } from '../table/packed-directory.js';
import type { OutcodeRows } from '../table/row-finder.js';

/** The mean of a coordinate over these rows, rounded to the stored unit; null if no row has the coordinate. */
function mean({ rows }: PackedDirectory, numbers: readonly number[], word: number): number | null {
  let sum = 0;
  let count = 0;
  for (const row of numbers) {
    const value = rows.coordinate(row, word);
    if (value === NO_COORDINATE) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : Math.round(sum / count);
}

const degrees = (units: number | null) => (units === null ? null : units / UNITS_PER_DEGREE);

/**
 * Summarises an outcode: the areas and the mean position are those of its active postcodes. Eastings and northings of
 * one outcode are all on one grid, because exactly the outcodes that begin with BT are in Northern Ireland.
 */
export function describeOutcode(
  directory: PackedDirectory,
  { outcode, from, to }: OutcodeRows,
): OutcodeRecord {
  const { rows, values } = directory;
  const active: number[] = [];
  for (let row = from; row < to; row += 1) if (rows.isActive(row)) active.push(row);

  const names = byNameColumn((column) => {
    const codes = new Set(active.map((row) => rows.code(row, rows.names[column])));
    const known = [...codes].map((code) => values[column][code] ?? null).filter((name) => name !== null);
    return [...new Set(known)].sort();
  });
  return {
    outcode,
    latitude: degrees(mean(directory, active, LATITUDE)),
    longitude: degrees(mean(directory, active, LONGITUDE)),
    easting: mean(directory, active, EASTING),
    northing: mean(directory, active, NORTHING),
    activePostcodes: active.length,
    terminatedPostcodes: to - from - active.length,
    countries: names.country,
    regions: names.region,
    localAuthorities: names.localAuthority,
    wards: names.ward,
    constituencies: names.constituency,
    lsoas: names.lsoa,
    msoas: names.msoa,
    policeForces: names.policeForce,
    icbs: names.icb,
  };
}
