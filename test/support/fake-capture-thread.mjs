import { parentPort } from 'node:worker_threads';
import { startBeating } from '../../server/dist/capture/thread/heartbeat.js';

/** Speaks as the thread that takes captures does; a page of the name "crash" ends it, one of the name "stand still" holds it for ever, any other is given back. */
const allowed = [];
parentPort.on('message', (asked) => {
  if (asked.kind === 'start') {
    startBeating(asked.heartbeat);
    const state = {
      browser: 'ready',
      program: '',
      places: 1,
      active: 0,
      captures: 0,
      restarts: 0,
      endpoints: [],
    };
    parentPort.postMessage({ kind: 'state', state });
    parentPort.postMessage({ kind: 'done', call: 0 });
  } else if (asked.kind === 'allowPage') allowed.push(asked.url);
  else if (asked.kind === 'close') parentPort.postMessage({ kind: 'done', call: asked.call });
  else if (asked.request.url === 'crash') throw new Error('a bug');
  else if (asked.request.url === 'stand still') for (;;);
  else {
    const body = Buffer.from(allowed.join());
    const result = { body, mediaType: 'image/png', durationMs: 1, pageStatus: 200 };
    parentPort.postMessage({ kind: 'done', call: asked.call, result });
  }
});
