import { usageStatistics } from '@signpost/contract';
import { answerOf, rejectionOf } from '../fixtures/answers.js';
import { addKey } from '../fixtures/captures-of-accounts.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';

let server: ConsoleApp;

beforeAll(async () => {
  server = await startConsoleApp();
});
afterAll(() => server.close());

const usage = () => answerOf(server.get('/api/usage'), usageStatistics);

test('every authenticated request counts, including usage and rejected bodies, but not a 401', async () => {
  expect((await rejectionOf(server.get('/api/usage', 'sp_live_wrong'))).status).toBe(401);
  expect((await rejectionOf(server.post('/api/postcode/lookup', {}))).status).toBe(400);
  expect((await rejectionOf(server.post('/api/postcode/lookup', { postcode: 'ZZ99 9ZZ' }))).status).toBe(404);
  const { body } = await usage();
  expect(body).toMatchObject({ totalRequests: 3, requestsToday: 3 });
  expect(body.dailyUsage.at(-1)?.requestCount).toBe(3);
});

test('dailyUsage has the last 30 days, oldest first, and 0 for days without requests', async () => {
  const { body, headers } = await usage();
  const dates = body.dailyUsage.map(({ date }) => date);
  expect(dates).toHaveLength(30);
  expect(dates).toEqual(dates.toSorted());
  expect(dates.at(-1)).toBe(new Date(headers.get('Date') ?? '').toISOString().slice(0, 10));
  expect(body.dailyUsage[0]?.requestCount).toBe(0);
});

test('responses with 200 and 429 have RateLimit and RateLimit-Policy, and a 429 has Retry-After', async () => {
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

test('a request that gets a 429 does not count', async () => {
  const answer = await server.get('/api/usage');
  const used = /"day";r=(\d+)/u.exec(answer.headers.get('RateLimit') ?? '')?.[1];
  const again = await server.get('/api/usage');
  const left = /"day";r=(\d+)/u.exec(again.headers.get('RateLimit') ?? '')?.[1];
  expect(again.status === 429 ? left : String(Number(left) + 1)).toBe(used);
});

const ACCOUNT_MINUTE = 12;

/** Sends fifty requests at once, spread over the keys. Returns how many got 200, and the rejections. */
async function askFiftyTimes(app: ConsoleApp, keys: readonly string[]) {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => app.get('/api/usage', keys[index % keys.length])),
  );
  const passed = answers.filter(({ status }) => status === 200).length;
  return { passed, refused: answers.filter(({ status }) => status === 429) };
}

/**
 * Moves the clock to one second into the next minute, because the database's time is only accurate to some
 * milliseconds.
 */
const nextMinute = (app: ConsoleApp) => app.pass(61_000 - (app.now() % 60_000));

test('the limit of an account is shared by all its keys, and the error names it', async () => {
  const app = await startConsoleApp({ SIGNPOST_ACCOUNT_RATE_PER_MINUTE: String(ACCOUNT_MINUTE) });
  try {
    const keys = [app.apiKey];
    for (let made = 0; made < 3; made += 1) keys.push(await addKey(app, app.first.email));
    nextMinute(app);
    const { passed, refused } = await askFiftyTimes(app, keys);
    expect(passed).toBe(ACCOUNT_MINUTE);
    const said = await Promise.all(refused.map(async (answer) => JSON.stringify(await answer.json())));
    expect(said).toContainEqual(
      expect.stringMatching(
        /The limit of this account, 12 requests per minute of all its keys together, is used up\. Try again in \d+ s/u,
      ),
    );
    const { headers } = await app.get('/api/usage', keys[3]);
    expect(headers.get('RateLimit-Policy')).toBe(
      '"minute";q=5;w=60, "day";q=20;w=86400, "account-minute";q=12;w=60',
    );
    expect(headers.get('RateLimit')).toMatch(/, "account-minute";r=0;t=\d+$/u);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    nextMinute(app);
    expect((await app.get('/api/usage', keys[3])).status).toBe(200);
  } finally {
    await app.close();
  }
});

test('if the limit of an account per day is used up, a 429 names it, and Retry-After is the time until the day ends', async () => {
  const app = await startConsoleApp({ SIGNPOST_ACCOUNT_RATE_PER_DAY: '3' });
  try {
    nextMinute(app);
    expect((await askFiftyTimes(app, [app.apiKey])).passed).toBe(3);
    nextMinute(app);
    const answer = await rejectionOf(app.get('/api/usage'));
    expect(answer.body.error).toContain('The limit of this account, 3 requests per day of all its keys');
    const secondsLeft = Math.ceil((86_400_000 - (app.now() % 86_400_000)) / 1_000);
    expect(Math.abs(Number(answer.headers.get('Retry-After')) - secondsLeft)).toBeLessThanOrEqual(1);
  } finally {
    await app.close();
  }
});
