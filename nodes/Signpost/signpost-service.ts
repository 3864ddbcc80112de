import type { ICredentialTestFunction } from 'n8n-workflow';
import { cleanKey, property } from '../shared/values';
import { testCredential } from '../shared/credential-test';
import type { Failure } from '../shared/failure';
import { type NodeContext, type Service, serviceAddress } from '../shared/service';

const ADVICE: Readonly<Record<number, (baseUrl: string) => string>> = {
  401: (baseUrl) =>
    `Open the Signpost API credential and check the API key. You can make a key for a project at ${baseUrl}.`,
  429: () => 'Raise Options > Maximum Wait, run fewer items, or ask for a higher limit of the key.',
  500: (baseUrl) => `Try again. If it fails again, the operator of ${baseUrl} finds the reason in its log.`,
  503: () =>
    'Raise Options > Maximum Wait to wait for longer. If too many captures wait, lower Options > Batching > Items per Batch.',
  504: () => 'Try again, or capture a page that loads faster.',
};

const BEHIND_PROXY = 'The proxy in front of the server gets no answer from it. Check that the server runs.';

function advice({ status, location, errorName }: Failure, baseUrl: string): string | undefined {
  if (status === undefined) return undefined;
  if (status >= 300 && status < 400)
    return `The server redirects to ${location ?? 'another address'}. Enter the final address as Base URL in the credential.`;
  if (status === 502 || (status === 504 && errorName === undefined)) return BEHIND_PROXY;
  return ADVICE[status]?.(baseUrl);
}

/** The Signpost server that the credential of an item names. */
export async function signpostService(context: NodeContext, itemIndex: number): Promise<Service> {
  const credentials = await context.getCredentials('signpostApi', itemIndex);
  const baseUrl = serviceAddress(context, credentials.baseUrl, itemIndex);
  const identity = `${baseUrl} ${cleanKey(credentials.apiKey)}`;
  return { credentialType: 'signpostApi', baseUrl, credentials, identity, advice };
}

/** Tests a credential by requesting the usage of its key. A key without the permission for usage passes too. */
export const signpostApiTest: ICredentialTestFunction = async function ({ data = {} }) {
  return await testCredential(this, data, {
    method: 'GET',
    path: '/api/usage',
    headers: { 'X-Api-Key': cleanKey(data.apiKey) },
    isAccepted: (body) => typeof property(body, 'totalRequests') === 'number',
    rejectionMessage: (baseUrl) =>
      `${baseUrl} does not know this API key: it is wrong, or it was revoked. Copy the key again, or make a new one there.`,
  });
};
