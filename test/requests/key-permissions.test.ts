import { ConsoleClient } from '../fixtures/console-client.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';

let app: ConsoleApp;
let owner: ConsoleClient;
let project: string;

beforeAll(async () => {
  app = await startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '60', SIGNPOST_RATE_PER_DAY: '5000' });
  owner = new ConsoleClient(app.url);
  const made = await owner.submit('/signup', {
    email: 'ada@example.org',
    name: 'Ada',
    password: 'a long enough password',
  });
  expect(made.status).toBe(303);
  await owner.submit('/projects', { name: 'Maps' }, '/projects');
  [, project = ''] = /href="(\/projects\/prj_\w+)"/u.exec(await (await owner.get('/overview')).text()) ?? [];
});
afterAll(() => app.close());

const create = async (fields: Readonly<Record<string, string>>) => {
  const answer = await owner.submit(`${project}/keys`, { isChosen: 'yes', ...fields });
  const html = await answer.text();
  return { status: answer.status, html, key: /id="new-key"[^>]*>(sp_live_\w+)</u.exec(html)?.[1] ?? '' };
};

test('a key does only what its owner allowed; the rest is refused with 403 and counts', async () => {
  const { key } = await create({ postcodes: 'yes', usage: 'yes', name: 'Shop' });
  expect((await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, key)).status).toBe(200);
  const refused = await app.post('/api/screenshot', { url: 'https://example.com' }, key);
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { error: expect.stringMatching(/^This key is for postcodes and usage only\. .*captures\.$/u) },
  ]);
  expect((await app.post('/api/content', { nonsense: true }, key)).status).toBe(403);
  const usage: unknown = await (await app.get('/api/usage', key)).json();
  expect(usage).toMatchObject({ requestsToday: 4 });
  const log = await (await owner.get('/requests?outcome=4xx')).text();
  expect(log).toContain('>403<');
});

test('the key that replaces another has the same permissions', async () => {
  const { html } = await create({ usage: 'yes' });
  const [, id = ''] = /href="\/higher-limits\?key=(\d+)"/u.exec(html) ?? [];
  const replaced = await (await owner.submit(`/keys/${id}/replace`, { overlap: '86400000' })).text();
  const [, key = ''] = /id="new-key"[^>]*>(sp_live_\w+)</u.exec(replaced) ?? [];
  expect((await app.get('/api/usage', key)).status).toBe(200);
  expect((await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, key)).status).toBe(403);
});

test('an owner can create a key with a lower limit than the default, but not with a higher one, with 0, or without permissions', async () => {
  const { key } = await create({ postcodes: 'yes', perMinute: '1' });
  expect((await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, key)).status).toBe(200);
  expect((await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, key)).status).toBe(429);
  for (const perMinute of ['61', 'unlimited', '0']) {
    const { status, html } = await create({ postcodes: 'yes', perMinute });
    expect([perMinute, status, html]).toEqual([
      perMinute,
      400,
      expect.stringContaining('id="perMinute-problem"'),
    ]);
  }
  expect((await create({})).status).toBe(400);
});

test('a request for higher limits is rejected if a number is lower than now, if one is "default", or if none is higher', async () => {
  const ask = (perMinute: string, perDay: string) =>
    owner.submit('/higher-limits', { key: '', perMinute, perDay, reason: '' });
  const { html } = await create({ postcodes: 'yes' });
  const [, key = ''] = /href="\/higher-limits\?key=(\d+)"/u.exec(html) ?? [];
  const askFor = (perMinute: string, perDay: string) =>
    owner.submit('/higher-limits', { key, perMinute, perDay, reason: '' });
  for (const [perMinute, perDay] of [
    ['59', '9000'],
    ['60', '5000'],
    ['default', '9000'],
  ] as const)
    expect((await askFor(perMinute, perDay)).status).toBe(400);
  expect((await askFor('60', '9000')).status).toBe(303);
  expect((await ask('1', '1')).status).toBe(400);
});
