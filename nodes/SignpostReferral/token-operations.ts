import { type IDataObject, NodeOperationError } from 'n8n-workflow';
import { contractOperation } from '../shared/contract-operations';
import { sendJson } from '../shared/json-request';
import type { Operation, OperationCall } from '../shared/operation';
import { RENEW_HEADER } from '../shared/service';

export const getStatus = { ...contractOperation('getTokenStatus'), ownOptions: [], concurrency: 1 };

async function refreshNow(call: OperationCall): Promise<IDataObject> {
  const { context, itemIndex } = call;
  const { connectWith } = await context.getCredentials('signpostReferralApi', itemIndex);
  if (connectWith === 'accessToken')
    throw new NodeOperationError(context.getNode(), 'The credential has no refresh token', {
      itemIndex,
      description: 'Choose Refresh Token in the credential and paste the one that the page /apikeys shows.',
    });
  const headers = { [RENEW_HEADER]: `${context.getExecutionId()}-${Math.random()}` };
  return await sendJson(call, getStatus, { headers });
}

/** Renews the token once for all `calls`, which have the same server and token. */
function forAll(calls: readonly OperationCall[]) {
  const [first] = calls;
  if (first === undefined) return [];
  const refreshed = refreshNow(first);
  return calls.map(async ({ itemIndex }) => [{ json: await refreshed, pairedItem: { item: itemIndex } }]);
}

export const refresh: Operation = {
  value: 'refresh',
  name: 'Refresh Now',
  action: 'Refresh token now',
  description: 'Renew the access token, store it in the credential and return its status',
  fields: [],
  concurrency: 1,
  run: async (call) => (await Promise.all(forAll([call]))).flat(),
  groupRun: { isWanted: () => true, size: Infinity, run: forAll },
};
