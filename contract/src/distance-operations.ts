import { z } from 'zod';
import { API_KEY_BODY_ERRORS } from './errors.js';
import { LIMITS } from './limits.js';
import { newerField, type Operation } from './operation.js';
import { outsideNote, postcodeBase, radiusMetres } from './postcode-operations.js';
import { nearestPostcode } from './postcode-record.js';

/** The fields of a point have no descriptions, because every model would pay for their tokens in each list of tools. */
const point = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
const EXAMPLE = { latitude: 55.952, longitude: -3.172 };

const place = z.union([z.string(), point], {
  error:
    'must be a UK postcode such as "SW1A 1AA" or a point such as {"latitude": 51.501, "longitude": -0.1416}',
});
export type Place = z.output<typeof place>;

export const measureDistanceRequest = z.strictObject({
  from: place
    .describe('Where to measure from: a postcode, or a point with latitude and longitude in degrees, WGS84.')
    .meta({ examples: ['SW1A 1AA'] }),
  to: z
    .array(place)
    .min(LIMITS.distancePlaces.min)
    .max(LIMITS.distancePlaces.max)
    .describe('Where to measure to: postcodes or points.')
    .meta({ examples: [['EH99 1SP', 'M1 1AE']] }),
});
const distance = z.object({
  metres: z.number().describe('Length of the geodesic on WGS84 in metres, to one decimal.'),
  bearingDegrees: z
    .number()
    .nullable()
    .describe(
      'The direction in which the way begins, in degrees clockwise from north, from 0 to less than 360; null if both are the same point.',
    ),
});
const missingPlace = z.object({
  index: z.int().describe('Its place in "to", from 0.'),
  reason: z
    .enum(['malformed', 'unknown', 'noCoordinates'])
    .describe(
      '"malformed" if it cannot be a postcode, "unknown" if the directory does not have it, "noCoordinates" if the directory does not say where it is.',
    ),
});
export type MissingPlace = z.output<typeof missingPlace>;
export const measureDistanceResponse = z.object({
  results: z
    .array(distance.nullable())
    .describe(
      'The distance of each entry, in the order asked; null if the directory does not know where it is.',
    ),
  missing: newerField([], z.array(missingPlace).describe('Why entries are null, in the order asked.')),
});

export const reverseGeocodeRequest = z.strictObject({
  points: z
    .array(
      z.strictObject({
        latitude: point.shape.latitude.describe('Degrees north, WGS84.'),
        longitude: point.shape.longitude.describe('Degrees east, WGS84; negative west of Greenwich.'),
      }),
    )
    .min(LIMITS.reversePoints.min)
    .max(LIMITS.reversePoints.max)
    .describe('The points, each with latitude and longitude in degrees, WGS84.')
    .meta({ examples: [[{ latitude: 51.501, longitude: -0.1416 }, EXAMPLE]] }),
  radiusMetres,
});
export const reverseGeocodeResponse = z.object({
  results: z
    .array(nearestPostcode.nullable())
    .describe(
      'The nearest active postcode of each point, in the order asked; null if no postcode is in range.',
    ),
  note: outsideNote,
});

export const findPostcodesInTextRequest = z
  .strictObject({
    text: z
      .string()
      .max(LIMITS.textCharacters.max)
      .optional()
      .describe('The text to search.')
      .meta({ examples: ['Meet at SW1A 1AA, then at eh99-1sp.'] }),
    texts: z
      .array(z.string())
      .min(LIMITS.textsToSearch.min)
      .max(LIMITS.textsToSearch.max)
      .optional()
      .describe('Several texts to search, in place of text.'),
  })
  .superRefine(({ text, texts }, context) => {
    const addIssue = (field: string, message: string, input: unknown) =>
      context.addIssue({ code: 'custom', path: [field], message, input });
    if (texts === undefined) {
      if (text === undefined)
        addIssue(
          'text',
          `must be a string of at most ${LIMITS.textCharacters.max} characters, unless "texts" is given in its place`,
          text,
        );
      return;
    }
    if (text !== undefined) addIssue('text', 'must be left out if "texts" is given', text);
    const { max } = LIMITS.textCharacters;
    if (texts.reduce((sum, { length }) => sum + length, 0) > max)
      addIssue('texts', `must have at most ${max} characters in all`, texts.length);
  })
  .meta({ examples: [{ text: 'Meet at SW1A 1AA, then at eh99-1sp.' }] });
