import { lookupPostcodeResponse } from '@signpost/contract';
import { answerOf, bytesOf } from '../fixtures/answers.js';
import { inBrowser, startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';

const DELAY_MS = 5_000;

let server: ConsoleApp;
beforeEach(async () => {
  server = await startConsoleApp({ SIGNPOST_STOP_DELAY_MS: String(DELAY_MS) }, inBrowser);
});

const post = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'X-Api-Key': server.first.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const lookup = () => answerOf(post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }), lookupPostcodeResponse);

test('a stopping server responds until the delay has passed, and closes each connection after its response', async () => {
  expect((await lookup()).headers.get('Connection')).toBe('keep-alive');
  let isClosed = false;
  const closing = server.close().then(() => (isClosed = true));
  try {
    const readiness = await fetch(`${server.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      {
        error: 'Not ready: accepting.',
        checks: { directory: true, database: true, browser: true, accepting: false },
      },
    ]);
    server.pass(DELAY_MS - 1);
    const { status, headers } = await lookup();
    expect([status, headers.get('Connection')]).toEqual([200, 'close']);
    const picture = await post('/api/screenshot', { url: `${server.url}/`, width: 100, height: 50 });
    expect([picture.status, picture.headers.get('Connection')]).toEqual([200, 'close']);
    expect((await bytesOf(picture)).subarray(1, 4).toString()).toBe('PNG');
    for (const path of ['/', '/mcp', '/%']) {
      const { headers } = await fetch(server.url + path);
      expect([path, headers.get('Connection')]).toEqual([path, 'close']);
    }
    expect(isClosed).toBe(false);
  } finally {
    server.pass(1 + DELAY_MS);
    await closing;
  }
  await expect(lookup()).rejects.toThrow('fetch failed');
});
