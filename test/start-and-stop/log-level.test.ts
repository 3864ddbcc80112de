import { NO_BROWSER, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';

let server: SignpostServer;
beforeAll(async () => {
  server = await startSignpost({ ...NO_BROWSER, SIGNPOST_LOG_LEVEL: 'error' });
});
afterAll(() => server.remove());

const CHANGED = 'The log level was changed by SIGUSR2.';
const changes = () => server.output().split(CHANGED).length - 1;
const lines = () => server.output().split('"A request was answered."').length - 1;

async function changeLevel() {
  const before = changes();
  server.process.kill('SIGUSR2');
  await waitUntil('the change is logged', () => changes() > before);
}

test('SIGUSR2 makes a running server log every request, and a second SIGUSR2 stops that', async () => {
  expect((await server.get('/api/usage')).status).toBe(200);
  expect(lines()).toBe(0);

  await changeLevel();
  expect(server.output()).toContain('"logLevel":"debug"');
  expect((await server.get('/api/usage')).status).toBe(200);
  await waitUntil('the request is logged', () => lines() === 1);

  await changeLevel();
  expect(server.output()).toContain('"logLevel":"error"');
  expect((await server.get('/api/usage')).status).toBe(200);
  await changeLevel();
  expect((await server.get('/api/usage')).status).toBe(200);
  await waitUntil('the next request is logged', () => lines() > 1);
  expect(lines()).toBe(2);
});
