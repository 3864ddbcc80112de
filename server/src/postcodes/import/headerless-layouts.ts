import { keyOfText } from '../table/normalise-postcode.js';
import { NO_KEY } from '../table/postcode-key.js';

const words = (...lines: string[]) => lines.flatMap((line) => line.split(' '));

/**
 * The columns of the ONSPD from February 2013 to November 2016. Earlier editions of this period lack some of the last
 * columns.
 */
const ONSPD_2013 = words(
  'pcd pcd2 pcds dointr doterm oscty oslaua osward usertype oseast1m osnrth1m osgrdind oshlthau hro ctry gor streg',
  'pcon eer teclec ttwa pct nuts psed cened edind oshaprev lea oldha wardc91 wardo91 ward98 statsward oa01 casward',
  'park lsoa01 msoa01 ur01ind oac01 oldpct oa11 lsoa11 msoa11 parish wz11 ccg bua11 buasd11 ru11ind oac11 lat long',
  'lep1 lep2 pfa imd',
);
const MIN_ONSPD_COLUMNS = ONSPD_2013.indexOf('msoa11') + 1;

/** The layouts of later editions of the ONSPD, and of the NSPL. */
const LATER: readonly (readonly string[])[] = [
  // The next three layouts are of the ONSPD from 2018, from 2021 and from 2024.
  ...['nuts', 'itl'].map((nuts) =>
    words(
      'pcd pcd2 pcds dointr doterm oscty ced oslaua osward parish usertype oseast1m osnrth1m osgrdind oshlthau nhser',
      `ctry rgn streg pcon eer teclec ttwa pct ${nuts} statsward oa01 casward park lsoa01 msoa01 ur01ind oac01 oa11`,
      'lsoa11 msoa11 wz11 ccg bua11 buasd11 ru11ind oac11 lat long lep1 lep2 pfa imd calncv stp',
    ),
  ),
  words(
    'pcd pcd2 pcds dointr doterm oscty ced oslaua osward parish usertype oseast1m osnrth1m osgrdind oshlthau nhser',
    'ctry rgn streg pcon eer teclec ttwa pct itl statsward oa01 casward npark lsoa01 msoa01 ur01ind oac01 oa11',
    'lsoa11 msoa11 wz11 sicbl bua11 buasd11 ru11ind oac11 lat long lep1 lep2 pfa imd calncv icb oa21 lsoa21 msoa21',
  ),
  // The next three layouts are of the NSPL: from 2018 with the output areas of 2011, with those of 2021, and from 2024.
  ...['oa11 lsoa11 msoa11', 'oa21 lsoa21 msoa21'].map((areas) => {
    const [oa = '', lsoa = '', msoa = ''] = areas.split(' ');
    return words(
      `pcd pcd2 pcds dointr doterm usertype oseast1m osnrth1m osgrdind ${oa} cty ced laua ward hlthau nhser ctry rgn`,
      `pcon eer teclec ttwa pct itl park ${lsoa} ${msoa} wz11 ccg bua11 buasd11 ru11ind oac11 lat long lep1 lep2 pfa`,
      'imd calncv stp',
    );
  }),
  words(
    'pcd pcd2 pcds dointr doterm usertype oseast1m osnrth1m osgrdind oa21 cty ced laua ward nhser ctry rgn pcon ttwa',
    'itl npark lsoa21 msoa21 wz11 sicbl bua22 ru11ind oac11 lat long lep1 lep2 pfa imd icb',
  ),
];

/** A pattern that matches a GSS code with one of these prefixes, a code that means "none", or an empty text. */
const level = (...levels: string[]) =>
  new RegExp(`^(?:(?:${levels.join('|')})\\d{6}|[EWSNLM]99999999|)$`, 'u');
const GSS = /^(?:[A-Z]\d{8}|)$/u;
const OLD_CODE = /^[A-Z0-9]{0,12}$/u;
const MONTH = /^(?:\d{4}(?:0[1-9]|1[0-2])|)$/u;
const DEGREES = /^(?:-?\d{1,3}(?:\.\d+)?|)$/u;
const POSTCODE = /^[A-Z][A-Z0-9 ]{4,7}$/u;
const SMALL_AREA_OF_2001 = /^(?:[A-Z]\d{8}|95[A-Z0-9]{2,8}|Z99999999|)$/u;

