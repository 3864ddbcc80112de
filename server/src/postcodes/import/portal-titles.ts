/** The ONSPD's short column titles, without year and "cd", by the words of the portal's long ones. */
const LONG_TITLES: ReadonlyMap<string, string> = new Map([
  ['postcode (7 char)', 'pcd7'],
  ['postcode (8 char)', 'pcd8'],
  ['postcode (e-gif)', 'pcds'],
  ['date of introduction', 'dointr'],
  ['date of termination', 'doterm'],
  ['county code', 'cty'],
  ['county electoral division code', 'ced'],
  ['local authority district code', 'lad'],
  ['ward code', 'wd'],
  ['electoral ward code', 'wd'],
  ['parish and non-civil parished area code', 'parncp'],
  ['postcode user type', 'usrtyp'],
  ['national grid reference (easting)', 'east1m'],
  ['national grid reference (northing)', 'north1m'],
  ['grid reference positional quality indicator', 'grid'],
  ['nhs england region code', 'nhser'],
  ['country code', 'ctry'],
  ['region code', 'rgn'],
  ['westminster parliamentary constituency code', 'pcon'],
  ['travel to work area code', 'ttwa'],
  ['international territorial level code', 'itl'],
  ['national park code', 'npark'],
  ['sub integrated care board location code', 'sicbl'],
  ['integrated care board code', 'icb'],
  ['built-up area code', 'bua'],
  ['local enterprise partnership code', 'lep'],
  ['police force area code', 'pfa'],
  ['index of multiple deprivation indicator', 'imd'],
  ['cancer alliance code', 'cal'],
  ['output area code', 'oa'],
  ['lower layer super output area code', 'lsoa'],
  ['middle layer super output area code', 'msoa'],
  ['workplace zone code', 'wz'],
  ['rural urban classification', 'ruc'],
  ['output area classification', 'oac'],
]);

/**
 * Splits a lower-case column title into its words and, if present, two digits of its year and its number: "… code
 * (2021) (1st instance)" gives 21 and 1.
 */
const LONG_TITLE = /^(.+?)(?: \(20(\d\d)\))?(?: \((\d)(?:st|nd) instance\))?$/u;

/** Converts one of the portal's long column titles to the short one; other titles only to lower case. */
export function shortTitle(title: string): string {
  const name = title.trim().toLowerCase();
  const [, words = '', vintage = '', instance = ''] = LONG_TITLE.exec(name) ?? [];
  const short = LONG_TITLES.get(words);
  return short === undefined ? name : short + (vintage === '' ? '' : `${vintage}cd`) + instance;
}
