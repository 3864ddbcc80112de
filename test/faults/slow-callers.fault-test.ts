import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { fareInWords, startBystanders } from './support/bystanders.js';
import { recordFault } from './support/fault-table.js';
import { NOISE_PIXELS, sendNoisePage } from './support/noise-page.js';
import { heldBytes, WITH_HELD_MEMORY } from './support/held-memory.js';
import { heldConnections } from './support/held-connections.js';
import { mebibytes, residentBytes } from './support/process-figures.js';
import { callRaw, dribble, type RawCaller } from './support/raw-caller.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/**
 * The server's configured timeouts. LATER_MS is the delay that its periodic checks, closing a connection and a busy
 * machine may add.
 */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const UNREAD_MS = 30_000;
const IDLE_MS = 72_000;
const LATER_MS = 15_000;
const MAX_MEMORY_GROWTH_BYTES = 64 * 1_048_576;

interface SlowCallers {
  readonly count: number;
  readonly sent: string;
  /** The text that each of these callers sends every second, so that its connection is never silent. */
  readonly dribbled?: string;
  readonly isReading?: boolean;
  readonly endedWithinMs: number;
  readonly status?: number;
}

let pages: Pages;
let server: SignpostServer;
let pid: number;

beforeAll(async () => {
  pages = await servePages({ '/noise': (_request, response) => sendNoisePage(response) });
  server = await startSignpost({
    ...UNLIMITED,
    ...WITH_HELD_MEMORY,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  });
  pid = server.process.pid ?? 0;
});
afterAll(async () => {
  await server.remove();
  await pages.close();
});

const head = (start: string, ...more: readonly string[]) =>
  [`${start} HTTP/1.1`, 'Host: 127.0.0.1', `X-Api-Key: ${server.apiKey}`, ...more].join('\r\n');
const json = 'Content-Type: application/json';

function slowCallers(): Readonly<Record<string, SlowCallers>> {
  const headers = { endedWithinMs: HEADERS_MS + LATER_MS, status: 408 };
  const body = { endedWithinMs: REQUEST_MS + LATER_MS, status: 408, dribbled: ' ' };
  const unread = { endedWithinMs: 2 * UNREAD_MS + LATER_MS, isReading: false };
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const capture = JSON.stringify({ url: `${pages.url}/noise`, width: NOISE_PIXELS, height: NOISE_PIXELS });
  return {
    'send nothing': { count: 40, sent: '', ...headers },
    'send half the headers': { count: 40, sent: `${head('GET /api/usage')}\r\n`, ...headers },
    'dribble headers': {
      count: 165,
      sent: `${head('GET /api/usage')}\r\nX-Slow: `,
      ...headers,
      dribbled: 'a',
    },
    'dribble a body': {
      count: 165,
      ...body,
      sent: `${head('POST /api/postcode/lookup', json, 'Content-Length: 1000')}\r\n\r\n{`,
    },
    'dribble a form': {
      count: 20,
      ...body,
      dribbled: 'a',
      sent: `${head('POST /signin', form, 'Content-Length: 1000')}\r\n\r\na=`,
    },
    'dribble to MCP': {
      count: 20,
      ...body,
      sent: `${head('POST /mcp', json, 'Content-Length: 1000')}\r\n\r\n{`,
    },
    'leave off in a chunk': {
      count: 20,
      endedWithinMs: REQUEST_MS + LATER_MS,
      status: 408,
      sent: `${head('POST /api/postcode/lookup', json, 'Transfer-Encoding: chunked')}\r\n\r\n5\r\n{`,
    },
    'never read their answers': {
      count: 12,
      ...unread,
      sent: '',
      dribbled: `${head('GET /openapi.json')}\r\n\r\n`.repeat(10),
    },
    'ask far ahead and never read': {
      count: 10,
      isReading: false,
      endedWithinMs: LATER_MS,
      sent: `${head('GET /openapi.json')}\r\n\r\n`.repeat(700),
    },
    'never read their capture': {
      count: 3,
      ...unread,
      sent: `${head('POST /api/screenshot', json, `Content-Length: ${capture.length}`)}\r\n\r\n${capture}`,
    },
    'idle after an answer': {
      count: 5,
      status: 200,
      endedWithinMs: IDLE_MS + LATER_MS,
      sent: `${head('GET /api/usage')}\r\n\r\n`,
    },
  };
}

function start({ count, sent, dribbled, isReading = true }: SlowCallers): readonly RawCaller[] {
  return Array.from({ length: count }, () => {
    const caller = callRaw(server.url, sent, { isReading });
    if (dribbled !== undefined) dribble(caller, dribbled);
    return caller;
  });
}

interface Started {
  readonly name: string;
  readonly kind: SlowCallers;
  readonly callers: readonly RawCaller[];
}

