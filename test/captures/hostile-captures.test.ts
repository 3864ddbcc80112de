import { metricOf } from '../faults/support/metric.js';
import { createKeyOf } from '../fixtures/captures-of-accounts.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const HOSTILE = 10;

let pages: Pages;
let server: SignpostServer;

beforeAll(async () => {
  pages = await servePages({
    '/hostile': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<script>while (true) {}</script>');
    },
  });
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    SIGNPOST_CAPTURE_CONCURRENCY: '2',
    // Half of the queue may be used by one account, which is enough for the nine captures that wait.
    SIGNPOST_CAPTURE_QUEUE: '20',
    // None of the hostile captures ends before the test does.
    SIGNPOST_CAPTURE_TIMEOUT_MS: '600000',
  });
});

afterAll(async () => {
  await server.remove();
  await pages.close();
});

test('captures of one account succeed while ten endless ones of another are running or waiting', async () => {
  const other = await createKeyOf(server, 'other@example.org');
  const answered: string[] = [];
  const hostile = Array.from({ length: HOSTILE }, () =>
    server.post('/api/screenshot', { url: `${pages.url}/hostile` }).then(
      ({ status }) => answered.push(`hostile ${status}`),
      () => undefined,
    ),
  );
  await waitUntil(
    'all of them were taken',
    async () => (await metricOf(server, 'signpost_captures_queued')) === HOSTILE - 1,
  );
  for (let times = 0; times < 3; times += 1) {
    const { status } = await server.post('/api/screenshot', { url: pages.url }, other);
    answered.push(`other ${status}`);
  }
  expect(answered).toEqual(['other 200', 'other 200', 'other 200']);
  expect(await metricOf(server, 'signpost_captures_active')).toBe(1);
  expect(await metricOf(server, 'signpost_captures_queued')).toBe(HOSTILE - 1);
  await server.end('SIGKILL');
  await Promise.all(hostile);
});
