import type { IExecuteFunctions } from 'n8n-workflow';
import { pause } from './pause';

export interface Batching {
  /** How many tasks are under way at once. */
  readonly size: number;
  /** Pause between two batches; without one the next task starts as soon as another has ended. */
  readonly intervalMs: number;
}

type Task = (index: number) => Promise<void>;

/** Starts a task as soon as another has ended, and none after one has failed. */
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

/** Runs a task for every index from 0, a few at once; ends with the first error. */
export async function runInBatches(
  context: IExecuteFunctions,
  count: number,
  batching: Batching,
  task: Task,
): Promise<void> {
  if (batching.intervalMs > 0) await withPauses(context, count, batching, task);
  else await withoutPause(count, batching.size, task);
}
