import { setTimeout as pause } from 'node:timers/promises';
import type { ProtocolSession } from '../browser/protocol/session.js';

/** How long a page is observed. */
const WATCH_MS = 50;
/** Above this share of a core, a page counts as working. On a busy machine a page gets only a part of a core. */
const BUSY_SHARE = 0.1;

/**
 * The processor time of the page's process in seconds. The page's other clocks stand still while we control its
 * time.
 */
async function processorSeconds(protocol: ProtocolSession): Promise<number> {
  const { metrics } = await protocol.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Number.NaN;
}

/**
 * Whether a page leaves its core idle, as far as the browser can tell. If the page is busy, takes until it has
 * handled its current work.
 */
export async function isPageIdle(protocol: ProtocolSession): Promise<boolean> {
  try {
    await protocol.send('Performance.enable');
    const [before, startedMs] = [await processorSeconds(protocol), performance.now()];
    await pause(WATCH_MS);
    const usedMs = ((await processorSeconds(protocol)) - before) * 1_000;
    return usedMs < BUSY_SHARE * (performance.now() - startedMs);
  } catch {
    // Counts as busy: another document has arrived meanwhile, or the page is gone.
    return false;
  }
}

/** A page whose tasks wait longer than this is too busy. On an idle page they wait 4 ms, the browser's minimum. */
const BUSY_TASK_MS = 16;
const TASKS = { count: 15, maxMs: 2_000 };

/** Evaluates to how long a task of the page usually waits for other tasks. */
const TASK_MS = `(async () => {
  const waits = [];
  for (const startMs = performance.now(); waits.length < ${TASKS.count} && performance.now() - startMs < ${TASKS.maxMs};) {
    const askedMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve));
    waits.push(performance.now() - askedMs);
  }
  return waits.sort((one, other) => one - other)[waits.length >> 1];
})()`;

/** Whether a page has more work than the processor can do, so that its time cannot be controlled. */
export async function isTooBusy(open: { evaluate(expression: string): Promise<unknown> }): Promise<boolean> {
  return Number(await open.evaluate(TASK_MS)) > BUSY_TASK_MS;
}
