import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Operation, OperationCall } from './operation';
import type { Batching } from './batches';
import { numberOf, property } from './values';

const DEFAULT_MAXIMUM_WAIT_SECONDS = 120;

/** What every operation offers under Options: how many at once, and how long to wait. */
export const commonOptions = (concurrency: number): INodeProperties[] => [
  {
    displayName: 'Batching',
    name: 'batching',
    type: 'fixedCollection',
    placeholder: 'Add Batching',
    default: { batch: {} },
    description: 'How the requests for many items are spread over time',
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
            description: 'How many requests are under way at once',
          },
          {
            displayName: 'Batch Interval (Ms)',
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
      'How long a request may wait for its turn when the limit of the key is used up, or the server is busy or cannot be reached. 0 does not wait.',
    hint: 'A limit per minute is over after at most 60 seconds, a limit per day at midnight UTC',
  },
];

/** How long a request of this call may wait. */
export const maximumWaitMs = ({ options }: OperationCall): number =>
  Math.max(0, numberOf(options.maximumWait) ?? DEFAULT_MAXIMUM_WAIT_SECONDS) * 1000;

/** How the requests of an execution are spread, from the options of its first item. */
export function batchingOf(context: IExecuteFunctions, { concurrency }: Operation): Batching {
  const batch = property(context.getNodeParameter('options.batching', 0, {}), 'batch');
  return {
    size: Math.max(1, Math.trunc(numberOf(property(batch, 'batchSize')) ?? concurrency)),
    intervalMs: Math.max(0, numberOf(property(batch, 'batchInterval')) ?? 0),
  };
}
