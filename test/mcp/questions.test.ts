import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { connectHttp, connectStdio, type ConnectedClient, wordsOf } from './support/clients.js';
import { questionsAbout } from './support/questions.js';

let folder: string;
let pages: Pages;
let server: SignpostServer;
const clients: ConnectedClient[] = [];
const client = (index: number) => {
  const found = clients[index];
  if (found === undefined) throw new Error('There is no such client.');
  return found;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-mcp-'));
  pages = await servePages();
  const environment = { SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1' };
  server = await startSignpost({
    ...environment,
    ...UNLIMITED,
  });
  const output = { SIGNPOST_MCP_OUTPUT_DIR: join(folder, 'captures') };
  const known = { SIGNPOST_BASE_URL: server.url, SIGNPOST_API_KEY: server.apiKey };
  clients.push(
    await connectStdio('signpost', ['mcp'], {
      ...environment,
      ...output,
      SIGNPOST_DATA_DIR: join(folder, 'data'),
    }),
    await connectStdio('signpost-mcp', [], { ...known, ...output }),
    await connectHttp(`${server.url}/mcp`, { 'X-Api-Key': server.apiKey }),
  );
});
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  await server.remove();
  await pages.close();
  await rm(folder, { recursive: true, force: true });
});

const shapes = questionsAbout('http://page.example/').map(
  ({ question }, index) => [question, index] as const,
);

test('there are at least twenty questions for assistants', () => {
  expect(shapes.length).toBeGreaterThanOrEqual(20);
});

describe.each([
  ['over stdio with the core inside', 0],
  ['over stdio to a server', 1],
  ['over HTTP', 2],
])('%s', (_way, way) => {
  test.each(shapes)('scripted calls of the tools answer the question: %s', async (_question, index) => {
    const steps = questionsAbout(pages.url)[index]?.steps ?? [];
    for (const { tool, args, says, isError } of steps) {
      const result = await client(way).call(tool, args);
      expect(wordsOf(result)).toMatch(says);
      expect(result.isError).toBe(isError);
    }
    expect(steps.length).toBeGreaterThan(0);
  });
});
