import { Command } from 'commander';
import { commandLine, createdKey } from '../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../test/fixtures/console-app.js';
import { usageStatistics } from '@signpost/contract';
import { systemRandomBytes } from '../platform/random.js';
import { generateApiKey } from './api-key.js';

const usageOf = async (server: ConsoleApp, apiKey?: string) =>
  usageStatistics.parse(await (await server.get('/api/usage', apiKey)).json());

const statuses = (answers: readonly Response[]) => {
  const count = new Map<number, number>();
  for (const { status } of answers) count.set(status, (count.get(status) ?? 0) + 1);
  return Object.fromEntries(count);
};

const lookUp = (server: ConsoleApp, apiKey?: string) =>
  server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, apiKey);

/**
 * If a calendar minute is about to end, waits for the next, so that a test of a limit per minute runs within one
 * minute.
 */
async function withinOneMinute(): Promise<void> {
  while (Date.now() % 60_000 > 50_000) await new Promise((resolve) => setTimeout(resolve, 500));
}

describe('one server', () => {
  let server: ConsoleApp;
  let commands: ReturnType<typeof commandLine>;
  beforeAll(async () => {
    server = await startConsoleApp();
    commands = commandLine(server.dataDir, () => new Command());
  });
  afterAll(() => server.close());

  const FIRST = ['--account', 'operator@localhost', '--project', 'First project'];
  const createKey = async (...words: string[]) =>
    createdKey.parse(
      await commands.json('key', 'create', ...(words.includes('--account') ? [] : FIRST), ...words),
    ).key;

  test('of fifty requests at once with a key for five a minute, exactly five succeed; the others get 429 with the right Retry-After', async () => {
    const apiKey = await createKey();
    await withinOneMinute();
    const answers = await Promise.all(Array.from({ length: 50 }, () => lookUp(server, apiKey)));
    expect(statuses(answers)).toEqual({ 200: 5, 429: 45 });
    for (const answer of answers.filter(({ status }) => status === 429)) {
      const leftInMinute = 60 - ((Date.parse(answer.headers.get('Date') ?? '') / 1000) % 60);
      expect(Math.abs(Number(answer.headers.get('Retry-After')) - leftInMinute)).toBeLessThanOrEqual(1);
    }
  });

  test('limits that the operator sets apply from the next request on, without a restart', async () => {
    const apiKey = await createKey('--per-minute', 'unlimited', '--per-day', '30');
    const prefix = apiKey.slice(0, 16);
    const thirty = await Promise.all(Array.from({ length: 31 }, () => lookUp(server, apiKey)));
    expect(statuses(thirty)).toEqual({ 200: 30, 429: 1 });
    const refused = thirty.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused?.json()).toEqual({ error: expect.stringContaining('30 requests per day') });

    await commands.json('key', 'limit', prefix, '--per-day', 'unlimited');
    const lifted = await lookUp(server, apiKey);
    expect(lifted.status).toBe(200);
    expect(lifted.headers.get('RateLimit')).toBeNull();
    expect((await usageOf(server, apiKey)).requestsToday).toBe(32);
  });

  test('rejects a revoked key on its next request', async () => {
    const apiKey = await createKey();
    expect((await lookUp(server, apiKey)).status).toBe(200);
    await commands.json('key', 'revoke', apiKey.slice(0, 16));
    const refused = await lookUp(server, apiKey);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({ error: expect.stringContaining('revoked') });
  });

  test("rejects a disabled account's keys on the next request, and accepts them again once it is enabled", async () => {
    await commands.json('account', 'create', '--email', 'ann@example.com');
    await commands.json('project', 'create', '--account', 'ann@example.com', '--name', 'Hers');
    const apiKey = await createKey('--account', 'ann@example.com', '--project', 'Hers');
    expect((await lookUp(server, apiKey)).status).toBe(200);
    await commands.json('account', 'disable', '--email', 'ann@example.com');
    expect((await lookUp(server, apiKey)).status).toBe(401);
    await commands.json('account', 'enable', '--email', 'ann@example.com');
    expect((await lookUp(server, apiKey)).status).toBe(200);
  });

  test('rejects a missing key with 401 and says what to send, and rejects an unknown key, a mistyped key and other texts with 401', async () => {
    const bare = await fetch(`${server.url}/api/usage`);
    expect([bare.status, await bare.json()]).toEqual([401, { error: expect.stringContaining('X-Api-Key') }]);
    const apiKey = await createKey();
    const mistyped = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a');
    for (const wrong of [generateApiKey(systemRandomBytes), mistyped, 'nonsense', `${apiKey} ${apiKey}`]) {
      expect((await server.get('/api/usage', wrong)).status).toBe(401);
    }
  });
});
