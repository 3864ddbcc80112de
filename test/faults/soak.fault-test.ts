import { setInterval } from 'node:timers/promises';
import { rounds } from '../fixtures/length.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { recordFault } from './support/fault-table.js';
import { heldBytes, WITH_HELD_MEMORY } from './support/held-memory.js';
import { countedFor, enter, openLedgers, type Ledger } from './support/ledger.js';
import { descendantsBytes, mebibytes, openFilesOf } from './support/process-figures.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const SECONDS = rounds(30, 1_800);
/** Caches fill up and code is compiled first, so memory is compared with its size after this time. */
const WARM_UP_SECONDS = rounds(10, 300);
const LOOKUPS_PER_SECOND = 200;
const TICKS_PER_SECOND = 20;
const MAX_GROWTH_BYTES = 64 * 1_048_576;
const MAX_MORE_FILES = 20;

/** The server under load, and the results so far. */
interface Load {
  readonly server: SignpostServer;
  readonly ledger: Ledger;
  /** Responses that were not as expected. */
  readonly wrong: string[];
}

/** Reads the whole response to a request. Notes it as wrong if its status is not 200. */
async function expectOk({ wrong }: Load, what: string, sent: Promise<Response | undefined>): Promise<void> {
  const answer = await sent;
  await answer?.arrayBuffer();
  if (answer?.status !== 200) wrong.push(`${what}: ${answer?.status ?? 'no answer'}`);
}

function lookUpOnce(load: Load): Promise<void> {
  const { server, ledger } = load;
  const sent = enter(ledger, () =>
    server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, ledger.apiKey),
  );
  return expectOk(load, 'lookup', sent);
}

function captureOnce(load: Load): Promise<void> {
  const { server, ledger } = load;
  const page = { url: `${server.url}/`, width: 800, height: 600 };
  return expectOk(
    load,
    'capture',
    enter(ledger, () => server.post('/api/screenshot', page, ledger.apiKey)),
  );
}

/** Keeps up the load for `seconds` seconds, as far as the machine can, and waits for the last responses. */
async function runLoad(load: Load, seconds: number): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const follow = (request: Promise<void>) => {
    const followed = request.finally(() => underWay.delete(followed));
    underWay.add(followed);
  };
  const beat = setInterval(1_000 / TICKS_PER_SECOND)[Symbol.asyncIterator]();
  const endsAtMs = performance.now() + seconds * 1_000;
  for (let tick = 0; performance.now() < endsAtMs; tick += 1) {
    await beat.next();
    for (let lookup = 0; lookup < LOOKUPS_PER_SECOND / TICKS_PER_SECOND; lookup += 1)
      follow(lookUpOnce(load));
    if (tick % TICKS_PER_SECOND !== 0) continue;
    follow(captureOnce(load));
    follow(expectOk(load, 'page', fetch(`${load.server.url}/signin`)));
  }
  await beat.return?.();
  await Promise.all(underWay);
}

async function figuresOf({ server }: Load) {
  const pid = server.process.pid ?? 0;
  return {
    server: await heldBytes(server),
    browser: await descendantsBytes(pid),
    files: await openFilesOf(pid),
    // This process holds the other end of every connection, so its open files count them.
    connections: await openFilesOf(process.pid),
  };
}

test(
  'under continuous load, memory and open files hardly grow, and every request is counted',
  async () => {
    const server = await startSignpost({ ...UNLIMITED, ...WITH_HELD_MEMORY });
    const [ledger] = await openLedgers(server, 1);
    if (ledger === undefined) throw new Error('No key was made.');
    const load: Load = { server, ledger, wrong: [] };
    await runLoad(load, WARM_UP_SECONDS);
    const before = await figuresOf(load);
    await runLoad(load, SECONDS);
    const after = await figuresOf(load);
    const counted = await countedFor(server, ledger);
    await server.remove();

    await recordFault({
      fault: `${SECONDS} s of ${LOOKUPS_PER_SECOND} lookups, a capture and a page a second, after ${WARM_UP_SECONDS} s of them`,
      expected: 'memory and open files stay as they are, every request is answered and counted',
      figure:
        `server ${mebibytes(before.server)}, then ${mebibytes(after.server)}; browser ${mebibytes(before.browser)}, then ` +
        `${mebibytes(after.browser)}; open files ${before.files}, then ${after.files}; ${load.wrong.length} not answered; ` +
        `${ledger.acknowledged.toLocaleString('en-GB')} acknowledged, ${counted.toLocaleString('en-GB')} counted`,
    });
    expect(load.wrong).toEqual([]);
    expect(counted).toBe(ledger.sent);
    expect(after.server - before.server).toBeLessThan(MAX_GROWTH_BYTES);
    const moreFiles = after.files - before.files;
    const moreConnections = after.connections - before.connections;
    expect(moreFiles - moreConnections).toBeLessThan(MAX_MORE_FILES);
  },
  1.5 * (SECONDS + WARM_UP_SECONDS) * 1_000 + 60_000,
);
