import { constants, setPriority } from 'node:os';
import { systemClock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { runDirectoryImport } from './directory-import.js';
import { isImportOrder, type ImportMessage } from './import-messages.js';

// This file is the entry point of the process that imports for a running server.

const MIN_PROGRESS_INTERVAL_MS = 200;

const send = (message: ImportMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });

// The import gets a low priority, so that the server's lookups and captures go first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on('disconnect', () => process.exit());
process.once('message', (order: unknown) => {
  void run(order).then(() => process.disconnect());
});

async function run(order: unknown): Promise<void> {
  if (!isImportOrder(order)) throw new TypeError('This is no import.');
  let sentMs = -Infinity;
  let phase = '';
  try {
    const outcome = await runDirectoryImport(order.settings, order.job, {
      clock: systemClock,
      onProgress: (progress) => {
        const nowMs = performance.now();
        if (progress.phase === phase && nowMs - sentMs < MIN_PROGRESS_INTERVAL_MS) return;
        sentMs = nowMs;
        phase = progress.phase;
        void send({ kind: 'progress', progress });
      },
    });
    await send({ kind: 'done', outcome });
  } catch (error) {
    await send(
      error instanceof ServiceError
        ? { kind: 'refused', message: error.message }
        : { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    );
  }
}
