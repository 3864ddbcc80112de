import { parentPort } from 'node:worker_threads';

/** Speaks as the thread that takes captures does; a page of the name "crash" ends it, any other is given back. */
const allowed = [];
parentPort.on('message', (asked) => {
  if (asked.kind === 'start') parentPort.postMessage({ kind: 'done', call: 0 });
  else if (asked.kind === 'allowPage') allowed.push(asked.url);
  else if (asked.kind === 'close') parentPort.postMessage({ kind: 'done', call: asked.call });
  else if (asked.request.url === 'crash') throw new Error('a bug');
  else {
    const body = Buffer.from(allowed.join());
    const result = { body, mediaType: 'image/png', durationMs: 1, pageStatus: 200 };
    parentPort.postMessage({ kind: 'done', call: asked.call, result });
  }
});