/**
 * Waits until all connections have ended, at most for the longest time that a kind may take. Returns how long the last
 * connection of each kind was open, in milliseconds, without the kinds that still have one.
 */
async function longestStays(started: readonly Started[]): Promise<ReadonlyMap<string, number>> {
  const startedAtMs = performance.now();
  const longestMs = new Map<string, number>();
  const giveUpAfterMs = Math.max(...started.map(({ kind }) => kind.endedWithinMs));
  for (let open = started; open.length > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const held = await heldConnections(server.url);
    const elapsedMs = performance.now() - startedAtMs;
    open = open.filter(({ callers }) => callers.some(({ socket }) => held.has(socket.localPort ?? 0)));
    for (const { name } of started) if (!longestMs.has(name)) longestMs.set(name, elapsedMs);
    for (const { name } of open) longestMs.delete(name);
    if (elapsedMs > giveUpAfterMs) break;
  }
  return longestMs;
}

/** Takes a large capture, and pauses this long after reading each part of it. Returns its size in bytes. */
async function readSlowly(pauseMs: number): Promise<number> {
  const asked = { url: `${pages.url}/noise`, width: NOISE_PIXELS, height: NOISE_PIXELS };
  const { body } = await server.post('/api/screenshot', asked);
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += Buffer.from(chunk).length;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return bytes;
}

/** Lets all kinds of slow callers loose on the server at once, until they are disconnected. */
async function bearSlowCallers() {
  const kinds = Object.entries(slowCallers());
  await readSlowly(0);
  const beforeBytes = await heldBytes(server);
  const bystanders = startBystanders(server.url, server.apiKey);
  const slowReader = readSlowly(200);
  const started = kinds.map(([name, kind]) => ({ name, kind, callers: start(kind) }));
  const number = started.reduce((sum, { callers }) => sum + callers.length, 0);
  let mostBytes = 0;
  const watch = setInterval(
    () => void residentBytes(pid).then((bytes) => (mostBytes = Math.max(mostBytes, bytes))),
    1_000,
  );
  await waitUntil('all are connected', () =>
    started.every(({ callers }) => callers.every(({ socket }) => socket.localPort !== undefined)),
  );
  const longestMs = await longestStays(started);
  const slowlyRead = await slowReader;
  clearInterval(watch);
  const fared = await bystanders.stop();
  for (const caller of started.flatMap(({ callers }) => callers)) caller.socket.destroy();
  const afterBytes = await heldBytes(server);

  const times = started.map(({ name }) => `${name} ${((longestMs.get(name) ?? NaN) / 1_000).toFixed(0)} s`);
  await recordFault({
    fault: `${number} slow callers at once: headers and bodies dribbled, answers not read`,
    expected: 'each is ended by the server, with 408 where it can be told; others are served; memory flat',
    figure:
      `longest stay: ${times.join(', ')}; ${fareInWords(fared)}, ${fared.failures.length} failed; ` +
      `server ${mebibytes(beforeBytes)}, at most ${mebibytes(mostBytes)}, after ${mebibytes(afterBytes)}`,
  });
  return {
    number,
    started,
    longestMs,
    slowlyRead,
    fared,
    grownBytes: afterBytes - beforeBytes,
  };
}

describe('with 500 slow callers at once', () => {
  let outcome: Awaited<ReturnType<typeof bearSlowCallers>>;

  beforeAll(async () => {
    outcome = await bearSlowCallers();
  });

  test('the server disconnects each slow caller in the time for its kind', () => {
    expect(outcome.number).toBe(500);
    for (const { name, kind } of outcome.started) {
      const stayedMs = outcome.longestMs.get(name) ?? Infinity;
      expect([name, stayedMs < kind.endedWithinMs]).toEqual([name, true]);
    }
  });

  test('each slow caller that reads gets one response, with the status for its kind', () => {
    for (const { name, kind, callers } of outcome.started) {
      if (kind.status === undefined) continue;
      const statuses = callers.map(({ answers }) => answers.map(({ status }) => status));
      expect([name, statuses]).toEqual([name, callers.map(() => [kind.status])]);
    }
  });

  test('a caller that reads a capture slowly gets more than 4 MB of it', () => {
    expect(outcome.slowlyRead).toBeGreaterThan(NOISE_PIXELS * NOISE_PIXELS);
  });

  test('other callers are answered beside 500 slow ones', () => {
    expect(outcome.fared.failures).toEqual([]);
    expect(outcome.fared.answered).toBeGreaterThan(0);
  });

  test('slow callers add less than 64 MiB to the memory of the server', () => {
    expect(outcome.grownBytes).toBeLessThan(MAX_MEMORY_GROWTH_BYTES);
  });
});
