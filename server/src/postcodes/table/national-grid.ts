import { NO_COORDINATE } from './directory-data.js';
import { outcodeOfKey, outcodeText } from './postcode-key.js';

const SQUARE_METRES = 100_000;
const METRE_DIGITS = 5;
/** The letters of a grid of five by five squares, beginning in the northwest. */
const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';
/**
 * How many squares the southwest corner of the lettered squares lies west of the origin of the British grid.
 * BRITISH_SOUTH is how many it lies south.
 */
const BRITISH_WEST = 10;
const BRITISH_SOUTH = 5;
const BRITISH_ROWS = 25;
const IRISH_ROWS = 5;

const letterAt = (column: number, rowFromSouth: number) =>
  LETTERS.charAt((IRISH_ROWS - 1 - rowFromSouth) * IRISH_ROWS + column);

function britishSquare(column: number, row: number): string {
  const east = column + BRITISH_WEST;
  const north = row + BRITISH_SOUTH;
  if (east >= BRITISH_ROWS || north >= BRITISH_ROWS) return '';
  const large = letterAt(Math.trunc(east / IRISH_ROWS), Math.trunc(north / IRISH_ROWS));
  return large + letterAt(east % IRISH_ROWS, north % IRISH_ROWS);
}

const irishSquare = (column: number, row: number) =>
  column >= IRISH_ROWS || row >= IRISH_ROWS ? '' : letterAt(column, row);

const digits = (metres: number) => String(metres % SQUARE_METRES).padStart(METRE_DIGITS, '0');

/**
 * A reference on the British or Irish grid, to a metre, such as "TQ 29090 79645"; null if there are no coordinates, or
 * they are outside the grid.
 */
export function gridReference(easting: number, northing: number, isIrish: boolean): string | null {
  if (easting === NO_COORDINATE || northing === NO_COORDINATE) return null;
  const column = Math.trunc(easting / SQUARE_METRES);
  const row = Math.trunc(northing / SQUARE_METRES);
  const square = isIrish ? irishSquare(column, row) : britishSquare(column, row);
  return square === '' ? null : `${square} ${digits(easting)} ${digits(northing)}`;
}

/**
 * The grid reference of a postcode's position. The postcodes of Northern Ireland, which are on the Irish grid, are
 * exactly those that begin with BT.
 */
export const gridReferenceOf = (key: number, easting: number, northing: number): string | null =>
  gridReference(easting, northing, outcodeText(outcodeOfKey(key)).startsWith('BT'));
