import { NO_COORDINATE } from '../directory-data.js';
import { DirectoryBuilder } from '../directory-builder.js';
import { NAME_COLUMNS, type NameColumn } from '../name-columns.js';
import { keyOfText } from '../normalise-postcode.js';
import { packDirectory } from '../packed-directory.js';

interface SmallRow {
  readonly postcode: string;
  readonly isActive?: boolean;
  /** Degrees; none leaves the row without a place. */
  readonly at?: readonly [latitude: number, longitude: number];
  /** Columns that are not named are blank. */
  readonly names?: Readonly<Partial<Record<NameColumn, string>>>;
  /** Metres. */
  readonly grid?: readonly [easting: number, northing: number];
}

/** The packed data of a directory of these rows, for tests. */
export function smallDirectory(rows: readonly SmallRow[]) {
  const builder = new DirectoryBuilder();
  for (const { postcode, isActive = true, at, names = {}, grid } of rows) {
    for (const column of NAME_COLUMNS) {
      builder.setCode(column, builder.codes[column].numberOfText(names[column] ?? null));
    }
    const [latitude, longitude] = (at ?? [NaN, NaN]).map((degrees) => Math.round(degrees * 1_000_000));
    builder.add(keyOfText(postcode), isActive, {
      latitude: at === undefined ? NO_COORDINATE : (latitude ?? NO_COORDINATE),
      longitude: at === undefined ? NO_COORDINATE : (longitude ?? NO_COORDINATE),
      easting: grid?.[0] ?? NO_COORDINATE,
      northing: grid?.[1] ?? NO_COORDINATE,
    });
  }
  const description = {
    edition: '2025-08',
    source: 'ONSPD',
    isSample: false,
    withoutNorthernIreland: false,
    importedAt: '2025-09-01T00:00:00.000Z',
  } as const;
  return packDirectory(builder.build(description, (_column, code) => code));
}
