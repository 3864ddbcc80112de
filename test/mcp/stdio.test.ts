import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '../../mcp/src/version.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { descendantsOf, stillRunning } from '../fixtures/processes.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { connectStdio, programOf, wordsOf } from './support/clients.js';
import { HUGE_PAGES } from './support/huge-pages.js';

let folder: string;
let pages: Pages;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-mcp-'));
  pages = await servePages(HUGE_PAGES);
});
afterAll(async () => {
  await pages.close();
  await rm(folder, { recursive: true, force: true });
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
} as const;
const initialize = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const toolCall = (id: number, name: string, args: object, _meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta },
});

/** The first message, and the `_meta` of every further message, by revision. */
const revisions = {
  '2025-11-25': { first: initialize, meta: {} },
  '2026-07-28': {
    first: { jsonrpc: '2.0', id: 'first', method: 'server/discover', params: { _meta: ENVELOPE } },
    meta: ENVELOPE,
  },
} as const;
const revisionNames = ['2025-11-25', '2026-07-28'] as const;

interface Running {
  readonly child: ChildProcess;
  write(...messages: object[]): void;
  closeInput(): void;
  stdout(): string;
  stderr(): string;
}

function start(words: readonly string[], environment: Record<string, string>): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...words], {
    env: {
      PATH,
      HOME,
      TMPDIR: folder,
      SIGNPOST_DATA_DIR: join(folder, 'data'),
      SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
      SIGNPOST_MCP_OUTPUT_DIR: join(folder, 'captures'),
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return {
    child,
    write: (...messages) => messages.forEach((one) => child.stdin.write(`${JSON.stringify(one)}\n`)),
    closeInput: () => void child.stdin.end(),
    stdout: () => stdout,
    stderr: () => stderr,
  };
}

const commands = {
  'signpost mcp': () => start([programOf('signpost'), 'mcp'], {}),
  'signpost-mcp': () =>
    start([programOf('signpost-mcp')], { SIGNPOST_API_KEY: 'sp_live_x', SIGNPOST_BASE_URL: pages.url }),
} as const;
const ways = ['signpost mcp', 'signpost-mcp'] as const;

const ended = async ({ child }: Running) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return [child.exitCode, child.signalCode];
};
const idsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSONRPCMessageSchema.parse(JSON.parse(line)))
    .map((one) => ('method' in one ? one.method : one.id));

describe.each(ways)('%s', (way) => {
  test.each(revisionNames)(
    'in revision %s, an MCP program responds to requests sent before its input ended, then exits with 0',
    async (name) => {
      const { first, meta } = revisions[name];
      const running = commands[way]();
      running.write(
        first,
        toolCall(2, 'lookup_postcode', { postcode: 'SW1A 1AA' }, meta),
        toolCall(3, 'get_usage', {}, meta),
      );
      running.closeInput();
      expect(await ended(running)).toEqual([0, null]);
      expect(idsOf(running.stdout())).toEqual(expect.arrayContaining(['first', 2, 3]));
    },
  );

  test('an MCP program exits with 0 if its input ends before any message', async () => {
    const running = commands[way]();
    running.closeInput();
    expect(await ended(running)).toEqual([0, null]);
    expect(running.stdout()).toBe('');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('an MCP program exits with 0 after %s', async (signal) => {
    const running = commands[way]();
    running.write(initialize);
    await waitUntil('it answers', () => running.stdout().includes('"first"'));
    running.child.kill(signal);
    expect(await ended(running)).toEqual([0, null]);
  });

  test('an MCP program accepts a line that begins with a byte order mark, and responds to a batch with one line', async () => {
    const running = commands[way]();
    running.child.stdin?.write('\ufeff');
    running.write(initialize, [
      { jsonrpc: '2.0', id: 2, method: 'ping', params: null },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      'no message',
      { jsonrpc: '2.0', id: 3, method: 'tools/list' },
    ]);
    running.closeInput();
    expect(await ended(running)).toEqual([0, null]);
    const [first = '', batch = '', ...others] = running.stdout().trimEnd().split('\n');
    expect([JSON.parse(first), others]).toEqual([expect.objectContaining({ id: 'first' }), []]);
    const answers: unknown = JSON.parse(batch);
    expect(answers).toHaveLength(2);
    expect(answers).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 3 })]),
    );
  });

  test('an MCP program prints only messages, one per line, and responds to requests that are not valid', async () => {
    const running = commands[way]();
    running.child.stdin?.write('this is no message\n{"jsonrpc":"2.0"}\n\n[]\n');
    running.write(
      initialize,
      { jsonrpc: '2.0', id: 9, method: 'tools/list', params: 'none' },
      { id: 8, method: 'ping' },
      { jsonrpc: '2.0', id: 7, method: 'ping', params: null },
      { jsonrpc: '2.0', id: null, method: 'ping' },
    );
    running.write(toolCall(2, 'no_such_tool', {}), toolCall(3, 'lookup_postcode', { wrong: 1 }));
    running.closeInput();
    expect(await ended(running)).toEqual([0, null]);
    expect(new Set(idsOf(running.stdout()))).toEqual(new Set(['first', 2, 3, 7, 8, 9]));
    expect(running.stdout().match(/"code":-32600/gu)).toHaveLength(2);
    // Not understood: no JSON, a message without a method, a list, the requests 8 and 9, and the one without an id.
    expect(running.stderr().match(/not understood/gu)).toHaveLength(6);
  });
});

