import { ConsoleClient } from '../fixtures/console-client.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

const load = async (path: string) => {
  const answer = await fetch(app.url + path);
  return { answer, html: await answer.clone().text() };
};

test('the front page offers strangers an account before it offers the sign-in, and shows pictures and code', async () => {
  const { html } = await load('/');
  const main = html.slice(html.indexOf('<main'));
  expect(main.indexOf('href="/signup"')).toBeLessThan(main.indexOf('href="/signin"'));
  expect(main).toMatch(/class="button" href="\/signup"/u);
  for (const words of [
    'Markdown',
    'n8n',
    'AI assistants',
    'data-copy="front-code"',
    'capture.webp',
    'map.webp',
  ])
    expect(main).toContain(words);
  expect(main).not.toContain('signpost import');
});

test('the front page has a description, a title and a picture for previews, and icons; the pictures exist', async () => {
  const { html } = await load('/');
  expect(html).toMatch(/<meta name="description" content="Screenshots, PDFs and Markdown/u);
  expect(html).toMatch(/<meta property="og:title" content="[^"]+ · Signpost"/u);
  expect(html).toMatch(/<meta name="theme-color"/u);
  const [, picture = ''] = /<meta property="og:image" content="([^"]+)"/u.exec(html) ?? [];
  expect(picture).toContain(`${app.url}/assets/`);
  const touchIcon = /<link rel="apple-touch-icon" href="([^"]+)"/u.exec(html)?.[1] ?? '';
  const images = [picture.slice(app.url.length), touchIcon, '/favicon.ico'];
  for (const [path, type] of images.map((image, index) => [image, ['png', 'png', 'x-icon'][index]])) {
    const { answer } = await load(path ?? '');
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, `image/${type}`]);
  }
});

test('a stranger can try a postcode without an account, a limited number of times', async () => {
  const found = await load('/?postcode=sw1a1aa');
  expect([found.answer.status, found.html]).toEqual([
    200,
    expect.stringContaining('SW1A 1AA marked: Westminster'),
  ]);
  const none = await load('/?postcode=%3Cscript%3E');
  expect(none.answer.status).toBe(404);
  expect(none.html).toContain('id="postcode-problem"');
  expect(none.html).not.toContain('<script>');
  const statuses = new Set<number>();
  for (let times = 0; times < 20; times += 1) statuses.add((await load('/?postcode=M1+1AE')).answer.status);
  expect([...statuses]).toContain(429);
  expect((await load('/')).answer.status).toBe(200);
});

test('the front page offers operators the import of the whole directory', async () => {
  const operator = new ConsoleClient(app.url);
  await operator.signIn(app.first.email, app.first.password);
  expect(await (await operator.get('/')).text()).toContain('Import the whole directory');
});
