import { type IExecuteFunctions, type INodeProperties, NodeOperationError, sleep } from 'n8n-workflow';
import type { Operation, OperationCall } from './operation';
import { cancelSignal, type NodeContext } from './service';
import { numberOf, property } from './values';

/** Throws if the user has stopped the execution. */
export function stopIfCancelled(context: NodeContext): void {
  if (cancelSignal(context)?.aborted === true)
    throw new NodeOperationError(context.getNode(), 'The execution was stopped');
}

/** Waits. Throws at once if the user stops the execution. */
export async function pause(context: NodeContext, durationMs: number): Promise<void> {
  stopIfCancelled(context);
  if (durationMs <= 0) return;
  const signal = cancelSignal(context);
  const stopped = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([sleep(durationMs), stopped]);
  stopIfCancelled(context);
}

interface Batching {
  /** The number of concurrent tasks. */
  readonly size: number;
  /** The pause between two batches. Without a pause, the next task starts as soon as another has ended. */
  readonly intervalMs: number;
}

type Task = (index: number) => Promise<void>;

/**
 * Runs `count` tasks, at most `size` at once: starts a task as soon as another has ended. After a failure, starts no
 * more tasks.
 */
async function withoutPause(count: number, size: number, task: Task): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++)
      await task(index).catch((error: unknown) => {
        next = count;
        throw error;
      });
  };
  await Promise.all(Array.from({ length: Math.min(size, count) }, work));
}

async function withPauses(context: IExecuteFunctions, count: number, batching: Batching, task: Task) {
  for (let start = 0; start < count; start += batching.size) {
    if (start > 0) await pause(context, batching.intervalMs);
    const length = Math.min(batching.size, count - start);
    await Promise.all(Array.from({ length }, (_, offset) => task(start + offset)));
  }
}

/**
 * Runs a task for each index below `count`, at most `batching.size` at once. Throws the first error, and then starts no
 * more tasks.
 */
export async function runInBatches(
  context: IExecuteFunctions,
  count: number,
  batching: Batching,
  task: Task,
): Promise<void> {
  if (batching.intervalMs > 0) await withPauses(context, count, batching, task);
  else await withoutPause(count, batching.size, task);
}

const DEFAULT_MAXIMUM_WAIT_SECONDS = 120;

/**
 * The options of every operation: Batching and Maximum Wait. `concurrency` is the default number of items per batch.
 */
export const commonOptions = (concurrency: number): INodeProperties[] => [
  {
    displayName: 'Batching',
    name: 'batching',
    type: 'fixedCollection',
    placeholder: 'Add Batching',
    default: { batch: {} },
    description: 'How to spread the requests for many items over time',
    options: [
      {
        displayName: 'Batching',
        name: 'batch',
        values: [
          {
            displayName: 'Items per Batch',
            name: 'batchSize',
            type: 'number',
            typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
            default: concurrency,
            description: 'How many requests to run at the same time',
          },
          {
            displayName: 'Pause (Milliseconds)',
            name: 'batchInterval',
            type: 'number',
            typeOptions: { minValue: 0, numberPrecision: 0 },
            default: 0,
            description: 'Pause between two batches in milliseconds',
          },
        ],
      },
    ],
  },
  {
    displayName: 'Maximum Wait (Seconds)',
    name: 'maximumWait',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 86_400, numberPrecision: 0 },
    default: DEFAULT_MAXIMUM_WAIT_SECONDS,
    description:
      'How long a request may wait when the limit of the key is used up, or the server is busy or cannot be reached. 0: do not wait.',
    hint: 'A limit per minute starts again after at most 60 seconds, a limit per day at midnight UTC',
  },
];

/** How long a request for this item may wait, in milliseconds. */
export const maximumWaitMs = ({ options }: OperationCall): number =>
  Math.max(0, numberOf(options.maximumWait) ?? DEFAULT_MAXIMUM_WAIT_SECONDS) * 1000;

/** The batching options of an execution, from its first item. */
export function batchingOf(context: IExecuteFunctions, { concurrency }: Operation): Batching {
  const batch = property(context.getNodeParameter('options.batching', 0, {}), 'batch');
  return {
    size: Math.max(1, Math.trunc(numberOf(property(batch, 'batchSize')) ?? concurrency)),
    intervalMs: Math.max(0, numberOf(property(batch, 'batchInterval')) ?? 0),
  };
}