test('signpost mcp tells a model that the postcodes are a sample; signpost-mcp without a Signpost server does not', async () => {
  const answers = await Promise.all(
    ways.map(async (way) => {
      const running = commands[way]();
      running.write(initialize, toolCall(2, 'validate_postcode', { postcode: 'SW1A 9ZZ' }));
      running.closeInput();
      await ended(running);
      return running.stdout();
    }),
  );
  const timesSaid = answers.map(
    (answer) => answer.split("has only a small sample of the UK's postcodes").length - 1,
  );
  // `signpost mcp` says it at the connection, and in text and fields of the result. The other program has no server.
  expect(timesSaid).toEqual(ways.map((way) => (way === 'signpost mcp' ? 3 : 0)));
});

test('SIGTERM ends a running capture, and leaves neither browser nor temporary file', async () => {
  const running = commands['signpost mcp']();
  running.write(
    initialize,
    toolCall(2, 'capture_screenshot', { url: `${pages.url}/never` }, { progressToken: 1 }),
  );
  await waitUntil('the capture reports', () => running.stdout().includes('Capturing'));
  await waitUntil('the browser runs', async () => (await descendantsOf(running.child.pid ?? 0)).length > 0);
  const browser = await descendantsOf(running.child.pid ?? 0);
  running.child.kill('SIGTERM');
  expect(await ended(running)).toEqual([0, null]);
  await waitUntil('the browser has ended', async () => (await stillRunning(browser)).length === 0);
  expect((await readdir(folder)).filter((name) => name.startsWith('signpost-server-'))).toEqual([]);
});

test.each(revisionNames)('in revision %s, a cancelled capture gets no response', async (name) => {
  const { first, meta } = revisions[name];
  const running = commands['signpost mcp']();
  const params = { url: `${pages.url}/never` };
  running.write(first, toolCall(2, 'capture_screenshot', params, { ...meta, progressToken: 1 }));
  await waitUntil('the capture reports', () => running.stdout().includes('Capturing'));
  running.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  running.closeInput();
  expect(await ended(running)).toEqual([0, null]);
  expect(idsOf(running.stdout()).map(String).toSorted()).toEqual(['first', 'notifications/progress']);
});

test('signpost-mcp starts without a key, and the error of a tool call says what is missing', async () => {
  const { call, close } = await connectStdio('signpost-mcp', [], {
    SIGNPOST_BASE_URL: 'https://signpost.example/api',
  });
  const result = await call('lookup_postcode', { postcode: 'SW1A 1AA' });
  expect(result.isError).toBe(true);
  expect(wordsOf(result)).toMatch(
    /^There is no API key: SIGNPOST_API_KEY is not set .* console of https:\/\/signpost\.example, .* tell the user\.$/u,
  );
  await close();
});

test('signpost-mcp names an unknown option, and exits with 2', async () => {
  const wrong = start([programOf('signpost-mcp'), '--prot', '3'], {});
  expect(await ended(wrong)).toEqual([2, null]);
  expect(wrong.stderr()).toContain('--prot');
  expect(wrong.stdout()).toBe('');
});

test.each([
  ['--version', new RegExp(`^${VERSION}\n$`, 'u')],
  ['--help', /SIGNPOST_BASE_URL[\s\S]*SIGNPOST_MCP_OUTPUT_DIR[\s\S]*SIGNPOST_MCP_ALLOWED_ORIGINS/u],
])('signpost-mcp prints its text for %s and exits with 0', async (word, says) => {
  const running = start([programOf('signpost-mcp'), word], {});
  expect(await ended(running)).toEqual([0, null]);
  expect(running.stdout()).toMatch(says);
});

test('a tool result says that the server cannot be reached, and does not contain the key', async () => {
  const { call, close } = await connectStdio('signpost-mcp', [], {
    SIGNPOST_BASE_URL: 'http://127.0.0.1:1',
    SIGNPOST_API_KEY: 'sp_live_secret',
  });
  const result = await call('get_usage');
  expect(result.isError).toBe(true);
  expect(wordsOf(result)).toMatch(
    /Cannot reach the Signpost server at http:\/\/127\.0\.0\.1:1.*tell the user/u,
  );
  expect(wordsOf(result)).not.toContain('sp_live_secret');
  await close();
});
