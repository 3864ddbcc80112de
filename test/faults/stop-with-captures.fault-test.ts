import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorBody, usageStatistics } from '@signpost/contract';
import { bytesOf } from '../fixtures/answers.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { descendantsOf, stillRunning } from '../fixtures/processes.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { recordFault } from './support/fault-table.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { metricOf } from './support/metric.js';

const PLACES = 4;
const QUEUE = 8;
const LATE = 20;

let temporary: string;
let pages: Pages;
let isHeld: boolean;
const held: ServerResponse[] = [];
let server: SignpostServer;

const answerPage = (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Late</h1>');

const settings = () => ({
  ...UNLIMITED,
  SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  SIGNPOST_CAPTURE_CONCURRENCY: String(PLACES),
  SIGNPOST_CAPTURE_QUEUE: String(QUEUE),
  TMPDIR: temporary,
});

beforeAll(async () => {
  isHeld = true;
  pages = await servePages({
    '/held': (_request, response) => {
      if (isHeld) held.push(response);
      else answerPage(response);
    },
  });
  temporary = await mkdtemp(join(tmpdir(), 'signpost-stopping-'));
  server = await startSignpost(settings());
});

afterAll(async () => {
  await server.remove();
  await pages.close();
  await rm(temporary, { recursive: true, force: true });
});

/** Takes a capture. Returns `picture`, `no picture`, `refused` (503 with Retry-After), `closed`, or another status. */
async function capture(): Promise<string> {
  const body = { url: `${pages.url}/held`, width: 100, height: 50 };
  const answer = await server.post('/api/screenshot', body).catch(() => undefined);
  if (answer === undefined) return 'closed';
  if (answer.status === 200)
    return (await bytesOf(answer)).subarray(1, 4).toString() === 'PNG' ? 'picture' : 'no picture';
  const { error } = errorBody.parse(await answer.json());
  const mayRetry = Number(answer.headers.get('Retry-After')) > 0;
  return answer.status === 503 && mayRetry && error.includes('stopping') ? 'refused' : String(answer.status);
}

const captures = (count: number) => Array.from({ length: count }, () => capture());
const count = (outcomes: readonly string[], wanted: string) =>
  outcomes.filter((outcome) => outcome === wanted).length;

/** Stops a server whose slots and queue are full, and asks for captures before and after those in them may end. */
async function stopWhileFull() {
  const browser = await descendantsOf(server.process.pid ?? 0);
  const taken = captures(PLACES + QUEUE);
  await waitUntil('every place is taken', () => held.length === PLACES);
  await waitUntil(
    'the queue is full',
    async () => (await metricOf(server, 'signpost_captures_queued')) === QUEUE,
  );

  server.process.kill('SIGTERM');
  await waitUntil('the server says that it stops', () => server.output().includes('Stopping'));
  const lookedUp = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
  const whileHeld = await Promise.all(captures(LATE));
  isHeld = false;
  for (const response of held) answerPage(response);
  const afterwards = await Promise.all(captures(LATE));
  const finished = await Promise.all(taken);
  // Only wait: a second signal would end the server at once.
  await waitUntil('the server has ended', () => server.process.exitCode !== null);
  const code = server.process.exitCode;
  const running = await stillRunning(browser);
  const files = await readdir(temporary);

  const again = await startSignpost(settings(), server.dataDir);
  const usage = usageStatistics.parse(await (await again.get('/api/usage', server.apiKey)).json());
  await again.end('SIGTERM');
  // Rejected captures are not counted.
  const sent = PLACES + QUEUE + 1 + 1;

  const late = [...whileHeld, ...afterwards];
  await recordFault({
    fault: `SIGTERM with ${PLACES} captures in flight and ${QUEUE} in the queue`,
    expected: 'those are finished, later ones get 503 with Retry-After, exit code 0, nothing is left',
    figure:
      `${count(finished, 'picture')} of ${PLACES + QUEUE} finished with 200; of ${late.length} later ones ` +
      `${count(late, 'refused')} got 503 and ${count(late, 'closed')} found the port closed; exit code ${code}; ` +
      `${running.length} of ${browser.length} browser processes and ${files.length} temporary folders left; ` +
      `${usage.totalRequests} of ${sent} requests counted`,
  });
  return {
    lookupStatus: lookedUp.status,
    whileHeld,
    afterwards,
    finished,
    browserProcesses: browser.length,
    left: { code, running, files },
    counted: usage.totalRequests,
    sent,
  };
}

describe('after SIGTERM', () => {
  let outcome: Awaited<ReturnType<typeof stopWhileFull>>;

  beforeAll(async () => {
    outcome = await stopWhileFull();
  });

  test('after SIGTERM, the server finishes the captures in every slot and in the full queue', () => {
    expect(outcome.finished).toEqual(Array.from({ length: PLACES + QUEUE }, () => 'picture'));
  });

  test('a stopping server rejects new captures while it finishes others, and looks up postcodes', () => {
    expect(outcome.whileHeld).toEqual(Array.from({ length: LATE }, () => 'refused'));
    expect(outcome.lookupStatus).toBe(200);
  });

  test('captures sent while the last ones end are rejected, or find the port closed', () => {
    expect(outcome.afterwards.filter((late) => late !== 'refused' && late !== 'closed')).toEqual([]);
  });

  test('after SIGTERM, the server ends with 0, and leaves no browser and no temporary file', () => {
    expect(outcome.browserProcesses).toBeGreaterThan(0);
    expect(outcome.left).toEqual({ code: 0, running: [], files: [] });
  });

  test('a stopping server counts every request except the rejected captures', () => {
    expect(outcome.counted).toBe(outcome.sent);
  });
});
