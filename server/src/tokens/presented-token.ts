import { ServiceError } from '../platform/errors.js';
import { REFRESH_TOKEN_PREFIX } from './refresh-tokens.js';

const API_KEY_PREFIX = 'sp_live_';
/**
 * The form of an access token: three parts in base64url. The signature has 64 bytes, so its last character is one of
 * four; other characters would decode to the same bytes.
 */
const ACCESS_TOKEN_FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/u;
/**
 * Three parts with dots between them. A text of this form that was sent as the refresh token is taken for an access
 * token, whatever its signature is.
 */
const JWT_FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/u;

const unauthorized = (message: string) => new ServiceError('unauthorized', message);

const howToRefresh = 'POST /api/token/refresh gives a new one for the refresh token.';

export const invalidAccessToken = () =>
  unauthorized(`The access token is not valid: this server did not issue it as it is. ${howToRefresh}`);

export const expiredAccessToken = (validToMs: number) =>
  unauthorized(`The access token ended at ${new Date(validToMs).toISOString()}. ${howToRefresh}`);

const unknownRefreshToken = () =>
  unauthorized(
    'The refresh token is not valid: it is unknown, or was regenerated since. The page /apikeys shows the present one.',
  );

export const futureAccessToken = (issuedAtMs: number) =>
  unauthorized(
    `The access token was issued at ${new Date(issuedAtMs).toISOString()}, which is still to come by this server's clock. ${howToRefresh}`,
  );

/**
 * Throws a ServiceError if a text does not have the form of an access token. The message says if the text begins like a
 * refresh token or an API key, and never shows it.
 */
export function checkAccessTokenForm(presented: string): void {
  if (ACCESS_TOKEN_FORM.test(presented)) return;
  if (presented.startsWith(REFRESH_TOKEN_PREFIX)) {
    throw unauthorized(`This is a refresh token, and the access token is wanted here. ${howToRefresh}`);
  }
  if (presented.startsWith(API_KEY_PREFIX)) {
    throw unauthorized(
      'This is an API key, which goes into the header "X-Api-Key" of captures, postcodes and usage. The access token ' +
        'is wanted here; the page /apikeys shows it.',
    );
  }
  throw invalidAccessToken();
}

/**
 * The error for an invalid refresh token. It says if the text has the form of an access token, or begins like an API
 * key.
 */
export function invalidRefreshToken(presented: string): ServiceError {
  if (JWT_FORM.test(presented)) {
    return unauthorized(
      'This is an access token, and "refreshToken" must be the refresh token, which begins with "rt_". The page ' +
        '/apikeys shows both.',
    );
  }
  if (presented.startsWith(API_KEY_PREFIX)) {
    return unauthorized(
      'This is an API key, and "refreshToken" must be the refresh token, which begins with "rt_". The page /apikeys ' +
        'shows it.',
    );
  }
  return unknownRefreshToken();
}
