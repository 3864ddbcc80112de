import { Command } from 'commander';
import { commandLine } from '../../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';
import { signInFirstOperator } from '../../../../test/fixtures/first-operator.js';
import { findAccount } from '../../accounts/account.js';

const PASSWORD = 'a long enough password';
const EMAIL = 'ada@example.org';
const LIVE = 25;
const REVOKED = 60;

let app: ConsoleApp;
let ada: ConsoleClient;
let operator: ConsoleClient;
let accountPath: string;

const texts = async (client: ConsoleClient, path: string) => {
  const answer = await client.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};

beforeAll(async () => {
  app = await startConsoleApp();
  ada = new ConsoleClient(app.url);
  await ada.submit('/signup', { email: EMAIL, name: '', password: PASSWORD });
  for (const name of ['Atlas', 'Map']) await ada.submit('/overview', { name }, '/projects');
  operator = await signInFirstOperator(app);

  const cli = commandLine(app.dataDir, () => new Command('signpost'));
  const { storage } = await cli.openStorage();
  const account = await findAccount(storage, EMAIL);
  accountPath = `/operator/accounts/${account?.id}`;
  const ids: string[] = await storage
    .db('projects')
    .where({ account_id: account?.id })
    .orderBy('name')
    .pluck('id');
  const rows = Array.from({ length: REVOKED + LIVE }, (_, index) => ({
    project_id: ids[index % 2] ?? '',
    hash: `hash ${index}`,
    prefix: `sp_live_${String(index).padStart(8, '0')}`,
    created_at: index,
    revoked_at: index < REVOKED ? 1_000 + index : null,
  }));
  await storage.db.batchInsert('api_keys', rows);
  await storage.close();
});
afterAll(() => app.close());

const prefixesIn = (html: string) => [...new Set(html.match(/sp_live_\d{8}/gu))];

test('the overview shows every live key, the latest fifty revoked ones, and the number of older ones', async () => {
  const html = await texts(ada, '/overview');
  const prefixes = prefixesIn(html);
  expect(prefixes).toHaveLength(LIVE + 50);
  expect(prefixes).toContain('sp_live_00000010');
  expect(prefixes).not.toContain('sp_live_00000009');
  expect(html.match(/30 revoked or ended keys/gu)).toHaveLength(2);
  expect(html.match(/5 more, revoked earlier: only the latest 50 of the account/gu)).toHaveLength(2);
});

test("the operator's account page shows twenty live keys per page, and folds away revoked ones", async () => {
  const [first, second, beyond] = await Promise.all(
    ['', '?page=2', '?page=9'].map((query) => texts(operator, accountPath + query)),
  );
  const forms = (html = '') =>
    [...html.matchAll(/the limits of (sp_live_\d{8})/gu)].map(([, prefix]) => prefix);
  expect(forms(first)).toHaveLength(20);
  expect(forms(second)).toHaveLength(5);
  expect(new Set([...forms(first), ...forms(second)]).size).toBe(LIVE);
  expect(forms(beyond)).toEqual(forms(second));
  expect(first).toContain(`href="${accountPath}?page=2"`);
  expect(first).toContain('1 to 20 of 25');
  expect(first?.match(/5 more, revoked earlier/gu)).toHaveLength(2);
});

const keyOnSecondPage = async () => {
  const html = await texts(operator, `${accountPath}?page=2`);
  const [, action = ''] = /action="([^"]+\/keys\/\d+\/limits)"/u.exec(html) ?? [];
  return { action, field: `perDay-${/keys\/(\d+)\//u.exec(action)?.[1]}` };
};

test('after limits of a key are changed or rejected, the browser returns to that key on the page', async () => {
  const { action, field } = await keyOnSecondPage();
  const page = `${accountPath}?page=2`;
  const refused = await operator.submit(page, { perMinute: '5', perDay: 'many' }, action);
  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(html).toContain(`id="${field}"`);
  expect(html).toContain('were not changed');
  const changed = await operator.submit(page, { perMinute: '5', perDay: '77' }, action);
  const location = changed.headers.get('location') ?? '';
  const anchor = location.split('#')[1] ?? '';
  const after = await texts(operator, location);
  // The notice is beside the key, and the browser scrolls to the key.
  expect(after).toMatch(
    new RegExp(`id="${anchor}"[^>]*><p class="notice good"[^>]*><code>sp_live_\\S+</code>: Its limits`, 'u'),
  );
  expect(after).toContain(`id="${field}"`);
  expect(after).toContain('value="77"');
});

test("the operator sets an account's limits, or sees what is wrong with each", async () => {
  const action = `${accountPath}/limits`;
  const limits = { perMinute: '50', perDay: '1200', captures: '3' };
  const refused = await operator.submit(accountPath, { perMinute: '-1', perDay: '9', captures: '0' }, action);
  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(html).toMatch(/id="perMinute-problem">It must be a whole number from 0.*value="-1"/u);
  expect(html).toMatch(/id="captures-problem">It must be a whole number from 1.*value="0"/u);
  const before = await texts(operator, accountPath);
  for (const field of Object.keys(limits))
    expect(before).toMatch(new RegExp(`id="${field}"[^>]* value="default"`, 'u'));
  const changed = await operator.submit(accountPath, limits, action);
  const after = await texts(operator, changed.headers.get('location') ?? '');
  expect(after).toContain('The limits of the account are changed');
  for (const [field, value] of Object.entries(limits))
    expect(after).toMatch(new RegExp(`id="${field}"[^>]* value="${value}"`, 'u'));
  expect((await new ConsoleClient(app.url).post(action, limits)).status).toBe(403);
});

test('the overview shows the limits of all keys together if there are any', async () => {
  const action = `${accountPath}/limits`;
  await operator.submit(accountPath, { perMinute: '50', perDay: '1200', captures: 'default' }, action);
  expect(await texts(ada, '/overview')).toContain(
    'Limit of all your keys together: 50 per minute, 1,200 per day, of which 1,200 left today',
  );
  await operator.submit(accountPath, { perMinute: '50', perDay: 'default', captures: 'default' }, action);
  expect(await texts(ada, '/overview')).toContain(
    'together: 50 per minute, unlimited per day. <a href="/higher-limits">',
  );
  await operator.submit(
    accountPath,
    { perMinute: 'default', perDay: 'default', captures: 'default' },
    action,
  );
  expect(await texts(ada, '/overview')).not.toContain('Limit of all your keys together');
});

test('an address that names no existing account or key gets a page that says so, and one with a NUL byte is rejected', async () => {
  expect((await operator.get(`${accountPath}/keys/1e0/revoke`)).status).toBe(404);
  for (const path of ['/operator/accounts/acc_%00', `${accountPath}/keys/1%00/revoke`])
    expect([path, (await operator.get(path)).status]).toEqual([path, 400]);
  expect((await ada.get('/keys/1%00')).status).toBe(400);
  expect((await ada.submit('/overview', {}, '/projects/prj_%00/keys')).status).toBe(400);
});