const postcodeInText = z.object({
  postcode: z.string().describe('In its canonical form.'),
  start: z.int().describe('The position of its first character in the text, in UTF-16 code units from 0.'),
  end: z.int().describe('The position after its last character.'),
  isValid: z.boolean().describe('True if the directory has it, even if it is terminated.'),
  isActive: z.boolean().describe('True if the directory has it and Royal Mail has not terminated it.'),
  index: z.int().optional().describe('The place of its text in "texts", from 0; only if those were sent.'),
});
export const findPostcodesInTextResponse = z.object({
  results: z.array(postcodeInText).describe('All text that looks like a postcode, in the order of the text.'),
});

export const distanceOperations = {
  measureDistance: {
    ...postcodeBase,
    path: '/api/postcode/distance',
    title: 'Measure distances',
    description:
      'Says how far it is from one place to up to 100 others as the crow flies, and in which direction. Terminated postcodes are places too. An unknown entry of "to" is null; "from" must be known.',
    request: measureDistanceRequest,
    response: { kind: 'json', schema: measureDistanceResponse },
    errors: [...API_KEY_BODY_ERRORS, 'notInDirectory'],
    n8n: {
      name: 'Measure Distance',
      action: 'Measure distance between postcodes',
      description: 'Get how far it is from one postcode or point to others, and in which direction',
      fields: { to: { displayName: 'Destinations' } },
    },
    mcp: {
      description:
        'Straight-line distance in metres and bearing from one UK postcode or point to up to 100 others, in order; null if a place is unknown.',
    },
  },
  reverseGeocode: {
    ...postcodeBase,
    path: '/api/postcode/reverse',
    title: 'Find the postcodes of points',
    description: 'Finds the nearest active postcode of each of up to 100 points, with its distance.',
    request: reverseGeocodeRequest,
    response: { kind: 'json', schema: reverseGeocodeResponse },
    n8n: {
      name: 'Reverse Geocode',
      action: 'Find postcodes of points',
      description: 'Get the nearest active postcode of each of many points, with its distance',
      fields: { points: { hasEntries: true } },
      choices: { points: { pointsFrom: 'list' } },
    },
  },
  findPostcodesInText: {
    ...postcodeBase,
    path: '/api/postcode/find',
    title: 'Find postcodes in a text',
    description:
      'Finds everything in a text that looks like a postcode, in any case or width, with nothing, white space (also as "+", "%20" or "&nbsp;"), one line break, hyphens or "_" between its two halves and no letter or digit beside it, and whether the directory has it. A slip of O for 0, of I or L for 1, of 0 for O or of 1 for I is repaired only if the directory has the result and both halves have a digit, or words such as "LIONS" would be postcodes.',
    request: findPostcodesInTextRequest,
    maxBodyBytes: LIMITS.textBodyBytes.max,
    response: { kind: 'json', schema: findPostcodesInTextResponse },
    n8n: {
      name: 'Find in Text',
      action: 'Find postcodes in text',
      description: 'Get the postcodes that a text has, with their places in it and whether each exists',
      parameters: ['text', 'texts'],
      choices: { text: { searchIn: 'text' }, texts: { searchIn: 'texts' } },
    },
    mcp: {
      description:
        'The UK postcodes in a text of up to 10,000 characters, each with its place in it and whether it exists.',
    },
  },
} as const satisfies Record<string, Operation>;
