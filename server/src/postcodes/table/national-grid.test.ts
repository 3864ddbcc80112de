import { NO_COORDINATE } from './directory-data.js';
import { gridReference } from './national-grid.js';

test.each([
  [529_090, 179_645, false, 'TQ 29090 79645'],
  [326_751, 673_849, false, 'NT 26751 73849'],
  [216_650, 771_250, false, 'NN 16650 71250'],
  [447_600, 1_141_300, false, 'HU 47600 41300'],
  [12, 5, false, 'SV 00012 00005'],
  [333_832, 374_013, true, 'J 33832 74013'],
  [245_000, 417_000, true, 'C 45000 17000'],
  [NO_COORDINATE, 5, false, null],
  [5, NO_COORDINATE, true, null],
  [600_000, 100_000, true, null],
  [1_600_000, 100_000, false, null],
])('writes %d east and %d north (Irish grid: %s) as %s', (easting, northing, isIrish, reference) => {
  expect(gridReference(easting, northing, isIrish)).toBe(reference);
});
