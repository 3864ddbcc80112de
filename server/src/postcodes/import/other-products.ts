import { keyOfText } from '../table/normalise-postcode.js';
import { NO_KEY } from '../table/postcode-key.js';

const DOWNLOAD_INSTEAD =
  'Download the ONS Postcode Directory (ONSPD) or the National Statistics Postcode Lookup (NSPL) instead';

const has = (titles: readonly string[], ...wanted: readonly string[]) =>
  wanted.every((title) => titles.includes(title));

/** Other products that people mistake for the directory, each recognised by its first row. */
const PRODUCTS: readonly (readonly [name: string, isIt: (row: readonly string[]) => boolean])[] = [
  [
    'Code-Point Open, which has no names and no terminated postcodes',
    (row) =>
      has(row, 'pc', 'pq', 'ea', 'no', 'cy') ||
      has(row, 'postcode', 'positional_quality_indicator', 'eastings'),
  ],
  [
    'a lookup of postcodes to small areas (NSPCL), which has no coordinates',
    (row) => has(row, 'pcds', 'doterm', 'ladcd') && !has(row, 'lat') && !has(row, 'oseast1m'),
  ],
  ['the list of doogal.co.uk, which has no codes', (row) => has(row, 'postcode', 'in use?')],
  [
    'Code-Point Open, which has no names and no terminated postcodes',
    ([postcode = '', quality = '', easting = '', , country = '', ...others]) =>
      others.length >= 4 &&
      others.length <= 14 &&
      keyOfText(postcode) !== NO_KEY &&
      /^\d\d$/u.test(quality) &&
      /^\d+$/u.test(easting) &&
      /^[esw]92\d{6}$/u.test(country),
  ],
  [
    'the Scottish Postcode Directory (SPD), which has only Scotland',
    (row) => has(row, 'postcode', 'postcodedistrict'),
  ],
  ['the National Statistics UPRN Lookup (NSUL), which lists properties', (row) => has(row, 'uprn', 'pcds')],
  ['the ONS UPRN Directory (ONSUD), which lists properties', (row) => has(row, 'uprn', 'gridgb1e')],
  [
    'AddressBase, which lists addresses',
    (row) => has(row, 'uprn') || (row[0] === '10' && row[1]?.includes('geoplace') === true),
  ],
];

/**
 * Says which other product a file is, from the fields of its first row, and what to download instead. Returns
 * undefined for other files.
 */
export function otherProduct(firstRow: readonly string[]): string | undefined {
  const row = firstRow.map((field) => field.trim().toLowerCase());
  const found = PRODUCTS.find(([, isIt]) => isIt(row))?.[0];
  return found === undefined ? undefined : `it is ${found}. ${DOWNLOAD_INSTEAD}`;
}
