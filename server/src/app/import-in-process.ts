import { fork } from 'node:child_process';
import { ServiceError } from '../platform/errors.js';
import type { ImportOutcome, RunImport } from '../postcodes/import/directory-imports.js';
import { ImportError } from '../postcodes/import/import-error.js';
import type { ImportSettings } from './directory-import.js';
import { isImportMessage, type ImportOrder } from './import-messages.js';

const ENTRY = new URL('import-process.js', import.meta.url);

/**
 * Makes a function that imports in a separate process. Reading a whole edition then neither delays lookups nor leaves
 * memory allocated in the server, and the import lock is released however the process ends.
 */
export const importInProcess =
  (settings: ImportSettings, entry = ENTRY): RunImport =>
  (job, onProgress, signal) =>
    new Promise<ImportOutcome>((resolve, reject) => {
      const child = fork(entry, { signal, killSignal: 'SIGKILL', serialization: 'advanced' });
      child.on('message', (message: unknown) => {
        if (!isImportMessage(message)) return;
        if (message.kind === 'progress') onProgress(message.progress);
        else if (message.kind === 'done') resolve(message.outcome);
        else if (message.kind === 'refused') reject(new ImportError(message.message));
        else reject(new Error(message.reason));
      });
      child.once('error', (error) => {
        reject(signal.aborted ? stopping(error) : error);
      });
      child.once('close', (code, killedBy) => {
        reject(new Error(`The process of the import ended (${killedBy ?? code}).`));
      });
      const order: ImportOrder = { kind: 'import', settings, job };
      child.send(order);
    });

const stopping = (cause: unknown) =>
  new ServiceError('overloaded', 'The server stopped before the import was done. Start the import again.', {
    cause,
  });
