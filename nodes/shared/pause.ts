import { type IExecuteFunctions, NodeOperationError, sleep } from 'n8n-workflow';

/** Ends with an error where the user has stopped the execution. */
export function stopIfCancelled(context: IExecuteFunctions): void {
  if (context.getExecutionCancelSignal()?.aborted === true)
    throw new NodeOperationError(context.getNode(), 'The execution was stopped');
}

/** Waits, and no longer than until the user stops the execution. */
export async function pause(context: IExecuteFunctions, durationMs: number): Promise<void> {
  stopIfCancelled(context);
  if (durationMs <= 0) return;
  const signal = context.getExecutionCancelSignal();
  const stopped = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([sleep(durationMs), stopped]);
  stopIfCancelled(context);
}
