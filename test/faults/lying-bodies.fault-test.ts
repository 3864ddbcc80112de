import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { fareInWords, startBystanders } from './support/bystanders.js';
import { recordFault } from './support/fault-table.js';
import { heldBytes, WITH_HELD_MEMORY } from './support/held-memory.js';
import { ENDLESS, lyingBodies, ROUTES, type LyingBody, type Route } from './support/lying-bodies.js';
import { mebibytes, openFilesOf } from './support/process-figures.js';
import { callRaw } from './support/raw-caller.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const AT_ONCE = 5;
const ROUNDS = 3;
const ENDLESS_BYTES = 1_073_741_824;
/** Bytes that a server may receive before it notices: its own limit plus the kernel buffers on both ends. */
const MAX_TAKEN_BYTES = 32 * 1_048_576;
const MAX_MEMORY_GROWTH_BYTES = 64 * 1_048_576;
const WAIT_MS = 5_000;

let server: SignpostServer;
let pid: number;

beforeAll(async () => {
  server = await startSignpost({
    ...UNLIMITED,
    ...WITH_HELD_MEMORY,
    SIGNPOST_TRUST_PROXY: '127.0.0.1',
  });
  pid = server.process.pid ?? 0;
});
afterAll(() => server.remove());

/** Each request comes from a different address, so that none is throttled. */
let sent = 0;
const forwardedFor = () => {
  sent += 1;
  return `X-Forwarded-For: 10.0.${sent >> 8}.${sent & 0xff}`;
};

const headOf = ({ path, mediaType }: Route, headers: readonly string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `X-Api-Key: ${server.apiKey}`,
    'Accept: application/json, text/event-stream',
    `Content-Type: ${mediaType}`,
    forwardedFor(),
    ...headers,
  ].join('\r\n');

const send = (route: Route, { headers, sent }: LyingBody) =>
  callRaw(server.url, Buffer.concat([Buffer.from(`${headOf(route, headers)}\r\n\r\n`), Buffer.from(sent)]));

/**
 * Sends a lying body. Returns the status of the response, or `unanswered` if the connection ended or five seconds
 * passed without one.
 */
async function outcomeOf(route: Route, lying: LyingBody) {
  const { socket, answers, answered, ended } = send(route, lying);
  if (lying.isGivenUp === true) socket.end();
  const tooLate = setTimeout(() => socket.destroy(), WAIT_MS);
  await Promise.race([answered, ended]);
  clearTimeout(tooLate);
  socket.destroy();
  return answers[0]?.status ?? 'unanswered';
}

/**
 * Sends as fast as the server reads, until the server closes the connection or 1 GiB is sent. Returns the bytes sent,
 * whether the server closed the connection, and its status.
 */
async function sendEndlessly(
  route: Route,
  { headers, again }: { headers: readonly string[]; again: string },
) {
  const { socket, answers, ended } = callRaw(server.url, `${headOf(route, headers)}\r\n`);
  const over = { is: false };
  void ended.then(() => (over.is = true));
  while (!over.is && socket.writable && socket.bytesWritten < ENDLESS_BYTES) {
    if (socket.writableNeedDrain) await new Promise((resolve) => setTimeout(resolve, 1));
    else await new Promise((resolve) => socket.write(again, resolve));
  }
  const takenBytes = socket.bytesWritten;
  socket.destroy();
  return { takenBytes, isRefused: takenBytes < ENDLESS_BYTES, status: answers[0]?.status ?? 'unanswered' };
}

/** Sends every kind of lying body to every route several times, beside callers that send ordinary requests. */
async function attack() {
  const bystanders = startBystanders(server.url, server.apiKey);
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  const round = async () => {
    for (const route of ROUTES) {
      for (const [name, lying] of Object.entries(lyingBodies(route))) {
        const sent = Array.from({ length: AT_ONCE }, () => outcomeOf(route, lying));
        for (const outcome of await Promise.all(sent)) {
          seen.set(String(outcome), (seen.get(String(outcome)) ?? 0) + 1);
          if (!lying.outcomes.includes(outcome)) wrong.push(`${route.path}, a body ${name}: ${outcome}`);
        }
      }
    }
  };
  await round();
  const files = await openFilesOf(pid);
  const beforeBytes = await heldBytes(server);
  for (let done = 1; done < ROUNDS; done += 1) await round();
  const endless = await Promise.all(
    ROUTES.flatMap((route) =>
      Object.entries(ENDLESS).map(async ([name, begun]) => ({
        what: `${route.path}, ${name}`,
        ...(await sendEndlessly(route, begun)),
      })),
    ),
  );
  const fared = await bystanders.stop();
  await waitUntil('every connection is closed', async () => (await openFilesOf(pid)) <= files);
  const afterBytes = await heldBytes(server);

  const mostTaken = Math.max(...endless.map(({ takenBytes }) => takenBytes));
  const statuses = Array.from(seen, ([outcome, count]) => `${outcome}: ${count}`).sort();
  await recordFault({
    fault: 'bodies too large, without end, or lying about their length',
    expected: '400, 413 or 431, or the connection is closed; others are served; memory flat',
    figure:
      `${[...seen.values()].reduce((sum, count) => sum + count, 0)} bodies: ${statuses.join(', ')}; ` +
      `of ${endless.length} without end at most ${mebibytes(mostTaken)} were taken; ${fareInWords(fared)}, ` +
      `${fared.failures.length} failed; server ${mebibytes(beforeBytes)}, after ${mebibytes(afterBytes)}`,
  });
  return { wrong, endless, mostTaken, failures: fared.failures, grownBytes: afterBytes - beforeBytes };
}

describe('while bodies that lie about their length are sent', () => {
  let outcome: Awaited<ReturnType<typeof attack>>;

  beforeAll(async () => {
    outcome = await attack();
  });

  test('a body that lies about its length has one of the outcomes that are right for its kind', () => {
    expect(outcome.wrong).toEqual([]);
  });

  test('the server ends a request without end before it has taken 32 MiB of it', () => {
    const { endless } = outcome;
    expect(endless.filter(({ isRefused }) => !isRefused)).toEqual([]);
    expect(endless.filter(({ status }) => ![400, 413, 431, 'unanswered'].includes(status))).toEqual([]);
    expect(outcome.mostTaken).toBeLessThan(MAX_TAKEN_BYTES);
  });

  test('other callers are answered while bodies lie about their length', () => {
    expect(outcome.failures).toEqual([]);
  });

  test('bodies that lie about their length add less than 64 MiB to the memory of the server', () => {
    expect(outcome.grownBytes).toBeLessThan(MAX_MEMORY_GROWTH_BYTES);
  });
});
