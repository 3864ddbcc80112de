import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { fareInWords, startBystanders } from './support/bystanders.js';
import { recordFault } from './support/fault-table.js';
import { heldBytes, WITH_HELD_MEMORY } from './support/held-memory.js';
import { mebibytes, openFilesLimitOf, openFilesOf, residentBytes } from './support/process-figures.js';
import { callRaw, type RawCaller } from './support/raw-caller.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const CONNECTIONS = 5_000;
const FEW_FILES = 400;
const FEW_FILES_CONNECTIONS = 1_000;
/** How many files the server, and the test, may each need besides the connections. */
const OTHER_FILES = 250;
const MAX_MEMORY_GROWTH_BYTES = 128 * 1_048_576;

let server: SignpostServer;
let pid: number;

beforeEach(async () => {
  server = await startSignpost({ ...UNLIMITED, ...WITH_HELD_MEMORY });
  pid = server.process.pid ?? 0;
});
afterEach(() => server.remove());

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** Returns how many connections to open: CONNECTIONS, or fewer if a limit of open files requires it. */
async function connectionsAllowed(): Promise<number> {
  const limits = await Promise.all([process.pid, pid].map(openFilesLimitOf));
  return Math.min(CONNECTIONS, ...limits.map((limit) => limit - OTHER_FILES));
}

/** Waits until each caller has a response or was disconnected. */
async function settle(callers: readonly RawCaller[]) {
  await Promise.all(callers.map(({ answered, ended }) => Promise.race([answered, ended])));
  const accepted = callers.filter(({ answers }) => answers[0]?.status === 200).length;
  return { accepted, refused: callers.length - accepted };
}

const flood = (connections: number) =>
  Array.from({ length: connections }, () => callRaw(server.url, REQUEST));

async function leave(callers: readonly RawCaller[]): Promise<void> {
  const open = callers.filter(({ socket }) => !socket.closed);
  const closed = open.map(({ socket }) => once(socket, 'close'));
  for (const { socket } of open) socket.destroy();
  await Promise.all(closed);
}

test('during up to 5,000 connections at once, the server answers all of them and other callers', async () => {
  const connections = await connectionsAllowed();
  const bystanders = startBystanders(server.url, server.apiKey);
  await leave(flood(100));
  await waitUntil('the first callers are gone', async () => (await openFilesOf(pid)) < 100);
  const before = { files: await openFilesOf(pid), bytes: await heldBytes(server) };

  const startedAtMs = performance.now();
  const callers = flood(connections);
  const { accepted, refused } = await settle(callers);
  const answeredMs = performance.now() - startedAtMs;
  const during = { files: await openFilesOf(pid), bytes: await residentBytes(pid) };
  const lookedUp = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
  await leave(callers);
  await waitUntil('every connection is closed', async () => (await openFilesOf(pid)) <= before.files + 2);
  const fared = await bystanders.stop();
  const afterBytes = await heldBytes(server);

  const short =
    connections < CONNECTIONS ? ` (no more than ${connections}: the limit of open files here)` : '';
  await recordFault({
    fault: `${CONNECTIONS.toLocaleString('en-GB')} connections at once${short}`,
    expected: 'the server stays up, established callers are answered, all is as before afterwards',
    figure:
      `${accepted.toLocaleString('en-GB')} accepted and answered in ${(answeredMs / 1_000).toFixed(1)} s, ${refused} refused; ` +
      `${fareInWords(fared)}, ${fared.failures.length} failed; open files ${before.files}, ${during.files} and ` +
      `${await openFilesOf(pid)}; server ${mebibytes(before.bytes)}, ${mebibytes(during.bytes)} and ${mebibytes(afterBytes)}`,
  });
  expect([accepted, refused]).toEqual([connections, 0]);
  expect(during.files).toBeGreaterThan(connections);
  expect(lookedUp.status).toBe(200);
  expect(fared.failures).toEqual([]);
  expect(fared.answered).toBeGreaterThan(0);
  expect(server.process.exitCode).toBeNull();
  expect(afterBytes - before.bytes).toBeLessThan(MAX_MEMORY_GROWTH_BYTES);
});

test('at its open-file limit, the server refuses connections, serves others, and recovers', async () => {
  const fault = `${FEW_FILES_CONNECTIONS.toLocaleString('en-GB')} connections to a server that may open ${FEW_FILES} files`;
  const expected = 'established callers are answered, the rest is turned away, all is as before afterwards';
  const { error, status } = spawnSync('prlimit', [`--pid=${pid}`, `--nofile=${FEW_FILES}:${FEW_FILES}`]);
  if (error !== undefined || status !== 0) {
    await recordFault({
      fault,
      expected,
      figure: 'not tried: this machine has no prlimit that may lower the limit',
    });
    return;
  }
  const bystanders = startBystanders(server.url, server.apiKey);
  await waitUntil('the bystanders are connected', async () => (await server.get('/healthz')).ok);
  const callers = flood(FEW_FILES_CONNECTIONS);
  const { accepted, refused } = await settle(callers);
  await leave(callers);
  await waitUntil('every connection is closed', async () => (await openFilesOf(pid)) < FEW_FILES / 2);
  const fared = await bystanders.stop();
  const lookedUp = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });
  const captured = await server.post('/api/screenshot', { url: `${server.url}/`, width: 100, height: 100 });

  await recordFault({
    fault,
    expected,
    figure:
      `${accepted} accepted and answered, ${refused} turned away; ${fareInWords(fared)}, ` +
      `${fared.failures.length} failed; afterwards lookup ${lookedUp.status}, capture ${captured.status}`,
  });
  expect(accepted).toBeGreaterThan(FEW_FILES / 2);
  expect(refused).toBeGreaterThan(0);
  expect(fared.failures).toEqual([]);
  expect([lookedUp.status, captured.status]).toEqual([200, 200]);
  expect(server.process.exitCode).toBeNull();
});
