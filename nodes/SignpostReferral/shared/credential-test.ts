import type { ICredentialTestFunction } from 'n8n-workflow';
import { pasted } from '../../../credentials/shared/pasted';
import { tryCredential } from '../../shared/credential-test';
import { property } from '../../shared/values';
import { STATUS_PATH } from '../resources/token/get-status';
import { refused } from './referral-service';

/** Asks for an access token where there is a refresh token, else whom the access token stands for. */
export const signpostReferralApiTest: ICredentialTestFunction = async function ({ data = {} }) {
  const hasRefreshToken = data.connectWith !== 'accessToken';
  return await tryCredential(
    this,
    data.baseUrl,
    hasRefreshToken
      ? {
          method: 'POST',
          path: '/api/token/refresh',
          body: { refreshToken: pasted(data.refreshToken) },
          isAccepted: (body) => typeof property(body, 'access_token') === 'string',
          refused: refused(true),
        }
      : {
          method: 'GET',
          path: STATUS_PATH,
          headers: { Authorization: `Bearer ${pasted(data.pastedAccessToken)}` },
          isAccepted: (body) => typeof property(body, 'identity') === 'object',
          refused: refused(false),
        },
  );
};
