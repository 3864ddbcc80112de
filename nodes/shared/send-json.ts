import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { maximumWaitMs } from './common-options';
import type { OperationCall } from './operation';
import type { ServiceRequest } from './service';

const TIMEOUT_MS = 60_000;

const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sends a request that may be sent twice and answers the object in its JSON body. */
export async function sendJson(
  call: OperationCall,
  request: Pick<ServiceRequest, 'method' | 'path' | 'body' | 'headers'>,
): Promise<IDataObject> {
  const { body } = await call.client.send(
    { ...request, isRepeatable: true, timeoutMs: TIMEOUT_MS },
    { itemIndex: call.itemIndex, maximumWaitMs: maximumWaitMs(call) },
  );
  if (isObject(body)) return body;
  throw new NodeOperationError(call.context.getNode(), 'The server answered something other than JSON', {
    itemIndex: call.itemIndex,
    description: 'Check that the Base URL in the credential is the address of a Signpost server.',
  });
}

/** The objects of a list that may be anything. */
export const objectsOf = (value: unknown): IDataObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
