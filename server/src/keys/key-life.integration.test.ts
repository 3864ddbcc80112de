import { z } from 'zod';
import { HOUR_MS } from '../platform/time-units.js';
import { startConsoleApp, type ConsoleApp } from '../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../test/fixtures/console-client.js';
import { PASSWORD } from '../../../test/fixtures/console-steps.js';

const rejection = z.object({ error: z.string() });

let app: ConsoleApp;
let ada: ConsoleClient;
let project: string;

beforeAll(async () => {
  app = await startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '100', SIGNPOST_RATE_PER_DAY: '1000' });
  ada = new ConsoleClient(app.url);
  await ada.submit('/signup', { email: 'ada@example.org', name: '', password: PASSWORD });
  await ada.submit('/overview', { name: 'Map' }, '/projects');
  [project = ''] = /\/projects\/prj_\w+/u.exec(await textOf('/overview')) ?? [];
});
afterAll(() => app.close());

const textOf = async (path: string) => (await ada.get(path)).text();

async function createKey(fields: Readonly<Record<string, string>> = {}) {
  const html = await (await ada.submit(`${project}/keys`, fields)).text();
  const key = /sp_live_\w{38}/u.exec(html)?.[0] ?? '';
  const page = new RegExp(`href="(/keys/\\d+)"[^>]*>(?:(?!</tr>).)*${key.slice(0, 16)}`, 'u');
  return { key, path: page.exec(await textOf(project))?.[1] ?? '' };
}

const lookUp = async (key: string) => {
  const answer = await app.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, key);
  const body: unknown = await answer.json();
  return answer.status === 200 ? 200 : { status: answer.status, error: rejection.parse(body).error };
};
const disabled = { status: 401, error: expect.stringContaining('The API key is disabled.') };
const ended = { status: 401, error: expect.stringContaining('The API key is not valid: it ended at 2') };

/** Lists the tools as an MCP client. Returns the status and the text of the response. */
const listTools = async (key: string) => {
  const answer = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Api-Key': key,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return { status: answer.status, text: await answer.text() };
};

test('rejects a key disabled on its page, over HTTP and MCP, until it is enabled, and says why', async () => {
  const { key, path } = await createKey();
  expect(await lookUp(key)).toBe(200);
  const answer = await ada.submit(path, {}, `${path}/disable`);
  expect(answer.headers.get('location')).toBe(`${path}?done=disabled`);
  expect(await lookUp(key)).toEqual(disabled);
  expect(await app.post('/api/pdf', { url: 'https://example.org' }, key)).toMatchObject({ status: 401 });
  expect(await listTools(key)).toEqual({ status: 401, text: expect.stringContaining('disabled') });
  await ada.submit(path, {}, `${path}/enable`);
  expect(await lookUp(key)).toBe(200);
});

test('the page of a disabled key says so, and the pages of operations do not offer the key until it is enabled', async () => {
  const { path } = await createKey({ name: 'Laptop' });
  await ada.submit(path, {}, `${path}/disable`);
  expect(await textOf(path)).toContain('refused until you enable it');
  expect(await textOf('/reference/lookupPostcode')).not.toContain('Laptop');
  await ada.submit(path, {}, `${path}/enable`);
  expect(await textOf('/reference/lookupPostcode')).toContain('Laptop');
});

test('rejects a key after its end date, and says when that was', async () => {
  const ends = new Date(app.now() + 2 * HOUR_MS).toISOString().slice(0, 16);
  const { key, path } = await createKey({ ends });
  expect(await lookUp(key)).toBe(200);
  app.pass(2 * HOUR_MS);
  expect(await lookUp(key)).toEqual(ended);
  expect(await listTools(key)).toEqual({ status: 401, text: expect.stringContaining('it ended at') });
  expect(await textOf(path)).toContain('This key has ended');
});

