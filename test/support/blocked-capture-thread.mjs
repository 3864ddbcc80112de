import { parentPort } from 'node:worker_threads';
import '../../server/dist/capture/thread/capture-thread.js';

/** The thread that takes captures, which stands still for ever at the first page that it is to allow. */
parentPort.on('message', ({ kind }) => {
  if (kind === 'allowPage') for (;;);
});
