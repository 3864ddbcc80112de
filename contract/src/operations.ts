import { capturePdfRequest, captureScreenshotRequest } from './captures.js';
import type { ErrorName } from './errors.js';
import type { HeaderDescription, Operation } from './operation.js';
import * as postcodes from './postcodes.js';
import { refreshTokenRequest, tokenPair, tokenStatus } from './tokens.js';
import { usageStatistics } from './usage.js';

const authenticated = [
  'unauthorized',
  'rateLimited',
  'internal',
  'overloaded',
] as const satisfies ErrorName[];
const withBody = [
  'invalidRequest',
  'payloadTooLarge',
  'unsupportedMediaType',
  ...authenticated,
] as const satisfies ErrorName[];

const integer = (description: string): HeaderDescription => ({ type: 'integer', description });

/** Headers of every answer of interface A to a known key, refusals included. */
export const RATE_LIMIT_HEADERS = {
  RateLimit: {
    type: 'string',
    description: 'What is left in each window and when it begins anew, in seconds.',
  },
  'RateLimit-Policy': { type: 'string', description: 'The limits of the key and the windows in seconds.' },
} as const satisfies Record<string, HeaderDescription>;

const capture = {
  interface: 'A',
  authentication: 'apiKey',
  method: 'POST',
  tag: 'Capture',
  errors: [...withBody, 'timeout'],
} as const;
const pageStatus = { 'X-Page-Status': integer('The HTTP status with which the page itself answered.') };

const postcode = {
  interface: 'A',
  authentication: 'apiKey',
  method: 'POST',
  tag: 'Postcode',
  errors: withBody,
  responseHeaders: {},
} as const;

const token = {
  interface: 'B',
  tag: 'Token',
  responseHeaders: { 'Cache-Control': { type: 'string', description: 'Always no-store.' } },
} as const;

/** The table of operations: the interface, once. */
export const operations = {
  captureScreenshot: {
    ...capture,
    path: '/api/screenshot',
    title: 'Capture a screenshot',
    description:
      'Opens a web page in a browser and answers a picture of it, of the window or of the whole page.',
    request: captureScreenshotRequest,
    response: { kind: 'file', mediaTypes: ['image/png', 'image/jpeg'], description: 'The picture.' },
    responseHeaders: {
      'X-Capture-Time-Ms': integer('How long the capture took, in milliseconds.'),
      ...pageStatus,
    },
  },
  capturePdf: {
    ...capture,
    path: '/api/pdf',
    title: 'Capture a PDF',
    description: 'Opens a web page in a browser and answers it as a PDF of as many pages as it needs.',
    request: capturePdfRequest,
    response: { kind: 'file', mediaTypes: ['application/pdf'], description: 'The PDF.' },
    responseHeaders: {
      'X-Generation-Time-Ms': integer('How long the generation took, in milliseconds.'),
      'X-Page-Count': integer('How many pages the PDF has.'),
      ...pageStatus,
    },
  },
  lookupPostcode: {
    ...postcode,
    path: '/api/postcode/lookup',
    title: 'Look up a postcode',
    description:
      'Answers what the directory knows of one postcode. A slip of O for 0 or I for 1, or the reverse, is repaired.',
    request: postcodes.lookupPostcodeRequest,
    response: { kind: 'json', schema: postcodes.lookupPostcodeResponse },
    errors: [...withBody, 'notFound'],
  },
  lookupPostcodes: {
    ...postcode,
    path: '/api/postcode/bulk',
    title: 'Look up many postcodes',
    description:
      'Answers what the directory knows of up to 100 postcodes, in the order asked. Each is read as the look-up of one reads it.',
    request: postcodes.lookupPostcodesRequest,
    response: { kind: 'json', schema: postcodes.lookupPostcodesResponse },
  },
  validatePostcode: {
    ...postcode,
    path: '/api/postcode/validate',
    title: 'Validate a postcode',
    description: 'Says whether a postcode, exactly as sent but for case and spaces, is in the directory.',
    request: postcodes.validatePostcodeRequest,
    response: { kind: 'json', schema: postcodes.validatePostcodeResponse },
  },
  findNearestPostcodes: {
    ...postcode,
    path: '/api/postcode/nearest',
    title: 'Find the nearest postcodes',
    description: 'Answers the active postcodes around a point, nearest first, each with its distance.',
    request: postcodes.findNearestPostcodesRequest,
    response: { kind: 'json', schema: postcodes.findNearestPostcodesResponse },
  },
  autocompletePostcode: {
    ...postcode,
    path: '/api/postcode/autocomplete',
    title: 'Autocomplete a postcode',
    description:
      'Answers the active postcodes that begin with what was typed. Slips of O for 0 or I for 1 are repaired.',
    request: postcodes.autocompletePostcodeRequest,
    response: { kind: 'json', schema: postcodes.autocompletePostcodeResponse },
  },
  getUsage: {
    interface: 'A',
    authentication: 'apiKey',
    method: 'GET',
    path: '/api/usage',
    tag: 'Usage',
    title: 'Get usage statistics',
    description: 'Answers how much the API key has been used; this request counts too.',
    response: { kind: 'json', schema: usageStatistics },
    responseHeaders: {},
    errors: authenticated,
  },
  getTokenStatus: {
    ...token,
    authentication: 'accessToken',
    method: 'GET',
    path: '/api/token/status',
    title: 'Get the status of the access token',
    description: 'Answers whom the access token authenticates as; usable to check that a token works.',
    response: { kind: 'json', schema: tokenStatus },
    errors: ['unauthorized', 'rateLimited', 'internal'],
  },
  refreshToken: {
    ...token,
    authentication: 'body',
    method: 'POST',
    path: '/api/token/refresh',
    title: 'Refresh the access token',
    description: 'Answers a new access token for the refresh token, which stays as it is.',
    request: refreshTokenRequest,
    response: { kind: 'json', schema: tokenPair },
    errors: [
      'invalidRequest',
      'unauthorized',
      'payloadTooLarge',
      'unsupportedMediaType',
      'rateLimited',
      'internal',
    ],
  },
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
/** The operations of interface A: those that an API key pays for. */
export type ApiKeyOperationId = {
  [Id in OperationId]: Operations[Id]['interface'] extends 'A' ? Id : never;
}[OperationId];
