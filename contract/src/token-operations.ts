import { z } from 'zod';
import type { Operation } from './operation.js';

const accessTokenEnd = z.iso.datetime().describe('When the access token ends, ISO 8601 in UTC.');

export const tokenStatus = z
  .object({
    result: z.literal('success').describe('Always "success"; failures are HTTP errors.'),
    identity: z
      .object({
        id: z.string().describe("The account's identifier."),
        email: z.string().describe("The account's e-mail address."),
        name: z.string().nullable().describe("The account's name; null if none was given."),
      })
      .describe('The account that the token acts for.'),
    valid_to: accessTokenEnd,
  })
  .meta({ id: 'TokenStatus', description: 'The account that an access token acts for, and until when.' });

export const refreshTokenRequest = z.strictObject({
  refreshToken: z
    .string()
    .min(1)
    .describe('The refresh token as the page /apikeys shows it.')
    .meta({ format: 'password' }),
});

export const tokenPair = z
  .object({
    result: z.literal('success').describe('Always "success"; failures are HTTP errors.'),
    access_token: z.string().describe('The new access token, a signed JWT.'),
    refresh_token: z.string().describe('The refresh token, unchanged.'),
    valid_to: accessTokenEnd,
  })
  .meta({ id: 'TokenPair', description: 'An access token and the refresh token that renews it.' });

const token = {
  interface: 'B',
  tag: 'Token',
  responseHeaders: {},
} as const;

export const tokenOperations = {
  getTokenStatus: {
    ...token,
    authentication: 'accessToken',
    method: 'GET',
    path: '/api/token/status',
    title: 'Get the status of the access token',
    description: 'Returns the account that the access token acts for. Use it to check that a token works.',
    response: { kind: 'json', schema: tokenStatus },
    errors: ['unauthorized', 'rateLimited', 'internal'],
    n8n: {
      name: 'Get Status',
      action: 'Get status of token',
      description: 'Get the account that the access token acts for, and when the token ends',
    },
  },
  refreshToken: {
    ...token,
    authentication: 'body',
    method: 'POST',
    path: '/api/token/refresh',
    title: 'Refresh the access token',
    description: 'Returns a new access token. The refresh token stays the same.',
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

export type TokenStatus = z.output<typeof tokenStatus>;
export type TokenPair = z.output<typeof tokenPair>;
