import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Carries out one request per line; a program of its own, since it runs in the network of the containers. */
const PROGRAM = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, url, ...request } = JSON.parse(line);
  let answer;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(35_000), ...request });
    const body = Buffer.from(await response.arrayBuffer()).toString('base64');
    answer = { status: response.status, headers: Object.fromEntries(response.headers), body };
  } catch (error) {
    answer = { status: 0, headers: {}, body: Buffer.from(String(error.cause ?? error)).toString('base64') };
  }
  console.log(JSON.stringify({ id, ...answer }));
});
`;

/** Somebody with a place in a network, who calls what is there. Answers `status` (0 without an answer), `headers`, `body`. */
export function startCaller(network) {
  const words = [`--net=/proc/${network.pid}/ns/net`, process.execPath, '-e', PROGRAM];
  const child = spawn('nsenter', words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let count = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, body, ...answer } = JSON.parse(line);
    waiting.get(id)({ ...answer, body: Buffer.from(body, 'base64') });
    waiting.delete(id);
  });
  const call = (url, request = {}) =>
    new Promise((resolve) => {
      const id = (count += 1);
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ id, url, ...request })}\n`);
    });
  return {
    call,
    /** A POST of JSON with an API key. */
    post: (url, key, body) =>
      call(url, {
        method: 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}
