import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure } from '../../shared/failure';
import { IN_DOCKER, type Service, serviceAddress } from '../../shared/service';

const ADVICE: Readonly<Record<number, (baseUrl: string) => string>> = {
  401: (baseUrl) =>
    `Open the Signpost API credential and check the API key; a key is made for a project at ${baseUrl}.`,
  429: () => 'Raise Options > Maximum Wait, run fewer items, or have the limit of the key raised.',
  500: (baseUrl) => `Try again; if it stays so, whoever runs ${baseUrl} finds the reason in its log.`,
  503: () => 'Raise Options > Maximum Wait, or lower Options > Batching > Items per Batch.',
  504: () => 'Try again, or capture a page that loads faster.',
};

const UNREACHED = `Check the Base URL in the credential and that the server runs. ${IN_DOCKER}`;

function advice({ status, location }: Failure, baseUrl: string): string | undefined {
  if (status === undefined) return UNREACHED;
  if (status >= 300 && status < 400)
    return `The server sends this request to ${location ?? 'another address'}: enter the final address as Base URL in the credential.`;
  return ADVICE[status]?.(baseUrl);
}

/** Captures, postcodes and usage, as the credential of the node names them. */
export async function signpostService(context: IExecuteFunctions): Promise<Service> {
  const { baseUrl } = await context.getCredentials('signpostApi');
  return { credentialType: 'signpostApi', baseUrl: serviceAddress(context, baseUrl), advice };
}
