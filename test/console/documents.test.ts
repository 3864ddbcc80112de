import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pages, root } from '../documents/documents.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';

const run = promisify(execFile);

let app: ConsoleApp;
/** The HTML page of each document, by its path. */
const documents = new Map<string, string>();

const addressOf = (file: string) =>
  `/${file.replace(/^(?:SECURITY|CHANGELOG)/u, (name) => `docs/${name.toLowerCase()}`).replace(/(?:\/README)?\.md$/u, '')}`;
const shown = pages.filter((file) => /^docs\/|^SECURITY|^CHANGELOG/u.test(file));

const load = (path: string, init: RequestInit = {}) => fetch(app.url + path, { redirect: 'manual', ...init });
const search = async (words: string) => (await load(`/docs?${new URLSearchParams({ q: words })}`)).text();

beforeAll(async () => {
  app = await startConsoleApp();
  for (const file of shown) {
    const answer = await load(addressOf(file));
    expect([file, answer.status]).toEqual([file, 200]);
    documents.set(addressOf(file), await answer.text());
  }
}, 60_000);
afterAll(() => app.close());

const articleOf = (html: string) => /<article>([\s\S]*)<\/article>/u.exec(html)?.[1] ?? '';
const matches = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found = '']) => found);
const idsOf = (html: string) => matches(html, / id="([^"]*)"/gu);

test('the page of each document has one main heading, and as many tables and code blocks as its Markdown', async () => {
  expect(documents.size).toBeGreaterThan(50);
  for (const file of shown) {
    const html = documents.get(addressOf(file)) ?? '';
    const markdown = await readFile(join(root, file), 'utf8');
    const tables = markdown.match(/^ *\|(?: *:?-+:? *\|)+$/gmu)?.length ?? 0;
    const blocks = (markdown.match(/^ *```/gmu)?.length ?? 0) / 2;
    expect([file, html.match(/<h1 id="[^"]+">[^<]+<\/h1>/gu)?.length]).toEqual([file, 1]);
    expect([file, matches(html, /<(table)[ >]/gu).length]).toEqual([file, tables]);
    expect([file, matches(html, /<(pre) /gu).length]).toEqual([file, blocks]);
  }
});

test('each link from a document to this server leads to a page, a heading or a file that is there', async () => {
  const statuses = new Map<string, Promise<number>>();
  const statusOf = (path: string) => {
    const status =
      statuses.get(path) ?? load(path).then((answer) => answer.arrayBuffer().then(() => answer.status));
    statuses.set(path, status);
    return status;
  };
  const wrong: string[] = [];
  for (const [address, html] of documents)
    for (const target of matches(articleOf(html), / (?:href|src)="([^"]*)"/gu)) {
      if (/^(?:https?|mailto):/u.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const page = path === '' ? html : documents.get(path);
      const isThere = page === undefined ? (await statusOf(path)) === 200 : true;
      const hasHeading = anchor === undefined || idsOf(page ?? '').includes(anchor);
      if (!isThere || !hasHeading) wrong.push(`${address}: ${target}`);
    }
  expect(statuses.size).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test('no element id is on the page of a document twice, and no document has scripts, styles or comments', () => {
  for (const [address, html] of documents) {
    const ids = idsOf(html);
    expect([address, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([address, []]);
    expect([
      address,
      articleOf(html).match(/<(?:script|style|iframe|!--)|<[^>]* (?:style|on\w+)=/gu),
    ]).toEqual([address, null]);
  }
});

test('HTML and dangerous links in a document are shown as plain text, and comments are left out', async () => {
  const markdown = [
    '# Title <script>alert(1)</script>',
    '<script>alert(2)</script>',
    'a <img src=x onerror=alert(3)> [b](javascript:alert(4)) [c](data:text/html,5) ![d" onerror="6](x.png)',
    '| <b>x</b> | y" onclick="7 |\n| --- | --- |\n| 1 | 2 |',
    '<!-- hidden -->',
  ].join('\n\n');
  const script = `import('${root}/server/documents.mjs').then((it) => console.log(it.convert('docs/x.md', process.argv[1], new Map()).html))`;
  const { stdout } = await run(process.execPath, ['--eval', script, markdown]);
  expect(stdout).toContain('&lt;script&gt;alert(2)');
  expect(stdout).not.toMatch(/<script|<img|<b>|<a |href|hidden|<[^>]*"? on\w+="/u);
});

test.each([
  ['postgres', '<a href="/docs/how-to/use-postgresql">Use PostgreSQL'],
  ['pg_dump', '<mark>pg_dump</mark>'],
  ['Retry-After 429', '<mark>Retry-After</mark>'],
])('the search for "%s" finds a document', async (words, found) => {
  expect(await search(words)).toContain(found);
});

test('the page of a search for a script says that no document was found, and does not contain the script', async () => {
  const html = await search('"><script>alert(1)</script>');
  expect(html).toContain('No document has all of these words.');
  expect(html).not.toContain('<script>alert');
});

test('an unknown document or file is 404 in the layout of the console, with a link to the list of documents', async () => {
  for (const path of [
    '/docs/none',
    '/docs/how-to/none',
    '/docs/files/none',
    '/docs/files/..%2Fdocuments.json',
  ]) {
    const answer = await load(path);
    const html = await answer.text();
    expect([path, answer.status]).toEqual([path, 404]);
    expect(html).toContain('<nav aria-label="Main">');
    expect(html).toContain('href="/docs"');
  }
});

test('the address of a document with .md, as its file is named, redirects to its page', async () => {
  for (const [path, target] of [
    ['/docs/how-to/install.md', '/docs/how-to/install'],
    ['/docs/README.md', '/docs'],
  ] as const)
    expect((await load(path)).headers.get('location')).toBe(target);
});

test('a HEAD request for a document gets the headers of GET and no body', async () => {
  const [head, whole] = [await load('/docs/mcp', { method: 'HEAD' }), await load('/docs/mcp')];
  expect([head.status, await head.text()]).toEqual([200, '']);
  const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);
  const names = ({ headers }: Response) => [...headers.keys()].filter((name) => !ofConnection.has(name));
  expect(names(head)).toEqual(names(whole));
  for (const name of ['content-type', 'cache-control', 'content-security-policy'])
    expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
});

test.each([
  ['n8n/node.png', 'image/png'],
  ['n8n/capture.json', 'application/json; charset=utf-8'],
  ['deploy/kubernetes.yaml', 'text/plain; charset=utf-8'],
])('/docs/files/%s responds with that file and its media type', async (name, type) => {
  const answer = await load(`/docs/files/${name}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  const file = name.startsWith('deploy/') ? name : `docs/${name}`;
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(join(root, file)));
});

test('the menu leads strangers and signed-in people to the documents', async () => {
  const person = await signInFirstOperator(app);
  for (const html of [await (await load('/reference')).text(), await (await person.get('/overview')).text()])
    expect(html).toMatch(/<nav[\s\S]*<a href="\/docs"[\s\S]*<\/nav>/u);
});
