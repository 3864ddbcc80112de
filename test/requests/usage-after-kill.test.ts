import { usageStatistics } from '@signpost/contract';
import { rounds } from '../fixtures/length.js';
import { NO_BROWSER, startSignpost } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const KILLS = rounds(1, 5);

test('after kill -9 under load no acknowledged request is missing from the usage', async () => {
  const settings = {
    ...NO_BROWSER,
    ...UNLIMITED,
  };
  let server = await startSignpost(settings);
  const { apiKey, dataDir } = server;
  let acknowledged = 0;
  let sent = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = server;
    const before = acknowledged;
    const client = async () => {
      for (;;) {
        sent += 1;
        const answer = await running
          .post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, apiKey)
          .catch(() => undefined);
        if (answer === undefined) return;
        if (answer.status === 200) acknowledged += 1;
        await answer.arrayBuffer().catch(() => undefined);
        if (acknowledged === before + 400) running.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 20 }, client));
    server = await startSignpost(settings, dataDir);
  }
  const { totalRequests } = usageStatistics.parse(await (await server.get('/api/usage', apiKey)).json());
  expect(acknowledged).toBeGreaterThanOrEqual(KILLS * 400);
  expect(totalRequests).toBeGreaterThan(acknowledged);
  expect(totalRequests).toBeLessThanOrEqual(sent + 1);
  await server.remove();
});
