import type { FastifyRequest } from 'fastify';
import type { AccessTokenCaller, Call, UnknownCaller } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import type { VerifiedAccessToken } from '../../tokens/access-token.js';
import { toServiceError } from '../errors.js';
import '../request-state.js';
import { type Authentication, challenge } from './authentication.js';
import type { RejectionLimit } from './rejection-limit.js';

/** Verifies an access token and returns its holder and its expiry. Throws a ServiceError if the token is not valid. */
export type VerifyAccessToken = (presented: string) => Promise<VerifiedAccessToken>;

const BEARER = /^Bearer +(\S+)$/iu;
const expectedValue = 'the word Bearer, a space, then the access token.';

const missingToken = (header: string | undefined) =>
  new ServiceError(
    'unauthorized',
    header === undefined
      ? `An access token is needed: the header "Authorization" must be ${expectedValue}`
      : `The header "Authorization" is wrong: it must be ${expectedValue}`,
  );

function callOf({ verified }: FastifyRequest, signal: AbortSignal): Call<AccessTokenCaller> {
  if (verified === null) throw new ServiceError('unauthorized', 'This request was not authenticated.');
  return { verified, signal };
}

/** Authentication that lets a request through if its Authorization header is `Bearer` and a valid access token. */
export const accessTokenAuthentication = (verify: VerifyAccessToken): Authentication<AccessTokenCaller> => ({
  async onRequest(request, reply) {
    const { authorization } = request.headers;
    const [, presented] = BEARER.exec(authorization ?? '') ?? [];
    if (presented === undefined) {
      challenge(reply);
      throw missingToken(authorization);
    }
    try {
      const verified = await verify(presented);
      request.verified = verified;
      request.caller = { accountId: verified.identity.id };
    } catch (error) {
      const rejection = toServiceError(error);
      if (rejection.kind === 'unauthorized') challenge(reply, 'invalid_token');
      throw rejection;
    }
  },
  callOf,
});

/**
 * Authentication for operations whose credentials are in the body. Lets every request through, except one with a large
 * body from an address that has had too many rejections.
 */
export const bodyAuthentication = (rejectionLimit: RejectionLimit): Authentication<UnknownCaller> => ({
  onRequest(request) {
    const rejection = rejectionLimit.beforeBody(request);
    return rejection === undefined ? Promise.resolve() : Promise.reject(rejection);
  },
  callOf: ({ ip }, signal) => ({ address: ip, signal }),
});
