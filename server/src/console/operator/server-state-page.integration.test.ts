import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import type { ConsoleClient } from '../../../../test/fixtures/console-client.js';
import { signInFirstOperator } from '../../../../test/fixtures/first-operator.js';

const WORDS = 'limits per address';
let app: ConsoleApp;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
});
afterAll(() => app.close());

const stateOfServer = async () => (await operator.get('/operator')).text();

test('requests through an untrusted proxy cause one warning in the log, and a warning on the page about the server', async () => {
  expect(await stateOfServer()).not.toContain(WORDS);
  for (let time = 0; time < 3; time += 1) await operator.get('/healthz', { 'X-Forwarded-For': '192.0.2.1' });
  expect(app.log().split('SIGNPOST_TRUST_PROXY')).toHaveLength(2);
  const html = await stateOfServer();
  expect(html).toContain('SIGNPOST_TRUST_PROXY');
  expect(html).toContain(WORDS);
});
