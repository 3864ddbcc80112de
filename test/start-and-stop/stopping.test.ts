import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, rejectionOf } from '../fixtures/answers.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { descendantsOf, stillRunning } from '../fixtures/processes.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

let pages: Pages;
let held: ServerResponse[];
let temporary: string;
let server: SignpostServer;

const start = (dataDir?: string) =>
  startSignpost(
    {
      ...UNLIMITED,
      SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
      TMPDIR: temporary,
    },
    dataDir,
  );

const screenshot = (path: string, apiKey = server.apiKey) =>
  server.post('/api/screenshot', { url: pages.url + path, width: 100, height: 50 }, apiKey);

/** Starts a capture whose page is requested, but gets no response before `release`. */
async function captureInFlight() {
  const answer = screenshot('/held');
  await waitUntil('the browser asks for the page', () => held.length > 0);
  const release = () => {
    for (const response of held)
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Late</h1>');
  };
  return { answer, release };
}

const processesOf = ({ process }: SignpostServer) => descendantsOf(process.pid ?? 0);

beforeEach(async () => {
  held = [];
  pages = await servePages({ '/held': (_request, response) => void held.push(response) });
  temporary = await mkdtemp(join(tmpdir(), 'signpost-stopping-'));
  server = await start();
});

afterEach(async () => {
  await server.remove();
  await pages.close();
  await rm(temporary, { recursive: true, force: true });
});

test.each<[string, readonly NodeJS.Signals[]]>([
  ['SIGTERM', ['SIGTERM']],
  ['Ctrl-C, which a terminal and npm both pass on', ['SIGINT', 'SIGINT', 'SIGTERM']],
])(
  'after %s, a running capture is finished, a new one is rejected, and no process or temporary file is left',
  async (_what, signals) => {
    const browser = await processesOf(server);
    expect(browser.length).toBeGreaterThan(0);
    const { answer, release } = await captureInFlight();
    const ended = once(server.process, 'close');
    for (const signal of signals) server.process.kill(signal);
    await waitUntil('the server says that it stops', () => server.output().includes('Stopping'));

    const refused = await rejectionOf(screenshot('/another'));
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringContaining('stopping') } });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const readiness = await server.get('/readyz');
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      expect.objectContaining({ error: expect.stringContaining('accepting') }),
    ]);

    release();
    const finished = await answer;
    expect(finished.status).toBe(200);
    expect((await bytesOf(finished)).subarray(1, 4).toString()).toBe('PNG');
    await ended;
    expect(server.process.exitCode).toBe(0);
    expect(await stillRunning(browser)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  },
);

test('a killed server leaves no browser behind, and the next start clears its temporary folders', async () => {
  const browser = await processesOf(server);
  expect(browser.length).toBeGreaterThan(0);
  const { answer } = await captureInFlight();
  const cutOff = expect(answer).rejects.toThrow();
  await server.end('SIGKILL');
  await cutOff;
  await waitUntil('the browser has ended by itself', async () => (await stillRunning(browser)).length === 0);

  const left = await readdir(temporary);
  expect(left).not.toEqual([]);
  const { apiKey } = server;
  server = await start(server.dataDir);
  const kept = new Set(await readdir(temporary));
  expect(left.filter((name) => kept.has(name))).toEqual([]);
  expect((await screenshot('/', apiKey)).status).toBe(200);
});

test('a start keeps temporary files that are not from a killed server', async () => {
  await writeFile(join(temporary, 'signpost-server-notes.txt'), 'of somebody else');
  const before = await readdir(temporary);
  expect(before).not.toEqual([]);
  const second = await start();
  await second.end('SIGTERM');
  await second.remove();
  expect(await readdir(temporary)).toEqual(before);
  expect((await screenshot('/')).status).toBe(200);
});
