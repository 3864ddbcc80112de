import {
  captureScreenshotRequest,
  LIMITS,
  maxBodyBytesOf,
  type Operation,
  operations,
} from '@signpost/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { parseRequest } from '../operations/invalid-request.js';
import { addJsonParser } from './json-body.js';
import { toServiceError } from './errors.js';

const url = 'https://example.com';
let server: FastifyInstance;
beforeAll(() => {
  server = Fastify({ bodyLimit: LIMITS.captureBodyBytes.max });
  addJsonParser(server, operations);
  server.setErrorHandler((error, _request, reply) => {
    const { kind, message } = toServiceError(error, LIMITS.captureBodyBytes.max);
    void reply.code(kind === 'payloadTooLarge' ? 413 : 400).send({ error: message });
  });
  server.post('/', { config: { operationId: 'captureScreenshot' } }, ({ body }) =>
    parseRequest(captureScreenshotRequest, body),
  );
});
afterAll(() => server.close());

/** Posts a body. Returns the response, and the length of the longest text that `JSON.parse` got meanwhile. */
async function post(payload: string) {
  const { parse } = JSON;
  let longest = 0;
  JSON.parse = (text: string, ...others) => {
    longest = Math.max(longest, text.length);
    const parsed: unknown = parse(text, ...others);
    return parsed;
  };
  try {
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await server.inject({ method: 'POST', url: '/', headers, payload });
    const answer: { error?: string; html?: string } = parse(body);
    return { status: statusCode, longest, ...answer };
  } finally {
    JSON.parse = parse;
  }
}

const MEGABYTE = 1_000_000;

test.each([
  ['of markup', '<p class="a">It\'s \\ here</p>\n'.repeat(166_000)],
  ['of quotes, which JSON writes as two bytes each', '"'.repeat(LIMITS.htmlBytes.max)],
  ['of letters beyond ASCII', 'a€é😀'.repeat(490_000)],
  ['with a backslash before its end', `${'x'.repeat(4 * MEGABYTE)}\\`],
])('parses megabytes of HTML %s in small steps and without loss', async (_what, html) => {
  const { status, html: arrived, longest } = await post(JSON.stringify({ html, fullPage: true }));
  expect(status).toBe(200);
  expect(arrived === html).toBe(true);
  expect(longest).toBeLessThan(100_000);
});

test('decodes HTML whose letters are all written as escapes', async () => {
  const { status, html } = await post(`{"html":"${'\\u20ac\\ud83d\\ude00\\n'.repeat(300_000)}"}`);
  expect(status).toBe(200);
  expect(html === '€😀\n'.repeat(300_000)).toBe(true);
});

const html = '<p>Hello</p>\n'.repeat(350_000);
const most = LIMITS.captureBodyBytes.max;
const long = 'x'.repeat(9 * MEGABYTE);
test.each<[string, string, string]>([
  ['HTML with a wrong field', JSON.stringify({ html, format: 'x' }), '"format" must be one of'],
  ['HTML with an unknown field', JSON.stringify({ html, fulPage: true }), 'did you mean "fullPage"?'],
  ['HTML with a URL', JSON.stringify({ url, html }), '"html" must be left out'],
  ['too much HTML', JSON.stringify({ html: long }), '"html" must be HTML of at most 5 MB'],
  ['too much HTML of two bytes each', JSON.stringify({ html: 'é'.repeat(4 * MEGABYTE) }), 'at most 5 MB'],
  ['a long unknown field', JSON.stringify({ url, nothing: long }), '"nothing" is not a field'],
  ['a long selector', JSON.stringify({ url, selector: `.a${long}` }), 'characters, but is ".axxxx'],
  [
    'a long selector of escapes',
    `{"url":"${url}","selector":"${'\\u0041'.repeat(1.5 * MEGABYTE)}"}`,
    '"AAAA',
  ],
  ['a long address', JSON.stringify({ url: ` ${long}` }), '"url" must be a string of at most 8192'],
  ['a long name of a field', JSON.stringify({ [long]: 1 }), '"xxxxxxx'],
  ['a long header', JSON.stringify({ url, headers: { 'X-A': long } }), '"headers" must have at most 8192'],
  ['a long name of a header', JSON.stringify({ url, headers: { [long]: 'a' } }), '"headers'],
  [
    'a long cookie',
    JSON.stringify({ url, cookies: [{ name: 'a', value: long }] }),
    '"cookies[0].value" must',
  ],
  ['only a long text', JSON.stringify(long), 'must be a JSON object'],
  ['a long list of texts', JSON.stringify([long]), 'must be a JSON object'],
  ['a text that does not end', `{"html":"${long}`, 'not valid JSON'],
  ['a wrong escape at its beginning', `{"html":"\\x${long}"}`, 'not valid JSON'],
  [
    'two long texts',
    JSON.stringify({ html, css: html }),
    'without its longest text, it may have at most 640 KiB',
  ],
  ['many fields', `{${'"a":1,'.repeat(MEGABYTE)}"b":1}`, 'without its longest text'],
  ['nested lists', '['.repeat(5 * MEGABYTE), 'without its longest text'],
  ['spaces', ' '.repeat(most), 'without its longest text'],
  ['many fields beside HTML', `{"html":"${long}",${'"a":1,'.repeat(600)}"b":1}`, 'at most 512 are accepted'],
  ['a forbidden name', `{"html":"${long}","__proto__":{}}`, 'not valid JSON'],
])('rejects %s before parsing any large text', async (_what, body, words) => {
  const { status, longest, error } = await post(body);
  expect([status, error]).toEqual([400, expect.stringContaining(words)]);
  expect(error?.length).toBeLessThan(LIMITS.errorBytes.max);
  expect(longest).toBeLessThan(100_000);
});

test('rejects a body with a wrong escape in the middle of its HTML', async () => {
  const { status, error } = await post(`{"html":"${long.slice(0, 3 * MEGABYTE)}\\q${'x'.repeat(MEGABYTE)}"}`);
  expect([status, error]).toEqual([400, 'The request body is not valid JSON.']);
});

test('rejects a body of more than 10 MiB, and names the limit', async () => {
  const { status, error } = await post(' '.repeat(most + 1));
  expect([status, error]).toEqual([413, expect.stringContaining('at most 10 MiB')]);
});

test('lets other work run while a large body is read', async () => {
  let served = 0;
  let isRead = false;
  const count = () => {
    if (isRead) return;
    served += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await post(JSON.stringify({ html, format: 'x' }));
  isRead = true;
  expect(served).toBeGreaterThan(html.length / 200_000);
});

test('an operation that does not accept HTML accepts no body larger than LIMITS.textBodyBytes', () => {
  for (const operation of Object.values<Operation>(operations))
    if (!('html' in (operation.request?.shape ?? {})))
      expect(maxBodyBytesOf(operation)).toBeLessThanOrEqual(LIMITS.textBodyBytes.max);
});
