import { z } from 'zod';
import { API_KEY_BODY_ERRORS, API_KEY_ERRORS } from './errors.js';
import { LIMITS } from './limits.js';
import { newerField, type Operation } from './operation.js';
import { postcodeBase } from './postcode-operations.js';

const namesField = (of: string) =>
  z.array(z.string()).describe(`${of} of its active postcodes, each once, by name; empty if it has none.`);
const meanField = (of: string) =>
  z.number().nullable().describe(`${of}; null if no active postcode has any.`);
const gridMeanField = (towards: string) =>
  z
    .int()
    .nullable()
    .describe(
      `The mean in metres ${towards} on the British grid, in Northern Ireland on the Irish grid; null if no active postcode has any.`,
    );

export const outcodeRecord = z
  .object({
    outcode: z.string().describe('The outcode in its canonical form, e.g. "SW1A".'),
    latitude: meanField('The mean latitude of its active postcodes, degrees north, WGS84'),
    longitude: meanField('The mean longitude of its active postcodes, degrees east, WGS84'),
    easting: gridMeanField('east'),
    northing: gridMeanField('north'),
    activePostcodes: z.int().describe('How many of its postcodes are active.'),
    terminatedPostcodes: z.int().describe('How many of its postcodes Royal Mail has terminated.'),
    countries: namesField('The countries'),
    regions: namesField('The regions of England'),
    localAuthorities: namesField('The local authority districts'),
    wards: namesField('The electoral wards'),
    constituencies: namesField('The Westminster parliamentary constituencies'),
    lsoas: namesField('The lower layer super output areas, or data zones'),
    msoas: namesField('The middle layer super output areas, or intermediate zones'),
    policeForces: namesField('The police force areas'),
    icbs: namesField('The integrated care boards'),
  })
  .meta({ id: 'OutcodeRecord', description: 'Everything that the postcode directory has on one outcode.' });

export type OutcodeRecord = z.output<typeof outcodeRecord>;

export const getOutcodeRequest = z.strictObject({
  outcode: z
    .string()
    .describe(
      'The first half of a UK postcode in any case. Spaces, dots, commas and quotes around it and invisible characters are ignored. A space or hyphen ends it: "E1 6" is a sector of E1, never E16.',
    )
    .meta({ examples: ['SW1A'] }),
});
export const getOutcodeResponse = z.object({ result: outcodeRecord });

/** The schema of the kind of an area, which is the name of a field of postcode records. */
const areaKind = z.enum([
  'country',
  'region',
  'localAuthority',
  'ward',
  'constituency',
  'lsoa',
  'msoa',
  'policeForce',
  'icb',
]);
export type AreaKind = z.output<typeof areaKind>;

const LEFT_OUT = 'must be left out if "code" is given';

export const listAreaPostcodesRequest = z
  .strictObject({
    code: z
      .string()
      .max(LIMITS.areaCodeCharacters.max)
      .optional()
      .describe('The GSS code of the area, in place of kind and name.')
      .meta({ examples: ['E09000033'] }),
    kind: areaKind.optional().describe('What the area is: a field of postcode records.'),
    name: z
      .string()
      .max(LIMITS.areaNameCharacters.max)
      .optional()
      .describe('The name of the area as postcode records have it, in any case.')
      .meta({ examples: ['Westminster'] }),
    offset: z
      .int()
      .min(LIMITS.areaOffset.min)
      .max(LIMITS.areaOffset.max)
      .default(LIMITS.areaOffset.default)
      .describe('How many postcodes to skip.'),
    limit: z
      .int()
      .min(LIMITS.areaPostcodes.min)
      .max(LIMITS.areaPostcodes.max)
      .default(LIMITS.areaPostcodes.default)
      .describe('How many postcodes to return at most.'),
  })
  .superRefine(({ code, kind, name }, context) => {
    const addIssue = (field: string, message: string, input: unknown) =>
      context.addIssue({ code: 'custom', path: [field], message, input });
    if (code !== undefined) {
      if (kind !== undefined) addIssue('kind', LEFT_OUT, kind);
      if (name !== undefined) addIssue('name', LEFT_OUT, name);
    } else if (kind === undefined && name === undefined)
      addIssue('code', 'must be the code of an area, unless "kind" and "name" are given in its place', code);
    else if (name === undefined) addIssue('name', 'must be the name of an area if "kind" is given', name);
    else if (kind === undefined)
      addIssue('kind', `must say what "name" is: one of ${areaKind.options.join(', ')}`, kind);
  })
  .meta({ examples: [{ kind: 'localAuthority', name: 'Westminster' }] });
