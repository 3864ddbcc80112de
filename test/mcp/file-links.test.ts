import { z } from 'zod';
import { noCaptures } from '../fixtures/capture/no-captures.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { connectHttp, wordsOf, type ConnectedClient } from './support/clients.js';

const TEN_MINUTES_MS = 600_000;
/** Large enough for several chunks. */
const PDF = Buffer.alloc(2_500_000, '%PDF-1.7 ');
const link = z.object({ type: z.literal('resource_link'), uri: z.url(), size: z.number() });

let app: ConsoleApp;
let mcp: ConnectedClient;
beforeAll(async () => {
  const page = {
    pageStatus: 200,
    isComplete: true,
    pageRest: 'reached' as const,
    pageUrl: 'https://example.com/',
    pageTitle: 'A title',
  };
  const pdf = () => Promise.resolve({ body: PDF, durationMs: 1, pageCount: 2, ...page });
  app = await startConsoleApp({ SIGNPOST_RATE_PER_DAY: '6', SIGNPOST_ACCESS_LOG: 'on' }, () =>
    Promise.resolve({ ...noCaptures(), pdf }),
  );
  mcp = await connectHttp(`${app.url}/mcp`, { 'X-Api-Key': app.apiKey });
});
afterAll(async () => {
  await mcp.close();
  await app.close();
});

/** Captures a page as a PDF. Returns the address of the PDF. */
async function capture(): Promise<string> {
  const result = await mcp.call('capture_pdf', { url: 'https://example.com/', link: true });
  const { uri, size } = link.parse(result.content[1]);
  expect(wordsOf(result)).toContain(uri);
  expect(size).toBe(PDF.length);
  return uri;
}
const statusOf = async (address: string) => {
  const answer = await fetch(address, { method: 'HEAD' });
  return answer.status;
};

test('the address of a PDF opens it without a key, counts as no request, and is in no log', async () => {
  const address = await capture();
  const [answer, again] = [await fetch(address), await fetch(address)];
  expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
  expect((await again.arrayBuffer()).byteLength).toBe(PDF.length);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(PDF.length),
    'content-disposition': expect.stringMatching(/^inline; filename="example\.com-\d{8}-\d{6}\.pdf"$/u),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const usage = await (await app.get('/api/usage')).text();
  expect(JSON.parse(usage)).toMatchObject({ totalRequests: 2 });
  const token = address.split('/').at(-1) ?? '';
  expect(token).toMatch(/^\w{22}$/u);
  expect(app.log()).not.toContain(token);
  const changed = await fetch(address.replace(token, `${token.slice(1)}x`), {
    headers: { Accept: 'text/html' },
  });
  expect([changed.status, await changed.text()]).toEqual([
    404,
    expect.stringContaining('capture the page again'),
  ]);
});

test('the address of a PDF expires after ten minutes', async () => {
  const address = await capture();
  expect(await statusOf(address)).toBe(200);
  app.pass(TEN_MINUTES_MS);
  expect(await statusOf(address)).toBe(404);
});

test('a client that did not ask for a link gets the address in the text, and no content of another type', async () => {
  const result = await mcp.call('capture_pdf', { url: 'https://example.com/' });
  expect(wordsOf(result)).toContain(`${app.url}/files/`);
  expect(result.content.map(({ type }) => type)).toEqual(['text']);
});

test('a client of a revision without links gets the address only in the text', async () => {
  const params = { name: 'capture_pdf', arguments: { url: 'https://example.com/', link: true } };
  const answer = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'X-Api-Key': app.apiKey,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const body = await answer.text();
  expect(body).toContain(`${app.url}/files/`);
  expect(body).not.toContain('resource_link');
});
