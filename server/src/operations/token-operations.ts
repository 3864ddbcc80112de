import { operations } from '@signpost/contract';
import type { Tokens } from '../tokens/tokens.js';
import {
  type AccessTokenCaller,
  bind,
  bindQuery,
  type BoundOperation,
  type Call,
  type UnknownCaller,
} from './operation-handler.js';

const getTokenStatus = () =>
  bindQuery(operations.getTokenStatus, ({ verified }: Call<AccessTokenCaller>) => ({
    value: {
      result: 'success' as const,
      identity: verified.identity,
      valid_to: new Date(verified.validToMs).toISOString(),
    },
  }));

const refreshToken = (tokens: Tokens) =>
  bind(operations.refreshToken, async ({ refreshToken: presented }, { address }: Call<UnknownCaller>) => {
    const { accessToken, validToMs } = await tokens.refresh(presented, address);
    return {
      value: {
        result: 'success' as const,
        access_token: accessToken,
        refresh_token: presented,
        valid_to: new Date(validToMs).toISOString(),
      },
    };
  });

/**
 * The operations of interface B, the token endpoints, grouped by the credential of a call: an access token, or a
 * refresh token in the body.
 */
export interface TokenOperations {
  readonly accessToken: Readonly<Record<'getTokenStatus', BoundOperation<AccessTokenCaller>>>;
  readonly body: Readonly<Record<'refreshToken', BoundOperation<UnknownCaller>>>;
}

export const tokenOperations = (tokens: Tokens): TokenOperations => ({
  accessToken: { getTokenStatus: getTokenStatus() },
  body: { refreshToken: refreshToken(tokens) },
});
