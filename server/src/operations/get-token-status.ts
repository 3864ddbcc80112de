import { operations } from '@signpost/contract';
import { bindQuery, type AccessTokenCaller, type Call } from './operation-handler.js';

export const getTokenStatus = () =>
  bindQuery(operations.getTokenStatus, ({ verified }: Call<AccessTokenCaller>) => ({
    result: 'success' as const,
    identity: verified.identity,
    valid_to: new Date(verified.validToMs).toISOString(),
  }));