test('a replaced key works beside the new one during the overlap, and the page of each links to the other', async () => {
  const { key, path } = await createKey({ name: 'Desk' });
  const html = await (await ada.submit(`${path}/replace`, { overlap: String(24 * HOUR_MS) })).text();
  const next = /sp_live_\w{38}/u.exec(html)?.[0] ?? '';
  expect([await lookUp(key), await lookUp(next)]).toEqual([200, 200]);
  expect(html).toMatch(/It takes the place of Desk \(sp_live_\w{8}…\), which ends/u);
  const old = await textOf(path);
  expect(old).toMatch(/<a href="\/keys\/\d+">Desk \(sp_live_\w{8}…\)<\/a> takes its place\./u);
  const [, newPath = ''] = /<a href="(\/keys\/\d+)">Desk \(sp_live_\w{8}…\)<\/a> takes/u.exec(old) ?? [];
  expect(await textOf(newPath)).toContain(`It takes the place of <a href="${path}">`);
  expect((await ada.get(`${path}/replace`)).status).toBe(200);
  const again = await ada.submit(`${path}/replace`, { overlap: '0' });
  expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('is already replaced')]);
  app.pass(24 * HOUR_MS);
  expect([await lookUp(key), await lookUp(next)]).toEqual([ended, 200]);
});

test('shows errors beside the wrong fields of a key, and keeps the entered values', async () => {
  const { path } = await createKey();
  const typed = { name: 'x'.repeat(101), note: 'a\nnote', ends: '2001-01-01T00:00' };
  for (const [page, action, status] of [
    [path, `${path}/details`, 400],
    [`${project}/keys`, `${project}/keys`, 400],
  ] as const) {
    const answer = await ada.submit(page, typed, action);
    const html = await answer.text();
    expect([action, answer.status]).toEqual([action, status]);
    expect(html).toMatch(/id="name-problem">[^<]*1 to 100 characters/u);
    expect(html).toMatch(/id="ends-problem">[^<]*must be in the future/u);
    expect(html).toContain('a\nnote</textarea>');
    expect(html).toContain('value="2001-01-01T00:00"');
  }
  const saved = await ada.submit(path, { name: 'Näme', note: typed.note, ends: '' }, `${path}/details`);
  expect(saved.headers.get('location')).toBe(`${path}?done=changed`);
  expect(await textOf(path)).toContain('a\nnote</textarea>');
});

test("rejects visits and changes to another account's key or project with 404", async () => {
  const { path } = await createKey();
  const bob = new ConsoleClient(app.url);
  await bob.submit('/signup', { email: 'bob@example.org', name: '', password: PASSWORD });
  const acts = ['details', 'disable', 'enable', 'replace', 'revoke'].map((act) => `${path}/${act}`);
  for (const address of [...acts, `${project}/rename`, `${project}/delete`, `${project}/keys`])
    expect([address, (await bob.submit('/overview', {}, address)).status]).toEqual([address, 404]);
  for (const address of [path, `${path}/replace`, project, `${project}/delete`])
    expect([address, (await bob.get(address)).status]).toEqual([address, 404]);
});

describe('a project', () => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await createKey({ name: 'Last' }));
    await lookUp(key);
  });

  test('the page of a project shows its usage and its keys', async () => {
    const page = await textOf(project);
    expect(page).toContain('Usage of 30 days');
    expect(page).toContain('Last');
  });

  test('a project can be renamed, but not to a blank name', async () => {
    const refused = await ada.submit(project, { name: ' ' }, `${project}/rename`);
    const html = await refused.text();
    expect([refused.status, html]).toEqual([400, expect.stringContaining('id="name-problem"')]);
    await ada.submit(project, { name: 'Atlas' }, `${project}/rename`);
    expect(await textOf('/overview')).toContain('Atlas');
  });

  test('the page that confirms the deletion of a project names its keys; then they are rejected, and its usage stays', async () => {
    await ada.submit(project, { name: 'Globe' }, `${project}/rename`);
    const question = await textOf(`${project}/delete`);
    expect(question).toMatch(/The project <strong>Globe<\/strong> is deleted/u);
    expect(question).toMatch(/<li>Last \(sp_live_\w{8}…\)<\/li>/u);
    const answer = await ada.submit(`${project}/delete`, {});
    expect(answer.headers.get('location')).toBe('/overview?done=project-deleted');
    expect(await lookUp(key)).toMatchObject({ status: 401 });
    expect((await ada.get(project)).status).toBe(404);
    expect(await textOf('/overview')).not.toContain('Globe');
    expect(await textOf('/usage?period=month')).toContain('Globe (deleted 2');
  });
});
