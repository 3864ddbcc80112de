import { connect, type Socket } from 'node:net';
import { usageStatistics } from '@signpost/contract';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { addKey, createKeyOf } from '../fixtures/captures-of-accounts.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';

const PLACES = 2;
/** How many captures an account may have at a time: one in one of the two slots, and four in the queue of eight. */
const SHARE = 5;
const PASSWORD = 'a long enough password';
const UNLIMITED = ['--per-minute', 'unlimited', '--per-day', 'unlimited'];

let app: ConsoleApp;
let greedyKey: string;
let secondGreedyKey: string;
let modestKey: string;
let modest: ConsoleClient;

/** Running captures, each with the path of its page. Each waits until the test releases it. */
const held: { readonly path: string; readonly release: () => void }[] = [];

/** Takes captures like a browser whose pages end when the test says so. */
const inBrowsersPlace = (): Promise<CaptureService> =>
  Promise.resolve({
    ...noCaptures(),
    screenshot: ({ url = '' }, signal) =>
      new Promise((resolve, reject) => {
        const page = { path: new URL(url).pathname, release: () => resolve(PICTURE) };
        held.push(page);
        signal.addEventListener('abort', () => {
          held.splice(held.indexOf(page), 1);
          reject(new Error('gone'));
        });
      }),
    state: () => ({ ...noCaptures().state(), slots: PLACES }),
  });

beforeAll(async () => {
  app = await startConsoleApp({ SIGNPOST_CAPTURE_CONCURRENCY: String(PLACES) }, inBrowsersPlace);
  greedyKey = await createKeyOf(app, 'greedy@example.org', ...UNLIMITED);
  secondGreedyKey = await addKey(app, 'greedy@example.org', ...UNLIMITED);
  modest = new ConsoleClient(app.url);
  await modest.submit('/signup', { email: 'modest@example.org', name: '', password: PASSWORD });
  modestKey = await addKey(app, 'modest@example.org', ...UNLIMITED);
});

afterAll(async () => {
  const letting = releaseEach();
  await app.close();
  clearInterval(letting);
});

const send = (apiKey: string, body: string, signal?: AbortSignal) =>
  fetch(`${app.url}/api/screenshot`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
const capture = (apiKey: string, path: string, signal?: AbortSignal) =>
  send(apiKey, JSON.stringify({ url: `http://127.0.0.1${path}` }), signal);

const requestsOf = async (apiKey: string) => {
  const answer = await fetch(`${app.url}/api/usage`, { headers: { 'X-Api-Key': apiKey } });
  return usageStatistics.parse(await answer.json()).totalRequests;
};

const queueState = () => app.app.capture.state();
const untilItIs = (active: number, queued: number) =>
  waitUntil(`${active} are under way and ${queued} wait`, () => {
    const now = queueState();
    return now.active === active && now.queued === queued;
  });

const releaseEach = () => setInterval(() => held.splice(0).forEach(({ release }) => release()), 5);

/** Releases captures as they begin until all of these responses are complete. Returns their status codes. */
async function releaseUntilDone(answers: readonly Promise<Response>[]) {
  const letting = releaseEach();
  const done = await Promise.all(
    answers.map(async (answer) => {
      await (await answer).arrayBuffer();
      return answer;
    }),
  );
  clearInterval(letting);
  return done.map(({ status }) => status);
}

test('if the capture quota is full, each key of the account gets an uncounted 429 with Retry-After', async () => {
  const taken = Array.from({ length: SHARE }, () => capture(greedyKey, '/greedy'));
  await untilItIs(1, SHARE - 1);
  for (const key of [greedyKey, secondGreedyKey]) {
    const before = await requestsOf(key);
    const refused = await capture(key, '/greedy');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(await refused.json()).toEqual({
      error:
        'Your account has 1 capture under way and 4 waiting, which is the most that it may have. Try again in 5 seconds, ' +
        'or when one of them is done. This request was not counted.',
    });
    // Only the usage request itself was counted.
    expect(await requestsOf(key)).toBe(before + 1);
  }
  const other = capture(modestKey, '/modest');
  await waitUntil('the other account is served', () => held.some(({ path }) => path === '/modest'));
  held.find(({ path }) => path === '/modest')?.release();
  expect((await other).status).toBe(200);
  expect(held.map(({ path }) => path).filter((path) => path === '/greedy')).toHaveLength(1);
  expect(await releaseUntilDone(taken)).toEqual(Array(SHARE).fill(200));
});

test('the metrics count captures rejected for an account’s full quota apart from those for a full queue', async () => {
  const { account, queue } = queueState().rejected;
  const exposition = await (await fetch(`${app.url}/metrics`)).text();
  expect(exposition).toContain(`signpost_captures_refused_total{reason="account"} ${account}\n`);
  expect(exposition).toContain(`signpost_captures_refused_total{reason="queue"} ${queue}\n`);
  expect(account).toBeGreaterThan(0);
});

test('requests that are over a limit or invalid hold no slot and no place in the queue', async () => {
  const usedUp = await addKey(app, 'greedy@example.org', '--per-minute', '0');
  for (let times = 0; times < SHARE + 1; times += 1) {
    expect((await capture(usedUp, '/greedy')).status).toBe(429);
    for (const body of ['{', '{}', '{"url":"ftp://a.example/"}'])
      expect((await send(greedyKey, body)).status).toBe(400);
  }
  const taken = Array.from({ length: SHARE }, () => capture(greedyKey, '/greedy'));
  await untilItIs(1, SHARE - 1);
  expect(await releaseUntilDone(taken)).toEqual(Array(SHARE).fill(200));
});

test('callers who disconnect free their slot and queue place, even behind another request on the same connection', async () => {
  const leaving = new AbortController();
  const taken = Array.from({ length: SHARE }, () => capture(greedyKey, '/greedy', leaving.signal));
  await untilItIs(1, SHARE - 1);
  leaving.abort();
  await Promise.allSettled(taken);
  await untilItIs(0, 0);

  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ url: 'http://127.0.0.1/greedy' });
  const request =
    `POST /api/screenshot HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${greedyKey}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(request.repeat(SHARE));
  await untilItIs(1, SHARE - 1);
  socket.destroy();
  await untilItIs(0, 0);
});

test('a capture request with an unfinished body uses only its own account’s quota, until its connection ends', async () => {
  const { hostname, port } = new URL(app.url);
  const slow: Socket[] = [];
  await waitUntil('its room is taken', async () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/screenshot HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${greedyKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    );
    slow.push(socket);
    return (await send(secondGreedyKey, '{')).status === 429;
  });
  const other = capture(modestKey, '/modest');
  await waitUntil('the other account is served', () => held.some(({ path }) => path === '/modest'));
  expect(await releaseUntilDone([other])).toEqual([200]);
  for (const socket of slow) socket.destroy();
  await waitUntil('there is room again', async () => (await send(secondGreedyKey, '{')).status === 400);
});

/** Sends the form for a screenshot in the console, with a key of the signed-in account. */
async function captureInConsole(client: ConsoleClient, path: string): Promise<Response> {
  const page = await (await client.get('/reference/captureScreenshot')).text();
  const key = /<option value="(\d+)"/u.exec(page)?.[1] ?? /name="key" value="(\d+)"/u.exec(page)?.[1] ?? '';
  return client.submit('/reference/captureScreenshot', { key, url: `http://127.0.0.1${path}` });
}

