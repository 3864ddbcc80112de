import { z } from 'zod';
import { API_KEY_BODY_ERRORS, API_KEY_ERRORS } from './errors.js';
import type { Operation } from './operation.js';
import { postcodeBase } from './postcode-operations.js';

const names = (of: string) =>
  z
    .array(z.string())
    .describe(`${of} of its active postcodes, each once, by name; empty where there are none.`);
const middle = (of: string) =>
  z.number().nullable().describe(`${of}; null where no active postcode has any.`);
const gridMiddle = (towards: string) =>
  z
    .int()
    .nullable()
    .describe(
      `The mean in metres ${towards} on the British grid, in Northern Ireland on the Irish grid; null where no active postcode has any.`,
    );

export const outcodeRecord = z
  .object({
    outcode: z.string().describe('The outcode in its canonical form, e.g. "SW1A".'),
    latitude: middle('The mean latitude of its active postcodes, degrees north, WGS84'),
    longitude: middle('The mean longitude of its active postcodes, degrees east, WGS84'),
    easting: gridMiddle('east'),
    northing: gridMiddle('north'),
    activePostcodes: z.int().describe('How many of its postcodes are active.'),
    terminatedPostcodes: z.int().describe('How many of its postcodes Royal Mail has terminated.'),
    countries: names('The countries'),
    regions: names('The regions of England'),
    localAuthorities: names('The local authority districts'),
    wards: names('The electoral wards'),
    constituencies: names('The Westminster parliamentary constituencies'),
    lsoas: names('The lower layer super output areas, or data zones'),
    msoas: names('The middle layer super output areas, or intermediate zones'),
    policeForces: names('The police force areas'),
    icbs: names('The integrated care boards'),
  })
  .meta({ id: 'OutcodeRecord', description: 'What the postcode directory knows of one outcode.' });

export type OutcodeRecord = z.output<typeof outcodeRecord>;

export const getOutcodeRequest = z.strictObject({
  outcode: z
    .string()
    .describe(
      'The first half of a UK postcode in any case; spaces, hyphens, dots, commas, quotes and invisible characters are ignored.',
    )
    .meta({ examples: ['SW1A'] }),
});
export const getOutcodeResponse = z.object({ result: outcodeRecord });

export const getDirectoryResponse = z.object({
  edition: z
    .string()
    .describe(
      'The year and month of the edition, e.g. "2025-08"; "sample" or "unknown" where there is none.',
    ),
  source: z
    .enum(['ONSPD', 'NSPL', 'sample'])
    .describe('The product of the ONS that was imported, or the sample.'),
  postcodes: z.int().describe('How many postcodes the directory has, terminated ones included.'),
  importedAt: z.iso
    .datetime()
    .nullable()
    .describe('When it was imported, ISO 8601 in UTC; null for the sample.'),
  isSample: z.boolean().describe('True where nothing was imported and the built-in sample answers.'),
});

export const areaOperations = {
  getOutcode: {
    ...postcodeBase,
    path: '/api/postcode/outcode',
    title: 'Get an outcode',
    description:
      'Answers where the postcodes of an outcode lie and which areas they are in. The middle is the mean of its active postcodes that have coordinates; all of an outcode are on one grid. A slip of O for 0 or I for 1, or the reverse, is repaired.',
    request: getOutcodeRequest,
    response: { kind: 'json', schema: getOutcodeResponse },
    errors: [...API_KEY_BODY_ERRORS, 'notFound'],
    n8n: {
      name: 'Get Outcode',
      action: 'Get an outcode',
      description: 'Get the middle, the number of postcodes and the areas of an outcode such as SW1A',
    },
    mcp: {
      description:
        'What is known of an outcode, the first half of UK postcodes such as "SW1A": its middle, how many postcodes it has, and the names of its areas from countries to LSOAs.',
    },
  },
  getDirectory: {
    ...postcodeBase,
    method: 'GET',
    path: '/api/postcode/directory',
    title: 'Get the directory',
    description: 'Answers which edition of the postcode directory is in use.',
    response: { kind: 'json', schema: getDirectoryResponse },
    errors: API_KEY_ERRORS,
    n8n: {
      name: 'Get Directory',
      action: 'Get the postcode directory',
      description: 'Get the edition of the postcode directory in use, and how many postcodes it has',
    },
  },
} as const satisfies Record<string, Operation>;
