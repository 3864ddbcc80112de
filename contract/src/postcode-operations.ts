import { z } from 'zod';
import { API_KEY_BODY_ERRORS } from './errors.js';
import { LIMITS } from './limits.js';
import { newerField, type Operation } from './operation.js';
import { includeField } from './postcode-parts.js';
import {
  cleanPostcode,
  listedPostcode,
  nearestPostcode,
  pointFields,
  postcodeRecord,
} from './postcode-record.js';

const postcodeText = (description: string) =>
  z
    .string()
    .describe(description)
    .meta({ examples: ['SW1A 1AA'] });

export const lookupPostcodeRequest = z.strictObject({
  postcode: postcodeText(
    'A UK postcode in any case and spacing. Hyphens, dots, commas, quotes, brackets and semicolons count as spaces, and invisible characters are ignored. A space after an outcode ends it: "E1 61AA" is not E16 1AA.',
  ),
  include: includeField,
});
export const lookupPostcodeResponse = z.object({ result: postcodeRecord });

export const lookupPostcodesRequest = z.strictObject({
  postcodes: z
    .array(z.string())
    .min(LIMITS.bulkPostcodes.min)
    .max(LIMITS.bulkPostcodes.max)
    .describe('The postcodes to look up, in the order in which the results are wanted.')
    .meta({ examples: [['SW1A 1AA', 'EH99 1SP']] }),
  include: includeField,
});
const missingPostcode = z.object({
  index: z.int().describe('Its place among the entries, from 0.'),
  postcode: z.string().describe('The entry as it was sent.'),
  reason: z
    .enum(['malformed', 'unknown'])
    .describe('"malformed" if it cannot be a postcode, "unknown" if the directory does not have it.'),
});
export type MissingPostcode = z.output<typeof missingPostcode>;
export const lookupPostcodesResponse = z.object({
  results: z.array(listedPostcode).describe('One record for each entry that was found, in the order asked.'),
  found: z.int().describe('How many entries were found.'),
  notFound: z.int().describe('How many entries are malformed, or not in the directory.'),
  missing: newerField(
    [],
    z.array(missingPostcode).describe('The entries that were not found, in the order asked.'),
  ),
});

export const validatePostcodeRequest = z.strictObject({
  postcode: postcodeText('A UK postcode in any case, with any white space or none.'),
});
export const validatePostcodeResponse = z.object({
  postcode: z
    .string()
    .describe('In its canonical form if it looks like a postcode, otherwise as it was sent.'),
  isValid: z.boolean().describe('True if the directory has it, even if it is terminated.'),
  isActive: z.boolean().describe('True if the directory has it and Royal Mail has not terminated it.'),
  suggestion: z
    .string()
    .optional()
    .describe(
      'The postcode that was probably meant, if the directory has it: after dirt and slips are repaired, or as the only one in a text such as "SW1A 1AA, UK".',
    ),
});
export type ValidatePostcodeResponse = z.output<typeof validatePostcodeResponse>;

const { latitude, longitude } = pointFields;
const RANGES = { latitude: 'from -90 to 90', longitude: 'from -180 to 180' };
export const radiusMetres = z
  .number()
  .min(LIMITS.nearestRadiusMetres.min)
  .max(LIMITS.nearestRadiusMetres.max)
  .default(LIMITS.nearestRadiusMetres.default)
  .describe('How far from the point to look, in metres.');

export const findNearestPostcodesRequest = z
  .strictObject({
    latitude: latitude.optional(),
    longitude: longitude.optional(),
    postcode: z
      .string()
      .optional()
      .describe('A postcode to start from, in place of latitude and longitude.')
      .meta({ examples: ['SW1A 1AA'] }),
    limit: z
      .int()
      .min(LIMITS.nearestResults.min)
      .max(LIMITS.nearestResults.max)
      .default(LIMITS.nearestResults.default)
      .describe('How many postcodes to return at most.'),
    offset: z
      .int()
      .min(LIMITS.nearestOffset.min)
      .max(LIMITS.nearestOffset.max)
      .optional()
      .describe('How many of the nearest to skip. With it, the answer has the total.'),
    radiusMetres,
    include: includeField,
  })
  .superRefine((request, context) => {
    const hasPostcode = request.postcode !== undefined;
    for (const field of ['latitude', 'longitude'] as const) {
      if ((request[field] !== undefined) !== hasPostcode) continue;
      const message = hasPostcode
        ? 'must be left out if "postcode" is given'
        : `must be a number ${RANGES[field]}, unless "postcode" is given in place of the point`;
      context.addIssue({ code: 'custom', path: [field], message, input: request[field] });
    }
  })
  .meta({ examples: [{ postcode: 'SW1A 1AA' }] });
/** The response field for a note that nothing was found for a point because it is not in the UK. */
export const outsideNote = z
  .string()
  .optional()
  .describe(
    'Only if nothing was found because a point is not in the UK: whether latitude and longitude are swapped.',
  );

