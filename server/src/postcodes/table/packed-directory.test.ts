import { byNameColumn, type DirectoryData, NAME_COLUMNS } from './directory-data.js';
import { FORMAT_VERSION } from '../file/directory-format.js';
import {
  EASTING,
  type Field,
  LATITUDE,
  LONGITUDE,
  NORTHING,
  packRows,
  RowLayout,
} from './packed-directory.js';
import { packPoints } from './grid.js';

const ROWS = 1_000;
const VALUES = 300;

const numbers = (factor: number) => Int32Array.from({ length: ROWS }, (_, row) => row * factor - 500);

/** A directory in which no two rows are equal. */
const data: DirectoryData = {
  info: {
    edition: '2025-08',
    source: 'ONSPD',
    isSample: false,
    withoutNorthernIreland: false,
    importedAt: null,
    hasDetails: true,
    vintages: null,
    rows: ROWS,
    live: ROWS,
    terminated: 0,
    withoutCoordinates: 0,
    fillPercent: { coordinates: 100, ...byNameColumn(() => 100) },
  },
  keys: Uint32Array.from({ length: ROWS }, (_, row) => row),
  active: Uint8Array.from({ length: ROWS }, (_, row) => row % 2),
  latitude: numbers(3),
  longitude: numbers(5),
  easting: numbers(7),
  northing: numbers(11),
  names: byNameColumn((column) => ({
    codes: Uint16Array.from(
      { length: ROWS },
      (_, row) => (row * (NAME_COLUMNS.indexOf(column) + 1)) % VALUES,
    ),
    values: Array.from({ length: VALUES }, (_, code) => `${column} ${code}`),
  })),
  areaCodes: byNameColumn(() => []),
  order: undefined,
  grid: {
    south: 0,
    west: 0,
    cellHeight: 1,
    cellWidth: 1,
    rows: 1,
    columns: 1,
    starts: Uint32Array.of(0, ROWS),
    entries: Uint32Array.from({ length: ROWS }, (_, entry) => ROWS - 1 - entry),
  },
};

test('rows and points packed in parts are the same as those packed as a whole', () => {
  const whole = packRows(data);
  const wordsOf = (from: number, to: number) => [...packRows(data, from, to).words];
  expect([...wordsOf(0, 400), ...wordsOf(400, 999), ...wordsOf(999, ROWS)]).toEqual([...whole.words]);
  expect(NAME_COLUMNS.map((column) => whole.code(777, whole.names[column]))).toEqual(
    NAME_COLUMNS.map((column) => data.names[column].codes[777]),
  );

  const { entries } = data.grid;
  const parts = [entries.subarray(0, 400), entries.subarray(400)].map((part) => packPoints(data, part));
  expect(parts.flatMap((part) => [...part])).toEqual([...packPoints(data, entries)]);
});

// Directory files store rows in this layout. Changing it requires a new FORMAT_VERSION and new figures here.
test('rows have the layout of the file format', () => {
  const counts = {
    country: 7,
    region: 10,
    localAuthority: 352,
    ward: 7_944,
    constituency: 631,
    lsoa: 40_775,
  };
  const valueCounts = { ...counts, msoa: 8_571, policeForce: 44, icb: 43 };
  const layout = new RowLayout(byNameColumn((column) => Array.from({ length: valueCounts[column] }, String)));
  const placed = ({ word, shift }: Field) => `${word}:${shift}`;
  expect({
    format: FORMAT_VERSION,
    wordsPerRow: layout.wordsPerRow,
    coordinates: [LATITUDE, LONGITUDE, EASTING, NORTHING],
    active: placed(layout.active),
    names: byNameColumn((column) => placed(layout.names[column])),
  }).toEqual({
    format: 3,
    wordsPerRow: 7,
    coordinates: [0, 1, 2, 3],
    active: '4:29',
    names: {
      country: '4:26',
      region: '4:22',
      localAuthority: '4:13',
      ward: '4:0',
      constituency: '6:12',
      lsoa: '5:0',
      msoa: '5:16',
      policeForce: '6:6',
      icb: '6:0',
    },
  });
});
