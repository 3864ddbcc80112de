import type { ICredentialTestFunction } from 'n8n-workflow';
import { pasted } from '../../../credentials/shared/pasted';
import { tryCredential } from '../../shared/credential-test';
import { property } from '../../shared/values';

/** Asks for the usage of the key, which every key may. */
export const signpostApiTest: ICredentialTestFunction = async function ({ data = {} }) {
  return await tryCredential(this, data.baseUrl, {
    method: 'GET',
    path: '/api/usage',
    headers: { 'X-Api-Key': pasted(data.apiKey) },
    isAccepted: (body) => typeof property(body, 'totalRequests') === 'number',
    refused: (baseUrl) =>
      `${baseUrl} does not know this API key: it is wrong, or it was revoked. Copy the key again, or make another for a project there.`,
  });
};
