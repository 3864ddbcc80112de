import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '@signpost/contract';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { read, root } from './documents.js';

const run = promisify(execFile);
const PAGE = 'docs/how-to/call-from-programs.md';

let folder: string;
let site: Pages;
let server: SignpostServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-programs-'));
  site = await servePages({
    '/': (_request, response) => void response.setHeader('Content-Type', 'text/html').end('<h1>A title</h1>'),
  });
  server = await startSignpost({
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    ...UNLIMITED,
  });
});
afterAll(async () => {
  await Promise.all([server.remove(), site.close()]);
  await rm(folder, { recursive: true });
});

/** The examples in one language, with the test's site in place of example.com, and a path in the test's folder. */
const examplesIn = (language: string) =>
  [...read(PAGE).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gmu'))].map(
    ([, text = '']) =>
      text
        .replaceAll('https://example.com', site.url)
        .replaceAll("'page.png'", JSON.stringify(join(folder, 'page.png'))),
  );

const runExample = async (command: string, words: readonly string[]) => {
  const env = { ...process.env, SIGNPOST_BASE_URL: server.url, SIGNPOST_API_KEY: server.apiKey };
  return (await run(command, words, { cwd: root, env })).stdout;
};

test('the examples of the typed client run', async () => {
  const [lookup = '', capture = ''] = examplesIn('js');
  const node = (script: string) => runExample(process.execPath, ['--input-type=module', '--eval', script]);
  expect(await node(lookup)).toMatch(/^Cities of London and Westminster\n400 /u);
  expect(await node(capture)).toBe('image/png 200\n');
});

test('the example in Python runs', async () => {
  const [example = ''] = examplesIn('python');
  const isThere = await run('python3', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    console.error('Skipped: there is no python3.');
    return;
  }
  expect(await runExample('python3', ['-c', example])).toMatch(/^Cities of London and Westminster\n400: /u);
});

test('the table of examples lists every operation that takes a key', () => {
  const listed = [...read(PAGE).matchAll(/^\| `(\w+)` +\| /gmu)].map(([, name]) => name);
  const withKey = Object.entries(operations).flatMap(([id, { authentication }]) =>
    authentication === 'apiKey' ? [id] : [],
  );
  expect(listed).toEqual(expect.arrayContaining(withKey));
});
