import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

test('the menu leads to a page with the MCP address, a button to copy it, and the assistants that can use it', async () => {
  const { visitor } = await signUpNewcomer(app);
  const html = await (await visitor.get('/overview')).text();
  expect(html).toMatch(/<nav aria-label="Main">.*href="\/assistants"/su);
  const page = await (await visitor.get('/assistants')).text();
  expect(page).toMatch(new RegExp(`id="mcp-address"[^>]*>${app.url}/mcp<`, 'u'));
  expect(page).toContain('data-copy="mcp-address"');
  for (const client of ['claude.ai', 'ChatGPT', 'Claude Code', 'VS Code', 'Cursor', 'Codex', 'Gemini', 'n8n'])
    expect(page).toContain(client);
  expect(page).toContain(`claude mcp add --transport http signpost ${app.url}/mcp`);
  expect(page).toContain('No assistant is connected.');
});

test('the page of capture links lists only the links of the signed-in account, and only their owner can end them', async () => {
  const { visitor: owner } = await signUpNewcomer(app);
  const { visitor: other } = await signUpNewcomer(app);
  const listOf = async (visitor: typeof owner) => (await visitor.get('/links')).text();
  expect(await listOf(owner)).toContain('You have no links.');
  await owner.submit('/welcome', { act: 'make', name: 'Maps' });
  const form = await (await owner.get('/reference/createCaptureLink')).text();
  const [, key = ''] = /<select id="request-key"[^>]*><option value="(\d+)"/u.exec(form) ?? [];
  const wanted = { key, operation: 'captureScreenshot', request: 'url: https://example.com/prices' };
  const made = await owner.submit('/reference/createCaptureLink', wanted);
  const [, path = ''] = /(\/c\/[\w-]+)/u.exec(await made.text()) ?? [];
  const list = await listOf(owner);
  expect(list).toContain('End<span class="visually-hidden"> the link to https://example.com/prices</span>');
  const [, link = ''] = /name="link" value="([^"]+)"/u.exec(list) ?? [];

  const refused = await other.post('/links', { _csrf: await other.tokenOf('/overview'), link });
  expect([refused.status, refused.headers.get('location')]).toEqual([303, '/links']);
  expect(await listOf(other)).toContain('You have no links.');
  expect(await listOf(owner)).toContain(link);

  const ended = await owner.submit('/links', { link });
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/links?done=ended']);
  expect(await listOf(owner)).toContain('You have no links.');
  expect((await fetch(app.url + path)).status).toBe(410);
});
