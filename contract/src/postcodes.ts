import { z } from 'zod';
import { cleanPostcode } from './clean-postcode.js';
import { LIMITS } from './limits.js';

const name = (description: string) =>
  z.string().nullable().describe(`${description}; null where there is none.`);

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
};

export const postcodeRecord = z
  .object(recordFields)
  .meta({ id: 'PostcodeRecord', description: 'What the postcode directory knows of one postcode.' });

export const nearestPostcode = z
  .object({
    ...recordFields,
    distanceMetres: z.number().describe('Great-circle distance in metres on WGS84, to one decimal.'),
  })
  .meta({ id: 'NearestPostcode', description: 'A postcode record with its distance from the point asked.' });

const postcode = (description: string) =>
  z
    .string()
    .describe(description)
    .meta({ examples: ['SW1A 1AA'] });

export const lookupPostcodeRequest = z.strictObject({
  postcode: postcode(
    'A UK postcode in any case and spacing; hyphens, dots, commas, quotes and invisible characters are ignored.',
  ),
});
export const lookupPostcodeResponse = z.object({ result: postcodeRecord });

export const lookupPostcodesRequest = z.strictObject({
  postcodes: z
    .array(z.string())
    .min(LIMITS.bulkPostcodes.min)
    .max(LIMITS.bulkPostcodes.max)
    .describe('The postcodes to look up, in the order in which the results are wanted.')
    .meta({ examples: [['SW1A 1AA', 'EH99 1SP']] }),
});
export const lookupPostcodesResponse = z.object({
  results: z.array(postcodeRecord).describe('One record for each entry that was found, in the order asked.'),
  found: z.int().describe('How many entries were found.'),
  notFound: z.int().describe('How many entries are no postcode or not in the directory.'),
});

export const validatePostcodeRequest = z.strictObject({
  postcode: postcode('A UK postcode in any case, with any white space or none.'),
});
export const validatePostcodeResponse = z.object({
  postcode: z.string().describe('Canonical where it has the form of a postcode, else as it was sent.'),
  isValid: z.boolean().describe('True where the directory has it, terminated postcodes included.'),
});

export const findNearestPostcodesRequest = z.strictObject({
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
    .describe('Degrees east, WGS84.')
    .meta({ examples: [-0.1416] }),
  limit: z
    .int()
    .min(LIMITS.nearestResults.min)
    .max(LIMITS.nearestResults.max)
    .default(LIMITS.nearestResults.default)
    .describe('How many postcodes to return at most.'),
  radiusMetres: z
    .number()
    .min(LIMITS.nearestRadiusMetres.min)
    .max(LIMITS.nearestRadiusMetres.max)
    .default(LIMITS.nearestRadiusMetres.default)
    .describe('How far from the point to look, in metres.'),
});
export const findNearestPostcodesResponse = z.object({
  results: z
    .array(nearestPostcode)
    .describe('Active postcodes, nearest first, equal distances by postcode; empty where none is in range.'),
});

export const autocompletePostcodeRequest = z.strictObject({
  partial: z
    .string()
    .refine(
      (partial) =>
        cleanPostcode(partial).replace(/\s/gu, '').length >= LIMITS.autocompletePartialCharacters.min,
      `must have at least ${LIMITS.autocompletePartialCharacters.min} characters other than spaces and punctuation`,
    )
    .describe(
      'The beginning of a postcode, at least 2 characters, in any case. A space ends an outcode: "M11 " is never the beginning of M1 1AA.',
    )
    .meta({ examples: ['SW1A 1'] }),
  limit: z
    .int()
    .min(LIMITS.autocompleteResults.min)
    .max(LIMITS.autocompleteResults.max)
    .default(LIMITS.autocompleteResults.default)
    .describe('How many postcodes to return at most.'),
});
export const autocompletePostcodeResponse = z.object({
  postcodes: z
    .array(z.string())
    .describe(
      'Active postcodes that begin so, canonical: those of the outcode that was typed, then the others, each in postcode order.',
    ),
});

export type PostcodeRecord = z.output<typeof postcodeRecord>;
export type NearestPostcode = z.output<typeof nearestPostcode>;
