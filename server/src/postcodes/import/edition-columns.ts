import { DETAIL_COLUMNS } from '../table/detail-columns.js';
import { byNameColumn, type ByNameColumn, NAME_COLUMNS, type NameColumn } from '../table/directory-data.js';
import type { DetailColumnIndexes } from './detail-rows.js';
import { shortTitle } from './portal-titles.js';

/** The indexes of the columns, 0-based. Small areas may have columns of several years, newest first. */
export interface DirectoryColumns {
  readonly count: number;
  readonly names: readonly string[];
  readonly postcode: number;
  readonly introduced: number | undefined;
  readonly terminated: number;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly easting: number | undefined;
  readonly northing: number | undefined;
  readonly codes: ByNameColumn<readonly number[]>;
  /** For each of `codes`, the year in the title of the first column; null if the title has none. */
  readonly vintages: ByNameColumn<number | null>;
  readonly details: DetailColumnIndexes;
}

const POSTCODE = ['pcds', 'pcd8', 'pcd2', 'pcd7', 'pcd', 'postcode'];
/** A title: a word, and perhaps a two-digit year and the number of a second column, as in "lep21cd2". */
const VINTAGE = /^([a-z]+?)(\d\d)?(?:cd|ind)?(\d)?$/u;
/** The title of an indicator beside the code of a small area, such as the "oaind" of 2011. It is not the code. */
const INDICATOR_OF_AREA = /^(?:oa|lsoa|msoa|wz)(?:\d\d)?ind$/u;
/** For each name column, the words that its title may have, without year and "cd". Earlier words have precedence. */
export const CODE_TITLES: ByNameColumn<readonly string[]> = {
  country: ['ctry', 'country'],
  region: ['rgn', 'gor', 'region'],
  localAuthority: ['lad', 'oslaua', 'laua'],
  ward: ['wd', 'osward', 'ward'],
  constituency: ['pcon'],
  lsoa: ['lsoa'],
  msoa: ['msoa'],
  policeForce: ['pfa'],
  icb: ['icb', 'stp'],
};

/**
 * Columns for which the value of an older year is used if that of the newest is blank, as in Scotland's rows of
 * 2024.
 */
const WITH_OLDER_VINTAGES = new Set<NameColumn>(['lsoa', 'msoa']);

/**
 * The year for the two digits in a title: "91" is older than "01". A title without a year counts as the newest,
 * because its column is the edition's own.
 */
const vintageYear = (digits: string | undefined) => {
  if (digits === undefined) return Infinity;
  return Number(digits) + (Number(digits) > 80 ? 1900 : 2000);
};

/** Splits a column title into its word, with the number of a second column if there is one, and its year. */
function vintageOf(header: string): { word: string; year: number } {
  const match = INDICATOR_OF_AREA.test(header) ? null : VINTAGE.exec(header);
  return { word: `${match?.[1] ?? header}${match?.[3] ?? ''}`, year: vintageYear(match?.[2]) };
}

const newestFirst = (names: readonly string[], titles: readonly string[], onlyYear?: number) =>
  names
    .map((name, index) => ({ ...vintageOf(name), index }))
    .filter(({ word, year }) => titles.includes(word) && (onlyYear === undefined || year === onlyYear))
    .sort((one, other) => titles.indexOf(one.word) - titles.indexOf(other.word) || other.year - one.year)
    .map(({ index }) => index);

/**
 * Finds the columns by the words in the header. If it is not the header of a directory, returns descriptions of the
 * missing columns instead.
 */
export function columnsOfHeader(header: readonly string[]): DirectoryColumns | { missing: string[] } {
  const names = header.map(shortTitle);
  const firstOf = (...titles: string[]) =>
    titles.map((title) => names.indexOf(title)).find((index) => index >= 0);
  const postcode = firstOf(...POSTCODE);
  const terminated = firstOf('doterm');
  const codes = byNameColumn((column) => {
    const indexes = newestFirst(names, CODE_TITLES[column]);
    return WITH_OLDER_VINTAGES.has(column) ? indexes : indexes.slice(0, 1);
  });
  const details = DETAIL_COLUMNS.map(
    ({ field, titles, year }) => [field, newestFirst(names, titles, year)] as const,
  ).filter(([, indexes]) => indexes.length > 0);
  const columns = {
    count: names.length,
    details: new Map(details),
    names: header.map((name) => name.trim()),
    introduced: firstOf('dointr'),
    latitude: firstOf('lat', 'latitude'),
    longitude: firstOf('long', 'longitude', 'lon'),
    easting: firstOf('oseast1m', 'east1m', 'easting'),
    northing: firstOf('osnrth1m', 'north1m', 'northing'),
    codes,
    vintages: byNameColumn((column) => {
      const { year } = vintageOf(names[codes[column][0] ?? -1] ?? '');
      return Number.isFinite(year) ? year : null;
    }),
  };
  const hasDegrees = columns.latitude !== undefined && columns.longitude !== undefined;
  const hasGrid = columns.easting !== undefined && columns.northing !== undefined;
  const missing = [
    ...(postcode === undefined ? ['the postcode (pcds)'] : []),
    ...(terminated === undefined ? ['the date of termination (doterm)'] : []),
    ...(hasDegrees || hasGrid ? [] : ['coordinates (lat, long)']),
    ...NAME_COLUMNS.filter((column) => column === 'country' || column === 'localAuthority')
      .filter((column) => codes[column].length === 0)
      .map((column) => (column === 'country' ? 'the country (ctry)' : 'the local authority (lad)')),
  ];
  if (postcode === undefined || terminated === undefined || missing.length > 0) return { missing };
  return { ...columns, postcode, terminated };
}