export const findNearestPostcodesResponse = z.object({
  results: z
    .array(nearestPostcode)
    .describe(
      'Active postcodes, nearest first, equal distances by postcode; empty if no postcode is in range.',
    ),
  total: z
    .int()
    .optional()
    .describe('How many active postcodes are in range; only if the request has an offset.'),
  note: outsideNote,
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
      'The beginning of a postcode, at least 2 characters, in any case. A space or hyphen ends an outcode: "M11 " is never the beginning of M1 1AA.',
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
      'Active postcodes that begin with it, in their canonical form: first those of the outcode that was typed, then those of outcodes with a letter after it, then with a digit, then the others. Each group gets a fair part of the limit and is in postcode order.',
    ),
});

/** What definitions of postcode operations share, unless an operation overrides it. */
export const postcodeBase = {
  interface: 'A',
  authentication: 'apiKey',
  method: 'POST',
  tag: 'Postcode',
  errors: API_KEY_BODY_ERRORS,
  responseHeaders: {},
} as const;

export const postcodeOperations = {
  lookupPostcode: {
    ...postcodeBase,
    path: '/api/postcode/lookup',
    title: 'Look up a postcode',
    description:
      'Looks up one postcode in the directory. A slip of O for 0, or of I or L for 1, is repaired, and so is 0 for O or 1 for I.',
    request: lookupPostcodeRequest,
    response: { kind: 'json', schema: lookupPostcodeResponse },
    errors: [...API_KEY_BODY_ERRORS, 'notInDirectory'],
    n8n: {
      name: 'Look Up',
      action: 'Look up postcode',
      description: 'Get the coordinates, areas and status of one postcode',
    },
    mcp: {
      description:
        'Everything the UK directory knows of one postcode: country, region, local authority, ward, constituency, police force, NHS care board, LSOA, MSOA, coordinates, and whether it is still active. For several postcodes use lookup_postcodes.',
    },
  },
  lookupPostcodes: {
    ...postcodeBase,
    path: '/api/postcode/bulk',
    title: 'Look up many postcodes',
    description:
      'Looks up to 100 postcodes in the directory, in the order asked. Each is read as in a single lookup.',
    request: lookupPostcodesRequest,
    response: { kind: 'json', schema: lookupPostcodesResponse },
    n8n: {
      name: 'Look Up Many',
      action: 'Look up many postcodes',
      description:
        'Get the records of many postcodes with few requests, from a list or from all incoming items',
      choices: { postcodes: { source: 'list' } },
    },
    mcp: {
      description:
        'The same as lookup_postcode for 1 to 100 UK postcodes in one call, and which of them do not exist. Use it to check or enrich a list.',
    },
  },
  validatePostcode: {
    ...postcodeBase,
    path: '/api/postcode/validate',
    title: 'Validate a postcode',
    description:
      'Says whether a postcode is in the directory, and whether it is still active. Slips are not repaired: only case and spaces may differ. If the directory has the repaired postcode, that is suggested.',
    request: validatePostcodeRequest,
    response: { kind: 'json', schema: validatePostcodeResponse },
    n8n: {
      name: 'Validate',
      action: 'Validate postcode',
      description: 'Check whether a postcode exists, exactly as written except for case and spaces',
    },
    mcp: {
      description:
        'Whether one UK postcode exists, exactly as written except for case and spaces; terminated ones count as existing. Answers yes or no and the canonical spelling; for its details use lookup_postcode.',
    },
  },
  findNearestPostcodes: {
    ...postcodeBase,
    path: '/api/postcode/nearest',
    title: 'Find the nearest postcodes',
    description:
      'Lists the active postcodes around a point or a postcode, nearest first, each with its distance. With an offset, returns one page of them and their total.',
    request: findNearestPostcodesRequest,
    response: { kind: 'json', schema: findNearestPostcodesResponse },
    errors: [...API_KEY_BODY_ERRORS, 'notInDirectory'],
    n8n: {
      name: 'Find Nearest',
      action: 'Find nearest postcodes',
      description:
        'Get the active postcodes around a point or a postcode, nearest first, each with its distance',
      parameters: ['latitude', 'longitude', 'postcode', 'radiusMetres', 'limit'],
      choices: { latitude: { startFrom: 'point' }, postcode: { startFrom: 'postcode' } },
      fields: {
        latitude: { decimals: 7 },
        longitude: { decimals: 7 },
        limit: { parameter: 'maxResults', displayName: 'Limit' },
      },
    },
    mcp: {
      description:
        'The active UK postcodes around a point or a postcode, nearest first, each with its distance in metres and its record.',
    },
  },
  autocompletePostcode: {
    ...postcodeBase,
    path: '/api/postcode/autocomplete',
    title: 'Autocomplete a postcode',
    description:
      'Lists the active postcodes that begin with a text. A slip of O for 0, or of I or L for 1, is repaired, and so is 0 for O or 1 for I.',
    request: autocompletePostcodeRequest,
    response: { kind: 'json', schema: autocompletePostcodeResponse },
    n8n: {
      name: 'Autocomplete',
      action: 'Autocomplete postcode',
      description: 'Get the active postcodes that begin with a text',
      parameters: ['limit'],
      fields: {
        partial: { displayName: 'Partial Postcode', keepsLastSpace: true },
        limit: {
          parameter: 'maxResults',
          displayName: 'Limit',
          description: 'Max number of results to return.',
        },
      },
    },
    mcp: {
      description:
        'The active UK postcodes that begin with some characters, such as "SW1A 1" or an outcode. Use it when a postcode is incomplete or was not found.',
    },
  },
} as const satisfies Record<string, Operation>;
