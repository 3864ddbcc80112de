import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { type Installed, installAlone, revealing, root, timed } from './support/packed.js';

const run = promisify(execFile);
const POSTCODE = { postcode: 'SW1A 1AA' };

let server: SignpostServer;
let installed: Installed;
beforeAll(async () => {
  server = await startSignpost({ SIGNPOST_RATE_PER_MINUTE: 'unlimited' });
  installed = await installAlone('signpost-mcp');
});
afterAll(async () => {
  await installed.remove();
  await server.remove();
});

/** Starts an MCP server, lists its tools, looks up a postcode, and captures a page larger than models can see. */
async function speak(command: string, args: string[], cwd: string) {
  const { PATH = '', HOME = '' } = process.env;
  const folder = { SIGNPOST_MCP_OUTPUT_DIR: join(installed.folder, 'captures') };
  const env = { PATH, HOME, SIGNPOST_BASE_URL: server.url, SIGNPOST_API_KEY: server.apiKey, ...folder };
  const client = new Client({ name: 'test', version: '1' });
  try {
    await client.connect(new StdioClientTransport({ command, args, cwd, env }));
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'lookup_postcode', arguments: POSTCODE });
    const size = { width: 2_000, height: 1_000 };
    const picture = await client.callTool({
      name: 'capture_screenshot',
      arguments: { url: server.url, ...size },
    });
    expect(picture.content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/jpeg' }]);
    return { names: tools.map(({ name }) => name), answer };
  } finally {
    // A program that is not closed keeps the test's process from ending.
    await client.close();
  }
}

test('npx signpost-mcp responds to initialize and tools/list, and looks up a postcode', async () => {
  const spoken = await timed('signpost-mcp is started, asked twice and ended', () =>
    speak('npx', ['signpost-mcp'], installed.folder),
  );
  expect(spoken.names).toEqual(expect.arrayContaining(['lookup_postcode', 'capture_screenshot']));
  expect(spoken.answer).toMatchObject({ structuredContent: { result: { postcode: POSTCODE.postcode } } });
});

test('signpost-mcp --check says that connection, sign-in and address work', async () => {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, SIGNPOST_BASE_URL: server.url, SIGNPOST_API_KEY: server.apiKey };
  const words = ['--no', '--', 'signpost-mcp', '--check', '--json'];
  const { stdout } = await run('npx', words, { cwd: installed.folder, env });
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Connection', state: 'works' }),
      expect.objectContaining({ name: 'Sign-in', state: 'works' }),
      expect.objectContaining({ name: 'Address', state: 'works' }),
    ]),
  );
});

/**
 * A typical caller's code. If a type were `any`, the wrong lines would compile and their @ts-expect-error would fail.
 */
const clientProgram = (url: string, apiKey: string) => `
import { createSignpostClient, SignpostApiError } from 'signpost-mcp';

const client = createSignpostClient({ baseUrl: '${url}', apiKey: '${apiKey}' });
const { result } = await client.call('lookupPostcode', ${JSON.stringify(POSTCODE)});
const region: string | null = result.region;
// @ts-expect-error
void result.nothing;
// @ts-expect-error
void (() => client.call('lookupPostcode', { postcod: '' }));
const rejection = await client.call('lookupPostcode', { postcode: 'ZZ1 1ZZ' }).catch((error: unknown) => error);
console.log(JSON.stringify({ region, isRefused: rejection instanceof SignpostApiError }));
`;

test('the typed client can be imported from signpost-mcp with its types', async () => {
  await writeFile(join(installed.folder, 'client.mts'), clientProgram(server.url, server.apiKey));
  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const types = ['--typeRoots', join(root, 'node_modules/@types')];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, ...options, ...types, 'client.mts'], { cwd: installed.folder });
  const { stdout } = await run(process.execPath, ['client.mjs'], { cwd: installed.folder });
  expect(JSON.parse(stdout)).toEqual({ region: 'London', isRefused: true });
});

const bundleManifest = z.object({
  version: z.string(),
  server: z.object({
    entry_point: z.string(),
    mcp_config: z.object({ command: z.literal('node'), args: z.array(z.string()) }),
  }),
});

test('the bundle for desktop clients runs where it is unpacked, without lock files, native add-ons and traces of the checkout and its registry', async () => {
  const { SIGNPOST_MCP_BUNDLE: bundle = '', SIGNPOST_MCPB: mcpb = '' } = process.env;
  const folder = await mkdtemp(join(tmpdir(), 'signpost-bundle-'));
  try {
    await run(process.execPath, [mcpb, 'unpack', bundle, folder]);
    const manifest = bundleManifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
    const { command, args } = manifest.server.mcp_config;
    const words = args.map((word) => word.replace('${__dirname}', folder));
    expect(words).toEqual([join(folder, manifest.server.entry_point)]);
    expect((await speak(command, words, dirname(folder))).answer).toMatchObject({
      structuredContent: { result: { postcode: POSTCODE.postcode } },
    });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name);
    expect(names.filter((name) => /\.package-lock\.json$|package-lock\.json$|\.node$/u.test(name))).toEqual(
      [],
    );
    // The packages in the bundle may contain the name of this machine or of its home folder by chance.
    expect(
      await revealing(
        files.map(({ parentPath, name }) => join(parentPath, name)),
        [],
      ),
    ).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
