import { errorBody } from '@signpost/contract';
import { bytesOf } from '../fixtures/answers.js';
import { rounds } from '../fixtures/length.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { descendantsOf, stillRunning } from '../fixtures/processes.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { browsersOf } from './support/browsers.js';
import { recordFault } from './support/fault-table.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { zombiesOf } from './support/zombies.js';

const DURATION_MS = rounds(20_000, 60_000);
const BETWEEN_KILLS_MS = 2_000;
const CLIENTS = 4;
const CAPTURE_TIMEOUT_MS = 10_000;
/** The longest time of a capture: in the queue, and then in the browser. One that takes longer counts as hanging. */
const HANG_MS = 2 * CAPTURE_TIMEOUT_MS;

let pages: Pages;
let server: SignpostServer;
beforeAll(async () => {
  pages = await servePages();
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    SIGNPOST_CAPTURE_TIMEOUT_MS: String(CAPTURE_TIMEOUT_MS),
  });
});
afterAll(async () => {
  await server.remove();
  await pages.close();
});

interface Outcome {
  readonly status: number;
  /** The problem with the response; empty if it is fine. */
  readonly complaint: string;
  readonly elapsedMs: number;
}

async function capture(): Promise<Outcome> {
  const startedMs = performance.now();
  const outcome = (status: number, complaint: string) => {
    const elapsedMs = performance.now() - startedMs;
    return { status, elapsedMs, complaint: elapsedMs > HANG_MS ? 'took too long' : complaint };
  };
  const body = { url: `${pages.url}/`, width: 100, height: 50 };
  const answer = await server.post('/api/screenshot', body).catch((error: unknown) => String(error));
  if (typeof answer === 'string') return outcome(0, answer);
  if (answer.status !== 200) {
    const { error } = errorBody.strict().parse(await answer.json());
    const isClear = [500, 503, 504].includes(answer.status) && /browser|capture|page/iu.test(error);
    return outcome(answer.status, isClear ? '' : `${answer.status} ${error}`);
  }
  const isPicture = (await bytesOf(answer)).subarray(1, 4).toString() === 'PNG';
  return outcome(200, isPicture ? '' : 'no picture');
}

const ownerPid = () => server.process.pid ?? 0;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills the browsers again and again while callers take captures, and stops the server at the end. */
async function killBrowsers() {
  const overAtMs = performance.now() + DURATION_MS;
  const isOver = () => performance.now() > overAtMs;
  const outcomes: Outcome[] = [];
  const client = async () => {
    while (!isOver()) outcomes.push(await capture());
  };
  const seen = new Map<number, Awaited<ReturnType<typeof descendantsOf>>[number]>();
  let kills = 0;
  const killer = async () => {
    while (!isOver()) {
      await pause(BETWEEN_KILLS_MS);
      for (const one of await descendantsOf(ownerPid())) seen.set(one.pid, one);
      const browsers = await browsersOf(ownerPid());
      for (const pid of browsers) process.kill(pid, 'SIGKILL');
      if (browsers.length > 0) kills += 1;
    }
  };
  await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);

  const next = await capture();
  const zombies = await zombiesOf(ownerPid());
  const code = await server.end('SIGTERM');
  const all = [...seen.values()];
  await waitUntil('the last browser has ended', async () => (await stillRunning(all)).length === 0).catch(
    () => undefined,
  );
  const left = await stillRunning(all);

  const pictures = outcomes.filter(({ status }) => status === 200).length;
  const refused = outcomes.filter(({ status }) => status >= 500).length;
  const complaints = outcomes.map(({ complaint }) => complaint).filter((complaint) => complaint !== '');
  const slowestMs = Math.max(...outcomes.map(({ elapsedMs }) => elapsedMs));
  await recordFault({
    fault: `the browser killed every ${BETWEEN_KILLS_MS / 1_000} s for ${DURATION_MS / 1_000} s while ${CLIENTS} callers capture`,
    expected: 'a picture or a clear 5xx, never a hang; the next capture is right; no process is left',
    figure:
      `${kills} kills; ${outcomes.length} captures: ${pictures} with 200, ${refused} with a clear 5xx, ` +
      `${complaints.length} otherwise; slowest ${(slowestMs / 1_000).toFixed(1)} s; the next one ${next.status}; ` +
      `${zombies} zombies, ${left.length} of ${all.length} processes left; exit code ${code}`,
  });
  return { kills, complaints, pictures, next, left: { zombies, processes: left, code } };
}

describe('while browsers are killed every two seconds', () => {
  let outcome: Awaited<ReturnType<typeof killBrowsers>>;

  beforeAll(async () => {
    outcome = await killBrowsers();
  });

  test('while browsers are killed, every capture gets a picture or a clear error within 20 seconds', () => {
    expect(outcome.kills).toBeGreaterThan(DURATION_MS / BETWEEN_KILLS_MS / 2);
    expect(outcome.complaints).toEqual([]);
    expect(outcome.pictures).toBeGreaterThan(outcome.kills);
  });

  test('after browsers were killed, the next capture works', () => {
    expect(outcome.next).toMatchObject({ status: 200, complaint: '' });
  });

  test('a server whose browsers were killed leaves no process behind, and ends with 0', () => {
    expect(outcome.left).toEqual({ zombies: 0, processes: [], code: 0 });
  });
});
