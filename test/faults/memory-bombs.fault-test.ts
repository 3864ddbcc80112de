import { memoryBombs, sharedMemoryBombs } from '../fixtures/capture/memory-bombs.js';
import { SITE_ADDRESS, startPageServer, type PageServer } from '../fixtures/capture/page-server.js';
import { createKeyOf } from '../fixtures/captures-of-accounts.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { fareInWords, startBystanders } from './support/bystanders.js';
import { recordFault } from './support/fault-table.js';
import { descendantsBytes, mebibytes } from './support/process-figures.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const BOUND_MEGABYTES = 300;
const bombs = { ...memoryBombs(), ...sharedMemoryBombs() };
/** The paths of the pages that use up memory, without /never, the image that all of them wait for. */
const BOMBS = Object.keys(bombs).filter((path) => path !== '/never');
/** Pages that always exceed the memory limit before a picture can be taken. */
const ALWAYS_PAST = ['/wasm', '/webgl-textures'];

let site: PageServer;
let server: SignpostServer;
let other: string;

beforeAll(async () => {
  site = await startPageServer({ ...bombs, '/plain': '<p>here' });
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: SITE_ADDRESS,
    SIGNPOST_CAPTURE_CONCURRENCY: '3',
    SIGNPOST_CAPTURE_MEMORY_MEGABYTES: String(BOUND_MEGABYTES),
  });
  other = await createKeyOf(server, 'other@example.org');
});
afterAll(async () => {
  await server.remove();
  await site.close();
});

const capture = async (path: string, key?: string): Promise<string> => {
  const answer = await server.post('/api/screenshot', { url: site.url(path) }, key);
  const body = await answer.text();
  return answer.status === 200 || body.includes(`${BOUND_MEGABYTES} MB`)
    ? String(answer.status)
    : `${answer.status} ${body}`;
};

const tally = (outcomes: readonly string[]) =>
  [...new Set(outcomes)]
    .map((outcome) => `${outcomes.filter((one) => one === outcome).length} × ${outcome}`)
    .join(', ') || 'none';

test('captures of pages that use gigabytes get 400 or a picture; captures and lookups of others succeed', async () => {
  const bystanders = startBystanders(server.url, other, 2);
  const outcomes: string[] = [];
  const beside: string[] = [];
  let isOver = false;
  let peakBytes = 0;
  const others = async () => {
    while (!isOver) {
      beside.push(await capture('/plain', other));
      peakBytes = Math.max(peakBytes, await descendantsBytes(server.process.pid ?? 0));
    }
  };
  const running = others();
  for (const path of BOMBS) outcomes.push(await capture(path));
  const past = ALWAYS_PAST.map((path) => outcomes[BOMBS.indexOf(path)]);
  isOver = true;
  await running;
  const fared = await bystanders.stop();
  await recordFault({
    fault: `${outcomes.length} pages that take gigabytes, past a bound of ${BOUND_MEGABYTES} MB`,
    expected: 'each 400 that names the bound, or its picture; captures and lookups of others as ever',
    figure:
      `${tally(outcomes)}; captures of others: ${tally(beside)}; ${fareInWords(fared)}; ` +
      `the browser at most ${mebibytes(peakBytes)}`,
  });
  expect(past).toEqual(ALWAYS_PAST.map(() => '400'));
  expect(outcomes.filter((outcome) => !['200', '400'].includes(outcome))).toEqual([]);
  expect(new Set(beside)).toEqual(new Set(['200']));
  expect(fared.failures).toEqual([]);
});
