import { Command } from 'commander';
import { MINUTE_MS } from '../../platform/time-units.js';
import { commandLine } from '../../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';
import { signInFirstOperator } from '../../../../test/fixtures/first-operator.js';

const EMAIL = "o'hara@example.org";

let app: ConsoleApp;
let visitor: ConsoleClient;
let cli: ReturnType<typeof commandLine>;

const setApiAccess = (state: 'on' | 'off') => cli.json('account', 'api-access', state, '--email', EMAIL);

beforeEach(async () => {
  app = await startConsoleApp();
  cli = commandLine(app.dataDir, () => new Command('signpost'));
  visitor = new ConsoleClient(app.url);
  await visitor.submit('/signup', { email: EMAIL, name: 'Somebody', password: 'a long enough password' });
});
afterEach(() => app.close());

/** The tokens that the page /apikeys shows now; an empty text for each that it does not show. */
async function shownTokens() {
  const page = await (await visitor.get('/apikeys')).text();
  const value = (id: string) => new RegExp(`id="${id}"[^>]*>([^<]+)<`, 'u').exec(page)?.[1] ?? '';
  return { access: value('access-token'), refresh: value('refresh-token') };
}

const statusWith = async (access: string) =>
  (await fetch(`${app.url}/api/token/status`, { headers: { Authorization: `Bearer ${access}` } })).status;

const refreshWith = async (refreshToken: string) =>
  (
    await fetch(`${app.url}/api/token/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    })
  ).status;

test('without API access, the token page shows no token, but a button that asks for access once', async () => {
  const answer = await visitor.get('/apikeys');
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(page).toContain('Ask for API access');
  const asked = await visitor.submit('/apikeys', {}, '/apikeys/ask');
  expect(asked.headers.get('Location')).toBe('/apikeys');
  const waiting = await (await visitor.get('/apikeys')).text();
  expect(waiting).toContain('The operator has your request');
  expect(waiting).not.toContain('Ask for API access');
  expect(page).not.toContain('access-token');
  for (const answered of [
    await visitor.get('/apikeys/regenerate'),
    await visitor.submit('/password', {}, '/apikeys/regenerate'),
  ])
    expect([answered.status, answered.headers.get('Location')]).toEqual([303, '/apikeys']);
});

test('an operator without API access gets a link to the page where operators turn it on', async () => {
  const operator = await signInFirstOperator(app);
  await cli.json('account', 'api-access', 'off', '--email', app.first.email);
  const page = await (await operator.get('/apikeys')).text();
  const address = /"(\/operator\/accounts\/acc_\w+)"/u.exec(page)?.[1] ?? '';
  expect(await (await operator.get(address)).text()).toContain('Turn API access on');
});

test('each visit to the token page shows a new access token and the same refresh token, and must not be cached', async () => {
  await setApiAccess('on');
  const answer = await visitor.get('/apikeys');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const page = await answer.text();
  expect(page).toContain('3 hours, until ');
  const command = (id: string) => new RegExp(`id="${id}-command"[^>]*>([^<]+)<`, 'u').exec(page)?.[1];
  expect(command('status')).toMatch(/^curl -H (?:"|&quot;)Authorization: Bearer ey[\w.-]+(?:"|&quot;) http/u);
  expect(command('refresh')).toMatch(/refreshToken(?:"|&quot;):(?:"|&quot;)rt_\w+/u);

  const first = await shownTokens();
  const second = await shownTokens();
  expect(second.refresh).toBe(first.refresh);
  expect(second.access).not.toBe(first.access);
  expect(await Promise.all([statusWith(first.access), statusWith(second.access)])).toEqual([200, 200]);
  expect(await refreshWith(first.refresh)).toBe(200);
});

test('regenerating ends the old refresh token at once; older access tokens stay valid until API access is turned off', async () => {
  await setApiAccess('on');
  const old = await shownTokens();
  expect(await (await visitor.get('/apikeys/regenerate')).text()).toContain('Regenerate the refresh token?');
  expect(await refreshWith(old.refresh)).toBe(200);

  const answer = await visitor.submit('/apikeys/regenerate', {});
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/apikeys?done=regenerated']);
  const now = await shownTokens();
  expect(await Promise.all([refreshWith(old.refresh), refreshWith(now.refresh)])).toEqual([401, 200]);
  expect(await statusWith(old.access)).toBe(200);

  await setApiAccess('off');
  expect(await statusWith(old.access)).toBe(401);
  app.pass(180 * MINUTE_MS);
  await setApiAccess('on');
  expect(await statusWith(old.access)).toBe(401);
  expect(await refreshWith(now.refresh)).toBe(200);
});

test('right after signing up, the token page shows both tokens; ten minutes later it asks for the password first', async () => {
  await setApiAccess('on');
  await visitor.get('/overview');
  expect(await shownTokens()).toEqual({
    access: expect.stringMatching(/^ey/u),
    refresh: expect.stringMatching(/^rt_/u),
  });
  app.pass(10 * MINUTE_MS);
  const late = await visitor.get('/apikeys?done=regenerated');
  const asked = late.headers.get('location') ?? '';
  expect([late.status, asked]).toEqual([303, '/confirm-password?next=%2Fapikeys%3Fdone%3Dregenerated']);
  expect(await late.text()).not.toContain('rt_');

  const form = await (await visitor.get(asked)).text();
  const next = /name="next" value="([^"]+)"/u.exec(form)?.[1] ?? '';
  const wrong = await visitor.submit('/confirm-password', { password: 'not the right one', next });
  expect([wrong.status, await wrong.text()]).toEqual([
    401,
    expect.stringContaining('The current password is wrong.'),
  ]);
  expect((await visitor.get('/apikeys')).status).toBe(303);
  const right = await visitor.submit('/confirm-password', { password: 'a long enough password', next });
  expect(right.headers.get('location')).toBe('/apikeys?done=regenerated');
  expect((await shownTokens()).refresh).toMatch(/^rt_/u);
});

test('after ten wrong passwords, /confirm-password rejects the right one for 15 minutes; it leads to no other host', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1)
    await visitor.submit('/confirm-password', { password: `wrong password ${attempt}` });
  const refused = await visitor.submit('/confirm-password', { password: 'a long enough password' });
  expect(refused.status).toBe(429);
  app.pass(15 * MINUTE_MS);
  const fields = { password: 'a long enough password', next: 'https://evil.example/' };
  const taken = await visitor.submit('/confirm-password', fields);
  expect(taken.headers.get('location')).toBe('/account');
});
