import { usageStatistics } from '@signpost/contract';
import { answerOf, refusalOf } from '../fixtures/answers.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';

let server: ConsoleApp;

beforeAll(async () => {
  server = await startConsoleApp();
});
afterAll(() => server.close());

const usage = () => answerOf(server.get('/api/usage'), usageStatistics);

test('what counts: every authenticated request, usage and refused bodies too; not a 401', async () => {
  expect((await refusalOf(server.get('/api/usage', 'sp_live_wrong'))).status).toBe(401);
  expect((await refusalOf(server.post('/api/postcode/lookup', {}))).status).toBe(400);
  expect((await refusalOf(server.post('/api/postcode/lookup', { postcode: 'ZZ99 9ZZ' }))).status).toBe(404);
  const { body } = await usage();
  expect(body).toMatchObject({ totalRequests: 3, requestsToday: 3 });
  expect(body.dailyUsage.at(-1)?.requestCount).toBe(3);
});

test('dailyUsage: the last 30 days, oldest first, days without requests as 0', async () => {
  const { body, headers } = await usage();
  const dates = body.dailyUsage.map(({ date }) => date);
  expect(dates).toHaveLength(30);
  expect(dates).toEqual(dates.toSorted());
  expect(dates.at(-1)).toBe(new Date(headers.get('Date') ?? '').toISOString().slice(0, 10));
  expect(body.dailyUsage[0]?.requestCount).toBe(0);
});

test('429: Retry-After; RateLimit and RateLimit-Policy on every answer', async () => {
  let refused: Response | undefined;
  for (let i = 0; i < 20 && refused === undefined; i += 1) {
    const answer = await server.get('/api/usage');
    expect(answer.headers.get('RateLimit-Policy')).toBe('"minute";q=5;w=60, "day";q=20;w=86400');
    expect(answer.headers.get('RateLimit')).toMatch(/^"minute";r=\d;t=\d+, "day";r=\d+;t=\d+$/u);
    if (answer.status === 429) refused = answer;
  }
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(await refused?.json()).toEqual({ error: expect.stringMatching(/limit of this API key/u) });
});

test('what counts: not a 429', async () => {
  const answer = await server.get('/api/usage');
  const used = /"day";r=(\d+)/u.exec(answer.headers.get('RateLimit') ?? '')?.[1];
  const again = await server.get('/api/usage');
  const left = /"day";r=(\d+)/u.exec(again.headers.get('RateLimit') ?? '')?.[1];
  expect(again.status === 429 ? left : String(Number(left) + 1)).toBe(used);
});