/** For each column title, the pattern that its values match. The values of other columns match OLD_CODE. */
const LOOKS: ReadonlyMap<string, RegExp> = new Map([
  ...words('pcd pcd2 pcds').map((column) => [column, POSTCODE] as const),
  ...words('dointr doterm').map((column) => [column, MONTH] as const),
  ...words('lat long').map((column) => [column, DEGREES] as const),
  ['ctry', /^(?:[EWSN]92000|L93000|M83000)\d{3}$/u],
  ...words('gor rgn').map((column) => [column, level('E12', 'W92', 'S92', 'N92')] as const),
  ...words('oslaua laua').map((column) => [column, level('E0[6-9]', 'W06', 'S12', 'N09')] as const),
  ...words('osward ward').map((column) => [column, level('E05', 'E36', 'W05', 'S13', 'N08')] as const),
  ['pcon', level('E14', 'W07', 'S14', 'N0[56]')],
  ['pfa', level('E23', 'W15', 'S23', 'N2[34]')],
  ...words('icb stp').map((column) => [column, level('E54', 'W11')] as const),
  ...words('lsoa11 lsoa21').map(
    (column) => [column, /^(?:[EWS]01\d{6}|95[A-Z0-9]{6,7}|N2\d{7}|[EWSNLMZ]99999999|)$/u] as const,
  ),
  ...words('msoa11 msoa21').map((column) => [column, level('[EWS]02', 'N2\\d')] as const),
  ...words('oa11 oa21').map((column) => [column, /^(?:[EWSN]00\d{6}|N2\d{7}|[EWSNLMZ]99999999|)$/u] as const),
  ...words('lsoa01 msoa01 oa01').map((column) => [column, SMALL_AREA_OF_2001] as const),
  ['parish', level('E04', 'E43', 'W04')],
  ['wz11', level('E33', 'W35', 'S34', 'N19')],
  ['ced', level('E58')],
  ['eer', level('E15', 'W08', 'S15', 'N07')],
  ['ttwa', level('[EWSK]\\d\\d', 'N12')],
  ['nhser', level('E40')],
  ...words('lep1 lep2').map((column) => [column, level('E37')] as const),
  ...words('park npark').map((column) => [column, level('E26', 'E65', 'W18', 'W31', 'S21')] as const),
  ...words('bua11 bua22').map(
    (column) => [column, level('E34', 'E63', 'W37', 'W45', 'S45', 'K0\\d')] as const,
  ),
  ['buasd11', level('E35', 'W38', 'K06')],
  ...words('oscty cty').map((column) => [column, level('E1[013]')] as const),
  ...words('sicbl ccg calncv teclec').map((column) => [column, GSS] as const),
  ['usertype', /^[01]?$/u],
  ['osgrdind', /^[1-9]?$/u],
  ['oseast1m', /^\d*$/u],
  ['osnrth1m', /^\d*N?$/u],
  ['imd', /^\d*$/u],
  ['streg', /^\d{0,2}$/u],
]);

/**
 * Whether the values of a row match the patterns of all columns of a layout, and its postcode columns have the same
 * postcode.
 */
function fits(layout: readonly string[], row: readonly string[]): boolean {
  const value = (column: string) => (row[layout.indexOf(column)] ?? '').trim();
  const key = keyOfText(value('pcds'));
  return (
    key !== NO_KEY &&
    ['pcd', 'pcd2'].every((column) => keyOfText(value(column)) === key) &&
    layout.every((column) => (LOOKS.get(column) ?? OLD_CODE).test(value(column)))
  );
}

/**
 * The header for a file without one: the layout whose number of columns and patterns match the first row. Undefined
 * if none matches.
 */
export function headerlessLayout(firstRow: readonly string[]): readonly string[] | undefined {
  const { length } = firstRow;
  const layouts = [
    ...(length >= MIN_ONSPD_COLUMNS && length <= ONSPD_2013.length ? [ONSPD_2013.slice(0, length)] : []),
    ...LATER.filter((layout) => layout.length === length),
  ];
  return layouts.find((layout) => fits(layout, firstRow));
}
