import { operations } from '@signpost/contract';
import type { Tokens } from '../tokens/tokens.js';
import { bindJson, type Call, type UnknownCaller } from './operation-handler.js';

export const refreshToken = (tokens: Tokens) =>
  bindJson(operations.refreshToken, async ({ refreshToken: sent }, { address }: Call<UnknownCaller>) => {
    const { accessToken, validToMs } = await tokens.refresh(sent, address);
    return {
      result: 'success' as const,
      access_token: accessToken,
      refresh_token: sent,
      valid_to: new Date(validToMs).toISOString(),
    };
  });
