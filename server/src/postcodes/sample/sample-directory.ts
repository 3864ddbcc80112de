import { closedListName } from '../import/closed-lists.js';
import { NAME_COLUMNS, NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';
import { DirectoryBuilder } from '../table/directory-builder.js';
import { keyOfText } from '../table/normalise-postcode.js';
import { packDirectory, type PackedDirectory } from '../table/packed-directory.js';
import areas from './areas.json' with { type: 'json' };
import rows from './postcodes.json' with { type: 'json' };

/**
 * The indexes of the columns in a row. From FIRST_CODE on, a row has the codes of its areas in the order of
 * NAME_COLUMNS.
 */
const [POSTCODE, TERMINATED, LATITUDE, LONGITUDE, EASTING, NORTHING, FIRST_CODE] = [0, 1, 2, 3, 4, 5, 6];

/**
 * The year of the names in each column. In Scotland, the names of small areas are of 2011 instead, as in the editions
 * of 2024.
 */
const VINTAGES = {
  country: 2012,
  region: 2025,
  localAuthority: 2025,
  ward: 2025,
  constituency: 2024,
  lsoa: 2021,
  msoa: 2021,
  policeForce: 2023,
  icb: 2023,
};

const number = (text: string | undefined, units: number) =>
  text === undefined || text === '' ? NO_COORDINATE : Math.round(Number(text) * units);

/** The names of those codes that closed-lists.json does not have, by column. */
const namesOf: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(areas).map(([column, names]) => [column, new Map(Object.entries(names))]),
);

/** The built-in directory: well-known postcodes of every nation and region, without details. */
export function sampleDirectory(): PackedDirectory {
  const builder = new DirectoryBuilder();
  for (const row of rows) {
    const fields = row.split('|');
    NAME_COLUMNS.forEach((column, index) => {
      const code = fields[FIRST_CODE + index] ?? '';
      builder.setCode(column, builder.codes[column].numberOfText(code === '' ? null : code));
    });
    builder.add(keyOfText(fields[POSTCODE] ?? ''), fields[TERMINATED] === '', {
      latitude: number(fields[LATITUDE], UNITS_PER_DEGREE),
      longitude: number(fields[LONGITUDE], UNITS_PER_DEGREE),
      easting: number(fields[EASTING], 1),
      northing: number(fields[NORTHING], 1),
    });
  }
  const description = {
    edition: 'sample',
    source: 'sample',
    isSample: true,
    withoutNorthernIreland: false,
    importedAt: null,
    vintages: VINTAGES,
  } as const;
  const data = builder.build(
    description,
    (column, code) => namesOf.get(column)?.get(code) ?? closedListName(column, code) ?? null,
  );
  return packDirectory(data);
}
