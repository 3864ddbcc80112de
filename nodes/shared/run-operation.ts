import {
  type IExecuteFunctions,
  type INodeExecutionData,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';
import { batchingOf, runInBatches, stopIfCancelled } from './pacing';
import { failureJson } from './failure';
import { FileNames } from './file-names';
import { ItemCall, type Operation, type OperationCall, type Resource, type GroupRun } from './operation';
import { optionGroups } from './option-groups';
import { binaryOf, inputOf, keptInputOfFailed } from './results';
import type { ServiceClient } from './service-client';
import { putsResultBesideInput } from './versions';

/** The user is told how long all requests of a run waited together, if it was at least this long. */
const WORTH_TELLING_MS = 3_000;

/** The operation that the user chose. It is the same for all items. */
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

/** The output for a failed item, if the node is set to continue on errors. */
function failedItem(error: NodeApiError | NodeOperationError, call: OperationCall): INodeExecutionData {
  const { context, itemIndex } = call;
  const input = keptInputOfFailed(call);
  const isForErrorOutput = context.getNode().onError === 'continueErrorOutput';
  const item: INodeExecutionData = {
    json: { ...(isForErrorOutput ? inputOf(call).json : input.json), ...failureJson(error) },
    ...binaryOf(input.files),
    pairedItem: { item: itemIndex },
  };
  // With the property `error`, every version of n8n sends an item to the error output. The property is not enumerable,
  // because n8n then copies the item, and would replace the copy's JSON by the error's message if the copy had the
  // property.
  if (isForErrorOutput)
    Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false });
  return item;
}

/**
 * The output of an item. If the item failed, returns a failed item if the node is set to continue on errors. Otherwise,
 * or if the user stopped the execution, throws the error, and no further requests are sent.
 */
async function itemsOf(
  call: OperationCall,
  answer: Promise<INodeExecutionData[]> | undefined,
): Promise<INodeExecutionData[]> {
  const { context, client, itemIndex } = call;
  try {
    return (await answer) ?? [];
  } catch (error) {
    stopIfCancelled(context);
    const failure = asNodeError(context, error, itemIndex);
    if (context.continueOnFail()) return [failedItem(failure, call)];
    client.stop();
    throw failure;
  }
}

/**
 * Divides items into groups that can share a request: each of items with the same service identity, in order, and with
 * at most `size` items.
 */
async function groupCalls(
  calls: readonly OperationCall[],
  client: ServiceClient,
  { size }: GroupRun,
): Promise<OperationCall[][]> {
  const identities = await client.identities(calls.length);
  const openGroups = new Map<string | undefined, OperationCall[]>();
  const groups: OperationCall[][] = [];
  for (const call of calls) {
    const identity = identities[call.itemIndex];
    const group = openGroups.get(identity);
    if (group !== undefined && group.length < size) group.push(call);
    else {
      const newGroup = [call];
      openGroups.set(identity, newGroup);
      groups.push(newGroup);
    }
  }
  return groups;
}

/** Runs the operation for all incoming items and returns the resulting items, in the same order. */
export async function runOperation(
  context: IExecuteFunctions,
  client: ServiceClient,
  operation: Operation,
): Promise<INodeExecutionData[]> {
  const fileNames = new FileNames(context);
  const optionLists = putsResultBesideInput(context.getNode())
    ? optionGroups(operation).map(({ name }) => name)
    : [];
  const calls = context
    .getInputData()
    .map((_item, itemIndex) => new ItemCall(context, client, fileNames, itemIndex, optionLists));
  if (calls.length === 0) return [];
  const groupRun = operation.groupRun?.isWanted(context) === true ? operation.groupRun : undefined;
  const groups =
    groupRun === undefined ? calls.map((call) => [call]) : await groupCalls(calls, client, groupRun);
  const outputs: INodeExecutionData[][] = calls.map(() => []);
  await runInBatches(context, groups.length, batchingOf(context, operation), async (group) => {
    const members = groups[group] ?? [];
    const answers = groupRun === undefined ? members.map(operation.run) : groupRun.run(members);
    await Promise.all(
      members.map(async (call, index) => {
        outputs[call.itemIndex] = await itemsOf(call, answers[index]);
      }),
    );
  });
  addWaitHint(context, client);
  return outputs.flat();
}

/** Adds a hint to the output panel that says how long requests waited, if it was at least WORTH_TELLING_MS. */
function addWaitHint(context: IExecuteFunctions, { waitedMs }: ServiceClient): void {
  if (waitedMs < WORTH_TELLING_MS) return;
  context.addExecutionHints({
    message: `Waited ${Math.round(waitedMs / 1000)} seconds in all because the limit of the key was used up or the server was busy.`,
    location: 'outputPane',
    type: 'info',
  });
}
