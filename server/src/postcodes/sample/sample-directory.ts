import { byNameColumn, NAME_COLUMNS, NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';
import { DirectoryBuilder } from '../table/directory-builder.js';
import { keyOfText } from '../table/normalise-postcode.js';
import { packDirectory, type PackedDirectory } from '../table/packed-directory.js';
import codes from './codes.json' with { type: 'json' };
import rows from './postcodes.json' with { type: 'json' };

/** The column indexes of a line of the table. The names follow in the order of the record. */
const [POSTCODE, TERMINATED, LATITUDE, LONGITUDE, EASTING, NORTHING, FIRST_NAME] = [0, 1, 2, 3, 4, 5, 6];

const number = (text: string | undefined, units: number) =>
  text === undefined || text === '' ? NO_COORDINATE : Math.round(Number(text) * units);

/** The GSS codes of names, by column. Wards and smaller areas have none. */
const codeOf: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(codes).map(([column, byName]) => [column, new Map(Object.entries(byName))]),
);

/**
 * The built-in directory: well-known postcodes of every nation and region, with null for values that are not
 * certain.
 */
export function sampleDirectory(): PackedDirectory {
  const builder = new DirectoryBuilder();
  for (const row of rows) {
    const fields = row.split('|');
    NAME_COLUMNS.forEach((column, place) => {
      const name = fields[FIRST_NAME + place] ?? '';
      builder.setCode(column, builder.codes[column].numberOfText(name === '' ? null : name));
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
  } as const;
  const data = builder.build(description, (_column, name) => name);
  const areaCodes = byNameColumn((column) =>
    data.names[column].values.map((name) => codeOf.get(column)?.get(name ?? '') ?? null),
  );
  return packDirectory({ ...data, areaCodes });
}
