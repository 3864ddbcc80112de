import { createSignpostClient, SignpostApiError, type SignpostClient } from 'signpost-mcp';
import { pngSize } from '../fixtures/answers.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const BUCKINGHAM_PALACE = { latitude: 51.501, longitude: -0.1416 };

let server: SignpostServer;
let pages: Pages;
let client: SignpostClient;

beforeAll(async () => {
  pages = await servePages({
    '/tall': (_request, response) => response.end('<body style="margin:0"><div style="height:900px">'),
    '/unfinished': (_request, response) => response.end('<p>So far<img src="/never">'),
    '/never': () => undefined,
    '/article': (_request, response) => response.end('<h1>Title</h1><p>Some <b>bold</b> words'),
  });
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  });
  client = createSignpostClient({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(async () => {
  await server.remove();
  await pages.close();
});

const errorOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SignpostApiError) return error;
  throw new Error(`Not a SignpostApiError, but ${String(error)}`);
};

test("the client's lookupPostcode returns a record", async () => {
  const { result } = await client.call('lookupPostcode', { postcode: 'sw1a1aa' });
  expect(result).toMatchObject({ postcode: 'SW1A 1AA', outcode: 'SW1A', incode: '1AA', isActive: true });
});

test("the client's lookupPostcodes returns records", async () => {
  const answer = await client.call('lookupPostcodes', { postcodes: ['SW1A 1AA', 'ZZ99 9ZZ', 'no'] });
  expect(answer).toMatchObject({ found: 1, notFound: 2 });
  expect(answer.results.map(({ postcode }) => postcode)).toEqual(['SW1A 1AA']);
});

test("the client's validatePostcode says whether a text is a postcode", async () => {
  expect(await client.call('validatePostcode', { postcode: 'sw1a 1aa' })).toEqual({
    postcode: 'SW1A 1AA',
    isValid: true,
    isActive: true,
  });
});

test("the client's findNearestPostcodes returns records with distances", async () => {
  const { results } = await client.call('findNearestPostcodes', { ...BUCKINGHAM_PALACE, limit: 1 });
  expect(results.map(({ postcode }) => postcode)).toEqual(['SW1A 1AA']);
  expect(results[0]?.distanceMetres).toBeLessThan(100);
});

test("the client's autocompletePostcode returns postcodes", async () => {
  const { postcodes } = await client.call('autocompletePostcode', { partial: 'sw1a 1' });
  expect(postcodes).toContain('SW1A 1AA');
});

test("the client's getUsage returns the usage of the key", async () => {
  const before = await client.call('getUsage', undefined);
  const after = await client.call('getUsage', undefined);
  expect(after.totalRequests).toBe(before.totalRequests + 1);
  expect(after.dailyUsage).toHaveLength(30);
});

test("the client's createCaptureLink makes a link that shows the page; a link to a private address does not repeat the address", async () => {
  const opened = async (url: string) => {
    const request = { url, width: 120, height: 80 };
    const link = await client.call('createCaptureLink', { operation: 'captureScreenshot', request });
    return fetch(link.url, { headers: { Accept: 'application/json' } });
  };
  const shown = await opened(pages.url);
  expect(pngSize(Buffer.from(await shown.arrayBuffer()))).toEqual({ width: 120, height: 80 });
  for (const url of ['http://10.0.0.1/private-path', 'http://169.254.169.254/private-path']) {
    const answer = await opened(url);
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toMatch(/private-path|10\.0|169\./u);
  }
});

test("the client's captureScreenshot returns a picture", async () => {
  const { body, mediaType, headers } = await client.call('captureScreenshot', {
    url: pages.url,
    width: 120,
    height: 80,
  });
  expect([mediaType, pngSize(body)]).toEqual(['image/png', { width: 120, height: 80 }]);
  expect(headers).toEqual({
    'X-Capture-Time-Ms': expect.any(Number),
    'X-Page-Status': 200,
    'X-Page-Url': `${pages.url}/`,
    'X-Page-Title': expect.any(String),
    'X-Capture-Complete': 'true',
    'X-Page-Rest': 'reached',
  });
});

test("the client's captureScreenshot of a part returns the height of the page and its number of parts", async () => {
  const { body, headers } = await client.call('captureScreenshot', {
    url: `${pages.url}/tall`,
    width: 120,
    height: 400,
    part: 3,
  });
  expect(pngSize(body)).toEqual({ width: 120, height: 100 });
  expect(headers).toMatchObject({ 'X-Page-Height': 900, 'X-Page-Parts': 3, 'X-Capture-Complete': 'true' });
});

test('the client reports a page that was captured before it was complete as incomplete', async () => {
  const unfinished = { url: `${pages.url}/unfinished`, timeoutMs: 1_000, onTimeout: 'capture' } as const;
  const picture = await client.call('captureScreenshot', { ...unfinished, width: 120, height: 80 });
  const pdf = await client.call('capturePdf', unfinished);
  for (const { headers } of [picture, pdf])
    expect(headers).toMatchObject({ 'X-Page-Status': 200, 'X-Capture-Complete': 'false' });
});

test("the client's capturePdf returns a PDF", async () => {
  const { body, mediaType, headers } = await client.call('capturePdf', { url: pages.url, format: 'A6' });
  expect([mediaType, body.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
  expect(headers).toMatchObject({ 'X-Page-Count': 1, 'X-Page-Status': 200 });
});

test("the client's readPage returns a page as Markdown, or as text", async () => {
  const markdown = await client.call('readPage', { url: `${pages.url}/article`, mainContentOnly: false });
  expect(markdown.result).toMatchObject({ format: 'markdown', content: '# Title\n\nSome **bold** words' });
  const { result } = await client.call('readPage', { url: pages.url, format: 'text' });
  expect(result).toMatchObject({ pageStatus: 200, format: 'text', nextOffset: null });
  expect(result.characters).toBe(result.content.length);
});

test('an error of the client has the message and the status of the server’s response', async () => {
  const refused = await errorOf(client.call('lookupPostcode', { postcode: 'nonsense' }));
  expect(refused.status).toBe(400);
  expect(refused.message).toContain('"postcode" must be a UK postcode');
});

test('an error of the client for a wrong key is a 401 that does not repeat the key', async () => {
  const stranger = createSignpostClient({ baseUrl: server.url, apiKey: 'not-the-key' });
  const refused = await errorOf(stranger.call('getUsage', undefined));
  expect(refused.status).toBe(401);
  expect(refused.message).not.toContain('not-the-key');
});

test("the client's error for an unreachable server has the server's address", async () => {
  const url = pages.url;
  await pages.close();
  const refused = await errorOf(
    createSignpostClient({ baseUrl: url, apiKey: 'a-key' }).call('getUsage', undefined),
  );
  expect(refused.status).toBeUndefined();
  expect(refused.message).toContain(url);
});
