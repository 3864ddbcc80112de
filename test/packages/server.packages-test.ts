import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lookupPostcodeResponse } from '@signpost/contract';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newDatabase } from '../fixtures/database-of-folder.js';
import { isLong } from '../fixtures/length.js';
import { bareTools, type Installed, installAlone, root, timed } from './support/packed.js';

const run = promisify(execFile);
const PNG_SIGNATURE = '89504e470d0a1a0a';
const POSTCODE = { postcode: 'SW1A 1AA' };

let installed: Installed;
let environment: Record<string, string>;

/** The environment of a machine with only Node.js and a shell, without a browser and with an empty home folder. */
async function bareMachine(): Promise<Record<string, string>> {
  const place = join(installed.folder, '..');
  const home = join(place, 'home');
  await mkdir(home);
  return { HOME: home, PATH: await bareTools(place), SIGNPOST_PORT: '0' };
}

beforeAll(async () => {
  installed = await installAlone('signpost');
  const build = 'node_modules/sqlite3/build';
  await cp(join(root, build), join(installed.folder, build), { recursive: true });
  environment = await bareMachine();
});
afterAll(() => installed.remove());

test("the server's package installs no development tools", async () => {
  const names = await readdir(join(installed.folder, 'node_modules'), { recursive: true });
  expect(names).toContain('signpost');
  expect(names.filter((name) => /(?:^|node_modules\/)(?:eslint|jest|typescript)$/u.test(name))).toEqual([]);
});

(isLong ? test.each : test.skip.each)([
  ['npm install', [], 'node_modules/.bin/signpost'],
  ['npm install --global', ['--global', '--prefix', '.'], 'bin/signpost'],
])(
  '%s, with install scripts and no other step, gives a program that keeps its data',
  async (_command, options, program) => {
    const whole = await installAlone('signpost', options);
    try {
      const dataDir = join(whole.folder, 'data');
      await newDatabase(dataDir);
      const env = { ...environment, HOME: whole.folder, SIGNPOST_DATA_DIR: dataDir };
      const signpost = (...words: string[]) => run(join(whole.folder, program), words, { env });
      await signpost('account', 'create', '--email', 'ada@example.org');
      expect((await signpost('account', 'list')).stdout).toContain('ada@example.org');
    } finally {
      await whole.remove();
    }
  },
);

/** Runs `npx signpost` until it is ready. `stop` ends it with SIGTERM and returns its output. */
async function startServer(...words: readonly string[]) {
  const child = spawn('npx', ['signpost', ...words], { cwd: installed.folder, env: environment });
  let output = '';
  const ready = new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const url = /running at (\S+)[\s\S]*Browser: .*\n/u.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
  });
  const url = await ready;
  return {
    url,
    output: () => output,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return output;
    },
  };
}

test('npx signpost starts on a machine without a browser, names its data folder, and responds', async () => {
  const first = await timed('signpost is ready, with a browser that it got', () => startServer('start'));
  const dataFolder = join(environment.HOME ?? '', '.local/share/signpost');
  expect(first.output()).toContain(`Data folder: ${dataFolder}\n`);
  const key = /sp_live_\w{38}/u.exec(first.output())?.[0] ?? '';
  const headers = { 'Content-Type': 'application/json', 'X-Api-Key': key };
  const post = (path: string, body: unknown) =>
    fetch(first.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { result } = lookupPostcodeResponse.parse(
    await (await post('/api/postcode/lookup', POSTCODE)).json(),
  );
  expect(result.postcode).toBe(POSTCODE.postcode);
  // The page needs style sheets, scripts and icons from the package.
  const picture = await (await post('/api/screenshot', { url: `${first.url}/` })).arrayBuffer();
  expect(Buffer.from(picture).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  // The document was rendered when the package was made: the package contains no docs/ folder.
  const document = await fetch(`${first.url}/docs/how-to/install`);
  expect([document.status, await document.text()]).toEqual([200, expect.stringContaining('npx signpost')]);
  expect(await first.stop()).toContain('Stopped.');

  const second = await timed('signpost is ready, started again', () => startServer());
  expect(second.output()).not.toContain('One-time password');
  expect(await second.stop()).toContain('Stopped.');
  expect(await readdir(dataFolder)).toEqual(expect.arrayContaining(['secret', 'signpost.db']));
  expect(await readdir(installed.folder)).not.toContain('data');
});

test('npx signpost mcp is an MCP server that looks up a postcode by itself', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = { command: 'npx', args: ['signpost', 'mcp'], cwd: installed.folder, env: environment };
  await timed('signpost mcp answers initialize', () => client.connect(new StdioClientTransport(transport)));
  const answer = await client.callTool({ name: 'lookup_postcode', arguments: POSTCODE });
  await client.close();
  expect(answer).toMatchObject({ structuredContent: { result: { postcode: POSTCODE.postcode } } });
});
