import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { OPERATORS_PASSWORD, PASSWORD } from '../fixtures/console-steps.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';

let app: ConsoleApp;
let operator: ConsoleClient;

const textOf = async (answer: Promise<Response>) =>
  (await (await answer).text()).replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ');

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
});
afterAll(() => app.close());

async function signUp(email: string): Promise<{ client: ConsoleClient; path: string; id: string }> {
  const client = new ConsoleClient(app.url);
  await client.submit('/signup', { email, name: '', password: PASSWORD });
  const list = await (await operator.get(`/operator/accounts?search=${encodeURIComponent(email)}`)).text();
  const id = /\/operator\/accounts\/(acc_\w+)/u.exec(list)?.[1] ?? '';
  return { client, path: `/operator/accounts/${id}`, id };
}

const auditOf = (account: string, kind = '') =>
  textOf(operator.get(`/operator/audit?${new URLSearchParams({ account, kind })}`));

test('in the audit log, operators see who did what from where, filtered by account and kind', async () => {
  const { client, path, id } = await signUp('ada@example.org');
  await operator.submit(path, { state: 'on' }, `${path}/api-access`);
  await client.get('/apikeys');
  await client.submit('/overview', { name: 'Weather map' }, '/projects');
  const all = await auditOf('ada@example.org');
  expect(all).toContain('API access turned on operator@localhost 127.0.0.1 ada@example.org');
  expect(all).toContain('Tokens shown ada@example.org 127.0.0.1 ada@example.org');
  expect(all).toContain('Project made ada@example.org 127.0.0.1 ada@example.org');
  expect(await auditOf(id, 'token.shown')).toContain('1 to 1 of 1');
  expect(await auditOf('nobody@example.org')).toContain('No entries match.');
  expect(await auditOf('')).toContain('Account made the server');
  expect(app.log()).toContain('"kind":"token.shown"');
  expect(app.log()).not.toContain('ada@example.org');
});

test('a page past the end of the audit log redirects to the last page', async () => {
  const client = new ConsoleClient(app.url);
  const refuse = async (times: number) => {
    for (let time = 0; time < times; time += 1) await client.signIn(`nobody${time}@example.org`, 'wrong');
  };
  const path = '/operator/audit?kind=session.refused';
  const lastPage = async () => (await operator.get(`${path}&page=7`)).headers.get('location');
  await refuse(30);
  expect(await lastPage()).toBe(path);
  // An address has 50 failures in this time.
  app.pass(15 * 60_000);
  await refuse(30);
  expect(await lastPage()).toBe(`${path}&page=2`);
  expect(await auditOf('', 'session.refused')).toContain('1 to 50 of 60');
});

test('owners see what was done to their account, but not the e-mail of the operator who did it', async () => {
  const { client, path } = await signUp('bob@example.org');
  await operator.submit(path, { state: 'on' }, `${path}/api-access`);
  const shown = await textOf(client.get('/account/activity'));
  expect(shown).toMatch(/API access turned on an operator/u);
  expect(shown).toContain('Signed up you 127.0.0.1');
  await client.submit('/overview', { name: 'Weather map' }, '/projects');
  expect(await textOf(client.get('/account/activity'))).toMatch(/Project made you [\d.]+ Weather map/u);
  expect(shown).not.toContain('operator@localhost');
});

test('an account that sent 300 forms within ten minutes gets 429 for the next one, until ten minutes later', async () => {
  const { client } = await signUp('flood@example.org');
  const form = await (await client.get('/account')).text();
  const fields = { _csrf: /name="_csrf" value="([^"]+)"/u.exec(form)?.[1] ?? '', session: 'none' };
  const send = () => client.post('/account/sessions/end', fields);
  for (let sent = 0; sent < 300; sent += 1) await send();
  const refused = await send();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^\d+$/u),
  ]);
  expect(await refused.text()).toContain('sent 300 forms in ten minutes');
  app.pass(600_000);
  expect((await send()).status).toBe(303);
});

test('owners delete their account with its password and are signed out; the audit log keeps the account id', async () => {
  const { client, id } = await signUp('eve@example.org');
  const refused = await client.submit('/account/delete', { current: 'wrong' });
  expect([refused.status, await refused.text()]).toEqual([
    401,
    expect.stringContaining('The current password is wrong.'),
  ]);
  const answer = await client.submit('/account/delete', { current: PASSWORD });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  expect((await client.get('/overview')).headers.get('location')).toContain('/signin');
  expect((await client.signIn('eve@example.org', PASSWORD)).status).toBe(401);
  const kept = await auditOf(id);
  expect(kept).toContain(`Account deleted ${id} deleted`);
  expect(kept).not.toMatch(/eve@example\.org|127\.0\.0\.1/u);
});

test('operators delete an account after a confirmation, and its keys are rejected at once', async () => {
  const { client, path } = await signUp('key@example.org');
  await client.submit('/overview', { name: 'Map' }, '/projects');
  const projectId = /\/projects\/(prj_\w+)\/keys/u.exec(await (await client.get('/overview')).text())?.[1];
  const made = await client.submit('/overview', {}, `/projects/${projectId}/keys`);
  const key = /sp_live_\w{30,}/u.exec(await made.text())?.[0] ?? '';
  const lookUp = () => app.post('/api/postcode/validate', { postcode: 'SW1A 1AA' }, key);
  expect((await lookUp()).status).toBe(200);
  expect(await textOf(operator.get(`${path}/delete`))).toContain('Delete key@example.org?');
  const answer = await operator.submit(`${path}/delete`, {});
  expect(answer.headers.get('location')).toBe('/operator/accounts?done=deleted');
  expect((await lookUp()).status).toBe(401);
  expect((await operator.get(path)).status).toBe(404);
});

test('an operator can make another account an operator and undo it, but cannot undo it for their own', async () => {
  const { client, path } = await signUp('other@example.org');
  await operator.submit(path, { state: 'on' }, `${path}/operator`);
  expect((await client.get('/operator')).status).toBe(200);
  const accounts = await (await operator.get('/operator/accounts?search=operator%40localhost')).text();
  const own = /\/operator\/accounts\/acc_\w+/u.exec(accounts)?.[0] ?? '';
  expect((await operator.submit(own, { state: 'off' }, `${own}/operator`)).status).toBe(400);
  expect((await operator.get(`${own}/delete`)).headers.get('location')).toBe('/account/delete');
  await operator.submit(path, { state: 'off' }, `${path}/operator`);
  expect((await client.get('/operator')).status).toBe(404);
  const refused = await operator.submit('/account/delete', { current: OPERATORS_PASSWORD });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('last enabled operator'),
  ]);
});
