import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

test('assistants have a page in the menu, with the address and what each needs, ready to be copied', async () => {
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

test('links to captures have a page, which ends none of somebody else', async () => {
  const { visitor } = await signUpNewcomer(app);
  expect(await (await visitor.get('/links')).text()).toContain('You have no links.');
  const ended = await visitor.submit('/links', { link: 'lnk_nothing' });
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/links']);
});
