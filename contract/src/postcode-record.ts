import { z } from 'zod';
import { includedFields } from './postcode-parts.js';

const name = (description: string) => z.string().nullable().describe(`${description}; null if it has none.`);

/** A point in a request, as two fields. */
export const pointFields = {
  latitude: z
    .number()
    .min(-90)
    .max(90)
    .describe('Degrees north, WGS84.')
    .meta({ examples: [51.501] }),
  longitude: z
    .number()
    .min(-180)
    .max(180)
    .describe('Degrees east, WGS84; negative west of Greenwich.')
    .meta({ examples: [-0.1416] }),
};

const recordFields = {
  postcode: z.string().describe('The postcode in its canonical form, e.g. "SW1A 1AA".'),
  outcode: z.string().describe('The outward half, e.g. "SW1A".'),
  incode: z.string().describe('The inward half, e.g. "1AA".'),
  latitude: z.number().nullable().describe('Degrees north, WGS84; null without coordinates.'),
  longitude: z.number().nullable().describe('Degrees east, WGS84; null without coordinates.'),
  easting: z
    .int()
    .nullable()
    .describe('Metres east on the British grid, in Northern Ireland on the Irish grid; null without one.'),
  northing: z
    .int()
    .nullable()
    .describe('Metres north on the British grid, in Northern Ireland on the Irish grid; null without one.'),
  country: name('Country'),
  region: name('Region of England'),
  localAuthority: name('Local authority district'),
  ward: name('Electoral ward'),
  constituency: name('Westminster parliamentary constituency'),
  lsoa: name(
    'Lower layer super output area; in Scotland the data zone, in Northern Ireland the super data zone',
  ),
  msoa: name('Middle layer super output area; in Scotland the intermediate zone'),
  policeForce: name('Police force area'),
  icb: name('Integrated care board'),
  isActive: z.boolean().describe('False for a postcode that Royal Mail has terminated.'),
  ...includedFields,
};

export const postcodeRecord = z
  .object(recordFields)
  .meta({ id: 'PostcodeRecord', description: 'Everything that the postcode directory has on one postcode.' });

/** A record in the response to a bulk lookup. */
export const listedPostcode = z
  .object({
    ...recordFields,
    // Optional for clients, because older servers do not send it.
    index: z.int().optional().describe('Its place among the entries of the request, from 0.'),
  })
  .meta({
    id: 'ListedPostcode',
    description: 'A postcode record with the place of its entry in the request.',
  });

export const nearestPostcode = z
  .object({
    ...recordFields,
    distanceMetres: z.number().describe('Geodesic distance in metres on WGS84, to one decimal.'),
  })
  .meta({ id: 'NearestPostcode', description: 'A postcode record with its distance from the point asked.' });

export type PostcodeRecord = z.output<typeof postcodeRecord>;
export type NearestPostcode = z.output<typeof nearestPostcode>;

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;
const DASHES = /\p{Dash}/gu;
const MARK = '\\p{Quotation_Mark}\\p{Ps}\\p{Pe}<>`´′″.,:;=·•…';
/** A space or no-break space, percent-encoded or as a character reference of HTML. */
const WRITTEN_SPACE = /%20|%C2%A0|&nbsp;|&#0*(?:32|160);|&#x0*(?:20|a0);/giu;
const MARKS = new RegExp(`[${MARK}]`, 'gu');
const MARKS_AROUND = new RegExp(`^[\\s${MARK}]+|[\\s${MARK}]+$`, 'gu');
const FULL_WIDTH = /[\uFF01-\uFF5E]/gu;
/** The distance from a full-width letter, digit or mark in Unicode to the usual one. */
const FULL_WIDTH_OFFSET = 0xfee0;
/** Full-width letters, digits and marks become usual ones. The length stays the same. */
export const toUsualWidth = (text: string): string =>
  text.replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET));

/** A text of letters, digits and spaces that begins with a letter or digit. Nothing has to be removed from it. */
const CLEAN = /^[A-Za-z\d]+(?: [A-Za-z\d]*)*$/u;
/** A longer text is not cleaned. */
const MAX_CHARACTERS = 100;

/**
 * Removes characters that typing and copying add to postcodes: invisible ones, and quotes, brackets, dots, commas,
 * colons, semicolons and equals signs around a postcode. Such a mark inside, and a hyphen inside or at the end, becomes
 * a space, because like a space it separates outcode and incode: "E1-6" is not E16. %20, &nbsp; and the like become
 * spaces too, but "+" stays. Full-width characters become usual ones. Returns a text of more than 100 characters
 * unchanged.
 */
export const cleanPostcode = (text: string): string =>
  text.length > MAX_CHARACTERS || CLEAN.test(text)
    ? text
    : toUsualWidth(text.replace(WRITTEN_SPACE, ' '))
        .replace(INVISIBLE, '')
        .replace(DASHES, ' ')
        .replace(MARKS_AROUND, (around, at: number) => (at > 0 && /\s/u.test(around) ? ' ' : ''))
        .replace(MARKS, ' ');
