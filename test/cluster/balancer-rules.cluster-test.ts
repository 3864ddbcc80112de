import { waitUntil } from '../fixtures/wait-until.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { createKey, lookUp } from './support/requests.js';

const METRICS_TOKEN = 'm3tr1cs-t0k3n-0f-th3-cl6st3r';
const CALLERS = 4;
const server = { SIGNPOST_METRICS_TOKEN: METRICS_TOKEN, SIGNPOST_STOP_DELAY_MS: '8000' };

let cluster: Cluster;
let key: string;

beforeAll(async () => {
  cluster = await startCluster({ servers: [server, server] });
  ({ key } = await createKey(cluster, '--per-minute', 'unlimited', '--per-day', 'unlimited'));
});
afterAll(() => cluster.remove());

test('the balancer hides the metrics, however their path is written, even from callers with the token', async () => {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  for (const path of ['/metrics', '//metrics', '/%6detrics', '/Metrics/', '/metrics/'])
    expect([path, (await fetch(cluster.balancer.url + path, { headers })).status]).toEqual([path, 404]);
  for (const { url } of cluster.members)
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(200);
});

test('the balancer rejects a lookup of more than 64 KiB with 413 and a JSON error', async () => {
  const response = await fetch(`${cluster.balancer.url}/api/postcode/lookup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({ postcode: 'x'.repeat(70_000) }),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});

test('the balancer passes an upload of more than 64 KiB on to the console, which asks the caller to sign in', async () => {
  const response = await fetch(`${cluster.balancer.url}/operator/directory/upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: `--x\r\n${'x'.repeat(70_000)}\r\n--x--\r\n`,
    redirect: 'manual',
  });
  const signIn = '/signin?next=%2Foperator%2Fdirectory%2Fupload';
  expect([response.status, response.headers.get('location')]).toEqual([303, signIn]);
});

test('no lookup fails while one server is stopped and started again', async () => {
  const failures: string[] = [];
  let lookups = 0;
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const response = await lookUp(cluster.balancer.url, key);
      const text = await response.text();
      lookups += 1;
      if (response.status !== 200) failures.push(`${response.status} ${text}`);
    }
  });
  const [, second] = cluster.members;
  if (second === undefined) throw new Error('There is no second server.');
  expect(await second.server.end('SIGTERM')).toBe(0);
  await cluster.restart(second);
  await waitUntil('the server is ready again', async () => (await fetch(`${second.url}/readyz`)).ok);
  isOver = true;
  await Promise.all(callers);
  expect(failures).toEqual([]);
  expect(lookups).toBeGreaterThan(0);
});
