import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';
import { runInBatches } from './batches';
import { batchingOf } from './common-options';
import { ItemCall } from './item-call';
import type { Operation, OperationCall, Resource } from './operation';
import { stopIfCancelled } from './pause';
import type { ServiceClient } from './service-client';

/** A wait that a user notices. */
const WORTH_TELLING_MS = 3_000;

/** The operation that the user chose, the same for all items. */
export function chosenOperation(context: IExecuteFunctions, resources: readonly Resource[]): Operation {
  const resource = context.getNodeParameter('resource', 0, '');
  const name = context.getNodeParameter('operation', 0, '');
  const operation = resources
    .find(({ value }) => value === resource)
    ?.operations.find(({ value }) => value === name);
  if (operation === undefined)
    throw new NodeOperationError(context.getNode(), `There is no operation "${name}" of "${resource}"`, {
      description: 'Open the node and choose a resource and an operation.',
    });
  return operation;
}

const asNodeError = (context: IExecuteFunctions, error: unknown, itemIndex: number) =>
  error instanceof NodeApiError || error instanceof NodeOperationError
    ? error
    : new NodeOperationError(context.getNode(), error instanceof Error ? error : String(error), {
        itemIndex,
      });

/** What an item that failed becomes where the workflow goes on. */
function failedItem(
  error: NodeApiError | NodeOperationError,
  { context, itemIndex }: OperationCall,
): INodeExecutionData {
  const { message, description } = error;
  const httpCode = error instanceof NodeApiError ? error.httpCode : null;
  const details: IDataObject = {
    ...(typeof description === 'string' ? { description } : {}),
    ...(httpCode === null ? {} : { httpStatus: Number(httpCode) }),
  };
  const item = { json: { error: message, details }, pairedItem: { item: itemIndex } };
  // Every n8n sends such an item to the error output; in the ordinary one it would lose its details.
  return context.getNode().onError === 'continueErrorOutput' ? { ...item, error } : item;
}

/** Runs the operation for all incoming items and answers what comes out, in the order of the items. */
export async function runOperation(
  context: IExecuteFunctions,
  client: ServiceClient,
  operation: Operation,
): Promise<INodeExecutionData[]> {
  const calls = context.getInputData().map((_item, itemIndex) => new ItemCall(context, client, itemIndex));
  if (calls.length === 0) return [];
  const together = operation.together?.isWanted(context) === true ? operation.together : undefined;
  const groupSize = Math.min(together?.size ?? 1, calls.length);
  const groups = Math.ceil(calls.length / groupSize);
  const outputs: INodeExecutionData[][] = calls.map(() => []);
  await runInBatches(context, groups, batchingOf(context, operation), async (group) => {
    const start = group * groupSize;
    const members = calls.slice(start, start + groupSize);
    try {
      const answers =
        together === undefined ? await runEach(operation, members) : await together.run(members);
      answers.forEach((items, at) => (outputs[start + at] = items));
    } catch (error) {
      stopIfCancelled(context);
      const failure = asNodeError(context, error, start);
      if (!context.continueOnFail()) {
        client.stop();
        throw failure;
      }
      for (const call of members) outputs[call.itemIndex] = [failedItem(failure, call)];
    }
  });
  tellOfWaiting(context, client);
  return outputs.flat();
}

/** Says in the output panel why a run took long. */
function tellOfWaiting(context: IExecuteFunctions, { waitedMs }: ServiceClient): void {
  if (waitedMs < WORTH_TELLING_MS) return;
  context.addExecutionHints({
    message: `Waited ${Math.round(waitedMs / 1000)} seconds in all because the limit of the key was used up or the server was busy.`,
    location: 'outputPane',
    type: 'info',
  });
}

const runEach = async (operation: Operation, calls: readonly OperationCall[]) =>
  await Promise.all(calls.map((call) => operation.run(call)));
