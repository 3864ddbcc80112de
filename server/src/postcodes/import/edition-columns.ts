import { DETAIL_COLUMNS } from '../table/detail-columns.js';
import { byNameColumn, type ByNameColumn, NAME_COLUMNS, type NameColumn } from '../table/directory-data.js';
import { keyOfText } from '../table/normalise-postcode.js';
import { NO_KEY } from '../table/postcode-key.js';
import type { DetailPlaces } from './detail-rows.js';
import { shortTitle } from './portal-titles.js';

/** Column indexes, 0-based. Small areas may have several vintages, newest first. */
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
  /** The years in the titles of the columns in `codes`; null if a title has none. */
  readonly vintages: ByNameColumn<number | null>;
  readonly details: DetailPlaces;
}

const POSTCODE = ['pcds', 'pcd8', 'pcd2', 'pcd7', 'pcd', 'postcode'];
/** Word, vintage and the number of a second column, as in "lep21cd2". */
const VINTAGE = /^([a-z]+?)(\d\d)?(?:cd|ind)?(\d)?$/u;
/** An indicator beside the code of a small area, such as the "oaind" of 2011, which is not the code. */
const INDICATOR_OF_AREA = /^(?:oa|lsoa|msoa|wz)(?:\d\d)?ind$/u;
/** Every edition's words for the name columns, without vintage and "cd". */
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

/** If the newest vintage is blank, as in Scotland's rows of 2024, an older one is used. */
const WITH_OLDER_VINTAGES = new Set<NameColumn>(['lsoa', 'msoa']);

/**
 * The year of a two-digit vintage: "91" is older than "01". A missing vintage counts as the newest, because
 * it is the edition's own.
 */
const vintageYear = (digits: string | undefined) => {
  if (digits === undefined) return Infinity;
  return Number(digits) + (Number(digits) > 80 ? 1900 : 2000);
};

/** Splits a column title into its word and vintage year. */
function vintageOf(header: string): { word: string; year: number } {
  const match = INDICATOR_OF_AREA.test(header) ? null : VINTAGE.exec(header);
  return { word: `${match?.[1] ?? header}${match?.[3] ?? ''}`, year: vintageYear(match?.[2]) };
}

const newestFirst = (names: readonly string[], titles: readonly string[], onlyYear?: number) =>
  names
    .map((name, place) => ({ ...vintageOf(name), place }))
    .filter(({ word, year }) => titles.includes(word) && (onlyYear === undefined || year === onlyYear))
    .sort((one, other) => titles.indexOf(one.word) - titles.indexOf(other.word) || other.year - one.year)
    .map(({ place }) => place);

/**
 * Finds the columns by the words of the header. If it is not a directory's header, returns the missing words
 * instead.
 */
export function columnsOfHeader(header: readonly string[]): DirectoryColumns | { missing: string[] } {
  const names = header.map(shortTitle);
  const firstOf = (...titles: string[]) =>
    titles.map((title) => names.indexOf(title)).find((place) => place >= 0);
  const postcode = firstOf(...POSTCODE);
  const terminated = firstOf('doterm');
  const codes = byNameColumn((column) => {
    const places = newestFirst(names, CODE_TITLES[column]);
    return WITH_OLDER_VINTAGES.has(column) ? places : places.slice(0, 1);
  });
  const details = DETAIL_COLUMNS.map(
    ({ field, titles, year }) => [field, newestFirst(names, titles, year)] as const,
  ).filter(([, places]) => places.length > 0);
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

/**
 * The columns of the editions without a header, February 2013 to November 2016. Later ones add columns at the
 * end.
 */
const ORDER = [
  'pcd pcd2 pcds dointr doterm oscty oslaua osward usertype oseast1m osnrth1m osgrdind oshlthau hro ctry gor streg',
  'pcon eer teclec ttwa pct nuts psed cened edind oshaprev lea oldha wardc91 wardo91 ward98 statsward oa01 casward',
  'park lsoa01 msoa01 ur01ind oac01 oldpct oa11 lsoa11 msoa11 parish wz11 ccg bua11 buasd11 ru11ind oac11 lat long',
  'lep1 lep2 pfa imd',
].flatMap((line) => line.split(' '));
const MIN_COLUMNS = ORDER.indexOf('msoa11') + 1;

const COUNTRY = /^(?:[EWSN]92000|L93000|M83000)\d{3}$/u;
const MONTH = /^(?:\d{6}|)$/u;
const GSS_OR_BLANK = /^(?:[A-Z]\d{8}|)$/u;
const DEGREES_OR_BLANK = /^(?:-?\d{1,3}(?:\.\d+)?|)$/u;
/** What the columns of the layout look like, if they can be told from others. */
const LOOKS: readonly (readonly [column: string, pattern: RegExp])[] = [
  ...['oscty', 'oslaua', 'osward', 'gor', 'pcon', 'eer', 'ttwa', 'lsoa01', 'msoa01', 'lsoa11', 'msoa11'].map(
    (column) => [column, GSS_OR_BLANK] as const,
  ),
  ...['parish', 'wz11', 'bua11', 'buasd11', 'lep1', 'lep2', 'pfa'].map(
    (column) => [column, GSS_OR_BLANK] as const,
  ),
  ['usertype', /^[01]?$/u],
  ['osgrdind', /^[1-9]?$/u],
  ['oseast1m', /^\d*$/u],
  ['osnrth1m', /^\d*N?$/u],
  ['imd', /^\d*$/u],
  ['lat', DEGREES_OR_BLANK],
  ['long', DEGREES_OR_BLANK],
];

/**
 * The header for a file without one, chosen by the number and the values of the columns in its first row. Undefined if
 * any column does not look like what it would be.
 */
export function headerlessLayout(firstRow: readonly string[]): readonly string[] | undefined {
  const layout = ORDER.slice(0, firstRow.length);
  const value = (name: string) => (firstRow[layout.indexOf(name)] ?? '?').trim();
  const fits =
    firstRow.length >= MIN_COLUMNS &&
    firstRow.length <= ORDER.length &&
    keyOfText(value('pcds')) !== NO_KEY &&
    MONTH.test(value('dointr')) &&
    MONTH.test(value('doterm')) &&
    COUNTRY.test(value('ctry')) &&
    LOOKS.every(([column, pattern]) => !layout.includes(column) || pattern.test(value(column)));
  return fits ? layout : undefined;
}