export const listAreaPostcodesResponse = z.object({
  area: z
    .object({
      kind: areaKind.describe('What the area is.'),
      code: z.string().nullable().describe('Its GSS code; null if the directory does not have it.'),
      name: z.string().describe('Its name, or its code if no name is known.'),
    })
    .describe('The area that was asked for.'),
  total: z.int().describe('How many active postcodes the area has.'),
  postcodes: z
    .array(z.string())
    .describe('Its active postcodes in postcode order, from the offset on; empty past the last.'),
});
export type ListAreaPostcodesResponse = z.output<typeof listAreaPostcodesResponse>;

/**
 * A header that responses about postcodes have only while the directory is the built-in sample, if the request has a
 * known key. It keeps clients from mistaking the few postcodes for all postcodes.
 */
export const DIRECTORY_HEADER = 'X-Signpost-Directory';
export const SAMPLE_DIRECTORY = 'sample';

const vintage = newerField(null, z.int().nullable());

export const getDirectoryResponse = z.object({
  edition: z
    .string()
    .describe(
      'The year and month of the edition, e.g. "2025-08"; "sample" or "unknown" if it has no edition.',
    ),
  source: z
    .enum(['ONSPD', 'NSPL', 'sample'])
    .describe('The product of the ONS that was imported, or the sample.'),
  postcodes: z.int().describe('How many postcodes the directory has, terminated ones included.'),
  importedAt: z.iso
    .datetime()
    .nullable()
    .describe('When it was imported, ISO 8601 in UTC; null for the sample.'),
  isSample: z
    .boolean()
    .describe('True if nothing was imported, so that records are from the built-in sample.'),
  vintages: newerField(
    {},
    z
      .object({
        country: vintage,
        region: vintage,
        localAuthority: vintage,
        ward: vintage,
        constituency: vintage,
        lsoa: vintage,
        msoa: vintage,
        policeForce: vintage,
        icb: vintage,
      })
      .describe('The year that the names in each field of records are from; null if it is not known.'),
  ),
});

export const areaOperations = {
  getOutcode: {
    ...postcodeBase,
    path: '/api/postcode/outcode',
    title: 'Get an outcode',
    description:
      'Says where the postcodes of an outcode lie and which areas they are in. The middle is the mean of its active postcodes that have coordinates; all of an outcode are on one grid. A slip of O for 0, or of I or L for 1, is repaired, and so is 0 for O or 1 for I.',
    request: getOutcodeRequest,
    response: { kind: 'json', schema: getOutcodeResponse },
    errors: [...API_KEY_BODY_ERRORS, 'notInDirectory'],
    n8n: {
      name: 'Get Outcode',
      action: 'Get outcode',
      description: 'Get the middle, the number of postcodes and the areas of an outcode such as SW1A',
    },
    mcp: {
      description:
        'What is known of an outcode, the first half of UK postcodes such as "SW1A": its middle, how many postcodes it has, and the names of its areas from countries to LSOAs.',
    },
  },
  listAreaPostcodes: {
    ...postcodeBase,
    path: '/api/postcode/area',
    title: 'List the postcodes of an area',
    description:
      'Lists the active postcodes of one area, in postcode order. The area is given by its GSS code, or by its kind and name; a name that several areas of the kind have is refused, with the code of each and where it is, and a name that none has with the nearest ones.',
    request: listAreaPostcodesRequest,
    response: { kind: 'json', schema: listAreaPostcodesResponse },
    errors: [...API_KEY_BODY_ERRORS, 'notInDirectory'],
    n8n: {
      name: 'List Area',
      action: 'List postcodes of area',
      description: 'Get the active postcodes of an area, such as a ward, in postcode order',
      parameters: ['code', 'kind', 'name', 'limit'],
      choices: { code: { findBy: 'code' }, name: { findBy: 'name' } },
      fields: {
        code: { parameter: 'areaCode' },
        name: { parameter: 'areaName' },
        limit: { parameter: 'maxResults', displayName: 'Limit' },
      },
    },
    mcp: {
      description:
        'The active UK postcodes of one area, such as a ward, in postcode order, and how many there are. Give its GSS code, or its kind and name.',
    },
  },
  getDirectory: {
    ...postcodeBase,
    method: 'GET',
    path: '/api/postcode/directory',
    title: 'Get the directory',
    description: 'Says which edition of the postcode directory is in use.',
    response: { kind: 'json', schema: getDirectoryResponse },
    errors: API_KEY_ERRORS,
    n8n: {
      name: 'Get Directory',
      action: 'Get postcode directory',
      description: 'Get the edition of the postcode directory in use, and how many postcodes it has',
    },
  },
} as const satisfies Record<string, Operation>;
