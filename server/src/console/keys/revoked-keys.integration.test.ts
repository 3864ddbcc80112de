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
  expect(html.match(/5 more ended earlier: only the latest 50 of the account/gu)).toHaveLength(2);
});

test("the operator's account page lists all keys of the account, fifty a page, and filters them", async () => {
  const first = await texts(operator, accountPath);
  const second = await texts(operator, `${accountPath}?page=2`);
  expect(prefixesIn(first)).toHaveLength(50);
  expect(new Set([...prefixesIn(first), ...prefixesIn(second)]).size).toBe(LIVE + REVOKED);
  expect(first).toContain('1 to 50 of 85');
  expect((await operator.get(`${accountPath}?page=9`)).headers.get('location')).toBe(`${accountPath}?page=2`);
  expect(await texts(operator, `${accountPath}?state=ended`)).toContain('1 to 50 of 60');
  expect(prefixesIn(await texts(operator, `${accountPath}?state=live`))).toHaveLength(LIVE);
});

test('on the page of a key the operator sets its limits, or sees which limit is wrong beside the entered texts', async () => {
  const html = await texts(operator, `${accountPath}?state=live`);
  const [, page = '', id = ''] = /href="([^"]+\/keys\/(\d+)\/requests)"/u.exec(html) ?? [];
  const action = page.replace('/requests', '/limits');
  const refused = await operator.submit(page, { perMinute: '5', perDay: 'many' }, action);
  expect(refused.status).toBe(400);
  const rejected = await refused.text();
  expect(rejected).toMatch(
    new RegExp(`id="perDay-${id}-problem">It must be a whole number from 0.*value="many"`, 'u'),
  );
  expect(rejected).toMatch(new RegExp(`id="perMinute-${id}"[^>]* value="5"`, 'u'));
  expect(rejected.match(/role="alert"/gu)).toHaveLength(1);
  const changed = await operator.submit(page, { perMinute: '5', perDay: '77' }, action);
  const after = await texts(operator, changed.headers.get('location') ?? '');
  expect(after).toContain('The limits of the key are changed, from its next request on.');
  expect(after).toMatch(new RegExp(`id="perDay-${id}"[^>]* value="77"`, 'u'));
  expect(after).toContain('Limits: 5 per minute, 77 per day');
});

test("the operator sets an account's limits, or sees what is wrong with each invalid limit", async () => {
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

test('the overview shows the limits of all keys of the account together if there are any', async () => {
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

test('an address with a key id that is not a whole number gets 404, and one with a NUL byte 400', async () => {
  expect((await operator.get(`${accountPath}/keys/1e0/revoke`)).status).toBe(404);
  for (const path of ['/operator/accounts/acc_%00', `${accountPath}/keys/1%00/revoke`])
    expect([path, (await operator.get(path)).status]).toEqual([path, 400]);
  expect((await ada.get('/keys/1%00')).status).toBe(400);
  expect((await ada.submit('/overview', {}, '/projects/prj_%00/keys')).status).toBe(400);
});
