import { rounds } from '../fixtures/length.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { recordFault } from './support/fault-table.js';
import { judgeAnswer, judgeLast } from './support/judge-answer.js';
import { brokenBytes, malformedRequest, type MalformedRequest } from './support/malformed-requests.js';
import { type Exchange, exchangeAll } from '../fixtures/pipelined.js';
import { heldBytes, WITH_HELD_MEMORY } from './support/held-memory.js';
import { mebibytes } from './support/process-figures.js';
import { randomFrom } from './support/random.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** Generates the same requests every time, unless another seed is given. */
const SEED = Number(process.env.SIGNPOST_FAULTS_SEED ?? 20_260_103);
const REQUESTS = rounds(10_000, 100_000);
const WARM_UP_REQUESTS = rounds(4_000, 20_000);
/** Fewer requests than a caller may pipeline. The last bytes on each connection are no valid request at all. */
const PER_CONNECTION = 15;
const CONNECTIONS = 8;
const MAX_MEMORY_GROWTH_BYTES = 64 * 1_048_576;

let server: SignpostServer;

beforeAll(async () => {
  // A capture holds a place in the queue until its body is found to be wrong.
  server = await startSignpost({ ...UNLIMITED, ...WITH_HELD_MEMORY, SIGNPOST_CAPTURE_QUEUE: '1000' });
});
afterAll(() => server.remove());

const random = randomFrom(SEED);
const statuses = new Map<number | 'closed', number>();
const wrong: string[] = [];
let done = 0;

const count = (status: number | 'closed') => {
  done += 1;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
};

function judgeAll({ answered, unanswered, last }: Exchange<MalformedRequest>, lastBytes: Buffer): void {
  for (const { request, answer } of answered) {
    count(answer.status);
    const problem = judgeAnswer(request, answer);
    if (problem !== undefined) wrong.push(problem);
  }
  if (unanswered.length > 0) return;
  count(last[0]?.status ?? 'closed');
  wrong.push(...judgeLast(last, lastBytes));
}

/** Sends some requests on one connection. Returns those that the connection ended too early for. */
async function sendSome(left: readonly MalformedRequest[]): Promise<readonly MalformedRequest[]> {
  const fresh = Array.from({ length: PER_CONNECTION - 1 - left.length }, () =>
    malformedRequest(random, server.apiKey),
  );
  const lastBytes = brokenBytes(random);
  const exchange = await exchangeAll(server.url, [...left, ...fresh], lastBytes);
  judgeAll(exchange, lastBytes);
  const { answered, unanswered } = exchange;
  const [first, ...others] = unanswered;
  if (answered.length > 0 || first === undefined) return unanswered;
  await sendAlone(first);
  return others;
}

/**
 * Sends a request without others behind it, because those may have ended the connection before its response arrived.
 */
async function sendAlone(request: MalformedRequest): Promise<void> {
  const lastBytes = brokenBytes(random);
  const exchange = await exchangeAll(server.url, [request], lastBytes);
  judgeAll(exchange, lastBytes);
  if (exchange.answered.length > 0) return;
  count('closed');
  wrong.push(`closed without an answer: ${request.bytes.toString('latin1').slice(0, 300)}`);
}

async function sendUntil(enough: number): Promise<void> {
  const sendOn = async () => {
    let left: readonly MalformedRequest[] = [];
    while (done < enough) left = await sendSome(left);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendOn));
}

test(`${REQUESTS} malformed requests get only documented statuses, and leak no memory`, async () => {
  const startedAtMs = performance.now();
  await sendUntil(WARM_UP_REQUESTS);
  const beforeBytes = await heldBytes(server);
  await sendUntil(REQUESTS);
  const elapsedSeconds = (performance.now() - startedAtMs) / 1_000;
  const afterBytes = await heldBytes(server);
  const lookedUp = await server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' });

  const perStatus = Array.from(
    statuses,
    ([status, number]) => `${status}: ${number.toLocaleString('en-GB')}`,
  );
  await recordFault({
    fault: `${done.toLocaleString('en-GB')} malformed requests, seed ${SEED}`,
    expected: 'documented statuses with {error} or a page, no 500; memory flat',
    figure:
      `${perStatus.sort().join(', ')}; ${wrong.length} answered wrongly; ${elapsedSeconds.toFixed(0)} s; ` +
      `server ${mebibytes(beforeBytes)} after ${WARM_UP_REQUESTS.toLocaleString('en-GB')}, ${mebibytes(afterBytes)} at the end`,
  });
  expect([...new Set(wrong)].slice(0, 20)).toEqual([]);
  expect(done).toBeGreaterThanOrEqual(REQUESTS);
  expect(server.process.exitCode).toBeNull();
  expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/u);
  expect(lookedUp.status).toBe(200);
  expect(afterBytes - beforeBytes).toBeLessThan(MAX_MEMORY_GROWTH_BYTES);
}, 600_000);
