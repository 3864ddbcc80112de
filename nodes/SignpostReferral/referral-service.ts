import type { ICredentialTestFunction } from 'n8n-workflow';
import { cleanKey, property } from '../shared/values';
import { testCredential } from '../shared/credential-test';
import type { Failure } from '../shared/failure';
import { type NodeContext, type Service, serviceAddress } from '../shared/service';
import { getStatus } from './token-operations';

/** Returns a function of the Base URL that tells the user what to do if the service rejects the token. */
const rejectionMessage = (hasRefreshToken: boolean) => (baseUrl: string) =>
  hasRefreshToken
    ? `The refresh token is refused: it was regenerated, or the account lost its API access. Copy the one that ${baseUrl}/apikeys shows into the credential.`
    : `The access token of the credential has ended or is wrong, and there is no refresh token to renew it. Paste a new one from ${baseUrl}/apikeys, or better, choose Refresh Token in the credential.`;

const advice =
  (hasRefreshToken: boolean) =>
  ({ status, location, message }: Failure, baseUrl: string): string | undefined => {
    if (status === undefined) return undefined;
    if (status >= 300 && status < 400)
      return `The service redirects to ${location ?? 'another address'}. Enter the final address as Base URL in the credential.`;
    if (status === 404) return 'Check Path, and the Base URL in the credential.';
    if (status === 401)
      return message === undefined
        ? 'Run it again. If it stays, check the Base URL in the credential: the service itself says why it refuses a token.'
        : rejectionMessage(hasRefreshToken)(baseUrl);
    return status === 429 || status === 503 ? 'Raise Options > Maximum Wait or try again later.' : undefined;
  };

/** The referral service that the credential of an item names. */
export async function referralService(context: NodeContext, itemIndex: number): Promise<Service> {
  const credentials = await context.getCredentials('signpostReferralApi', itemIndex);
  const hasRefreshToken = credentials.connectWith !== 'accessToken';
  const baseUrl = serviceAddress(context, credentials.baseUrl, itemIndex);
  const token = hasRefreshToken ? credentials.refreshToken : credentials.pastedAccessToken;
  return {
    credentialType: 'signpostReferralApi',
    baseUrl,
    credentials,
    identity: `${baseUrl} ${cleanKey(token)}`,
    advice: advice(hasRefreshToken),
  };
}

/**
 * Tests a credential: requests an access token if the credential uses a refresh token, otherwise the status of the
 * pasted access token.
 */
export const signpostReferralApiTest: ICredentialTestFunction = async function ({ data = {} }) {
  const hasRefreshToken = data.connectWith !== 'accessToken';
  return await testCredential(
    this,
    data,
    hasRefreshToken
      ? {
          method: 'POST',
          path: '/api/token/refresh',
          body: { refreshToken: cleanKey(data.refreshToken) },
          isAccepted: (body) => typeof property(body, 'access_token') === 'string',
          rejectionMessage: rejectionMessage(true),
        }
      : {
          method: 'GET',
          path: getStatus.path,
          headers: { Authorization: `Bearer ${cleanKey(data.pastedAccessToken)}` },
          isAccepted: (body) => typeof property(body, 'identity') === 'object',
          rejectionMessage: rejectionMessage(false),
        },
  );
};