const captureOverMcp = (apiKey: string, path: string) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Api-Key': apiKey,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'capture_screenshot', arguments: { url: `http://127.0.0.1${path}` } },
    }),
  });

describe('while the capture quota of an account is full', () => {
  let taken: readonly Promise<Response>[];
  beforeAll(async () => {
    taken = Array.from({ length: SHARE }, () => capture(modestKey, '/modest'));
    await untilItIs(1, SHARE - 1);
  });

  test('the form for a screenshot gets 429 if the capture quota is full, and its request is not counted', async () => {
    const before = await requestsOf(modestKey);
    const tried = await captureInConsole(modest, '/modest');
    expect([tried.status, tried.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(await tried.text()).toMatch(/role="alert"[^>]*>Your account has 1 capture/u);
    expect(await requestsOf(modestKey)).toBe(before + 1);
  });

  test('an MCP tool whose capture is rejected, without being counted, waits and tries again', async () => {
    const before = await requestsOf(modestKey);
    const rejected = queueState().rejected.account;
    const answer = captureOverMcp(modestKey, '/modest');
    await waitUntil('it was rejected', () => queueState().rejected.account > rejected);
    expect(await requestsOf(modestKey)).toBe(before + 1);
    expect(await releaseUntilDone(taken)).toEqual(Array(SHARE).fill(200));
    await waitUntil('it came again', () => held.some(({ path }) => path === '/modest'));
    expect(await releaseUntilDone([answer])).toEqual([200]);
  });
});

describe('while the queue of all accounts is full', () => {
  let third: ConsoleClient;
  let thirdKey: string;
  let taken: readonly Promise<Response>[];

  beforeAll(async () => {
    third = new ConsoleClient(app.url);
    await third.submit('/signup', { email: 'third@example.org', name: '', password: PASSWORD });
    thirdKey = await addKey(app, 'third@example.org');
    taken = [greedyKey, modestKey].flatMap((key) =>
      Array.from({ length: SHARE }, () => capture(key, '/full')),
    );
    await untilItIs(PLACES, 2 * (SHARE - 1));
  });

  test('captures over HTTP get 503 while the queue is full, and use up no limit', async () => {
    const rejected = await Promise.all(Array.from({ length: 20 }, () => capture(thirdKey, '/third')));
    for (const answer of rejected) {
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
      expect(answer.headers.get('RateLimit')).toMatch(/^"minute";r=5;t=\d+, "day";r=20;t=\d+$/u);
      expect(answer.headers.get('RateLimit-Policy')).toBe('"minute";q=5;w=60, "day";q=20;w=86400');
      expect(await answer.json()).toEqual({
        error: 'Too many captures are waiting. Try again in a few seconds. This request was not counted.',
      });
    }
  });

  test('the form for a screenshot gets 503 while the queue is full', async () => {
    expect((await captureInConsole(third, '/third')).status).toBe(503);
  });

  test('an MCP tool waits until the queue has room, and none of the rejected captures is counted', async () => {
    const before = queueState().rejected.queue;
    const answer = captureOverMcp(thirdKey, '/third');
    await waitUntil('MCP was rejected', () => queueState().rejected.queue > before);
    expect(await requestsOf(thirdKey)).toBe(1);
    expect(await releaseUntilDone([...taken, answer])).toEqual(Array(2 * SHARE + 1).fill(200));
  });
});

test('a raised capture quota of an account takes effect within two seconds', async () => {
  const words = ['account', 'limit', '--email', 'greedy@example.org', '--captures'];
  expect((await runSignpost(app.dataDir, [...words, '2'])).code).toBe(0);
  app.pass(2_000);
  const taken = Array.from({ length: SHARE + 1 }, () => capture(greedyKey, '/greedy'));
  await untilItIs(PLACES, SHARE - 1);
  expect((await capture(greedyKey, '/greedy')).status).toBe(429);
  expect(await releaseUntilDone(taken)).toEqual(Array(SHARE + 1).fill(200));
  expect((await runSignpost(app.dataDir, [...words, 'default'])).code).toBe(0);
});
