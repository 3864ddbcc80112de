import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

test('a new account makes a key, which is shown only once, also inside example code, and then sees that the first request has arrived', async () => {
  const { visitor } = await signUpNewcomer(app);
  const first = await (await visitor.get('/welcome')).text();
  expect(first).toContain('value="My first project"');
  const made = await (await visitor.submit('/welcome', { act: 'make', name: 'Weather map' })).text();
  const [, key = ''] = /id="new-key"[^>]*>(sp_live_\w+)</u.exec(made) ?? [];
  expect(made).toContain(`KEY='${key}'`);
  expect(made).toContain('Waiting for your first request…');
  const again = await (await visitor.get('/welcome')).text();
  expect(again).not.toContain(key);
  expect(again).toContain('Waiting for your first request…');

  expect((await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, key)).status).toBe(200);
  const seen = await (await visitor.get('/welcome')).text();
  expect(seen).toContain('Your first answer is here.');
  expect(seen).toMatch(/role="img"[^>]*1 request/u);
});

test.each([
  [400, { postcode: 'nothing' }],
  [404, { postcode: 'ZZ99 9ZZ' }],
])('a first request that fails with %i is shown as failed, with this status', async (status, body) => {
  const { visitor } = await signUpNewcomer(app);
  const made = await (await visitor.submit('/welcome', { act: 'make', name: 'Weather map' })).text();
  const [, key = ''] = /id="new-key"[^>]*>(sp_live_\w+)</u.exec(made) ?? [];
  expect((await app.post('/api/postcode/lookup', body, key)).status).toBe(status);
  const seen = await (await visitor.get('/welcome')).text();
  expect(seen).toMatch(
    new RegExp(
      `<p class="notice" role="status">Your last request arrived, but it failed.[^<]*${status}`,
      'u',
    ),
  );
  expect(seen).not.toContain('Your first answer is here.');
});

test('the first request can be sent from the welcome page, but only with one’s own key', async () => {
  const { visitor } = await signUpNewcomer(app);
  const made = await (await visitor.submit('/welcome', { act: 'make', name: 'Weather map' })).text();
  const [, key = ''] = /name="key" value="(\d+)"/u.exec(made) ?? [];
  const foreign = await visitor.submit('/welcome', { act: 'ask', key: '1' });
  expect([foreign.status, foreign.headers.get('location')]).toEqual([303, '/welcome']);
  const answered = await (await visitor.submit('/welcome', { act: 'ask', key })).text();
  expect(answered).toContain('Your first answer is here.');
  expect(answered).toContain('SW1A 1AA marked: Westminster');
  expect(answered).toContain('The answer as JSON');
});

test('if a request with a wrong key has arrived, the waiting welcome page says that its key is missing or mistyped', async () => {
  const { visitor } = await signUpNewcomer(app);
  await visitor.submit('/welcome', { act: 'make', name: 'Weather map' });
  app.pass(60_000);
  expect((await app.post('/api/token/refresh', { wrong: true })).status).toBe(400);
  expect(await (await visitor.get('/welcome')).text()).not.toContain('mistyped');
  expect((await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, 'sp_live_wrong')).status).toBe(
    401,
  );
  expect(await (await visitor.get('/welcome')).text()).toContain('its key is missing or mistyped');
});

test('the welcome page rejects a blank project name at its field', async () => {
  const { visitor } = await signUpNewcomer(app);
  const answer = await visitor.submit('/welcome', { act: 'make', name: ' ' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toMatch(/id="name-problem"/u);
});
