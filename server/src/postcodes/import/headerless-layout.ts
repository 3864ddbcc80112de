import { keyOfText } from '../normalise-postcode.js';
import { NO_KEY } from '../postcode-key.js';

/** The columns of the editions without a header, February 2013 to November 2016: later ones add to the end. */
const ORDER = [
  'pcd pcd2 pcds dointr doterm oscty oslaua osward usertype oseast1m osnrth1m osgrdind oshlthau hro ctry gor streg',
  'pcon eer teclec ttwa pct nuts psed cened edind oshaprev lea oldha wardc91 wardo91 ward98 statsward oa01 casward',
  'park lsoa01 msoa01 ur01ind oac01 oldpct oa11 lsoa11 msoa11 parish wz11 ccg bua11 buasd11 ru11ind oac11 lat long',
  'lep1 lep2 pfa imd',
].flatMap((line) => line.split(' '));
const FEWEST_COLUMNS = ORDER.indexOf('msoa11') + 1;

const COUNTRY = /^(?:[EWSN]92000|L93000|M83000)\d{3}$/u;
const LOCAL_AUTHORITY = /^(?:[A-Z]\d{8}|)$/u;
const MONTH = /^(?:\d{6}|)$/u;

/** The header that a file without one should have, by how many columns its first row has and what stands in them. */
export function headerlessLayout(firstRow: readonly string[]): readonly string[] | undefined {
  const layout = ORDER.slice(0, firstRow.length);
  const value = (name: string) => (firstRow[layout.indexOf(name)] ?? '?').trim();
  const fits =
    firstRow.length >= FEWEST_COLUMNS &&
    firstRow.length <= ORDER.length &&
    keyOfText(value('pcds')) !== NO_KEY &&
    MONTH.test(value('dointr')) &&
    MONTH.test(value('doterm')) &&
    COUNTRY.test(value('ctry')) &&
    LOCAL_AUTHORITY.test(value('oslaua'));
  return fits ? layout : undefined;
}
