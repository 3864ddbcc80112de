import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { imageSize } from '../../mcp/src/tools/fitting-capture.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { connectStdio, type ConnectedClient, pictureOf, wordsOf } from './support/clients.js';
import { HUGE_PAGES } from './support/huge-pages.js';

const MAX_RESULT_BYTES = 1_000_000;
const MAX_SIDE_PIXELS = 8_000;

let folder: string;
let pages: Pages;
let saving: ConnectedClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-mcp-'));
  pages = await servePages(HUGE_PAGES);
  saving = await connectStdio('signpost', ['mcp', '--output-dir', join(folder, 'captures')], {
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    SIGNPOST_DATA_DIR: join(folder, 'data'),
  });
});
afterAll(async () => {
  await saving.close();
  await pages.close();
  await rm(folder, { recursive: true, force: true });
});

const bytesOf = (result: CallToolResult) => Buffer.byteLength(JSON.stringify(result));
const savedFile = (result: CallToolResult) => readFile(/Saved to (.+)/u.exec(wordsOf(result))?.[1] ?? '');

const expectToFit = (result: CallToolResult) => {
  expect(bytesOf(result)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
  const size = imageSize(pictureOf(result).bytes);
  expect(Math.max(size?.width ?? Infinity, size?.height ?? Infinity)).toBeLessThanOrEqual(MAX_SIDE_PIXELS);
};

test.each([
  ['noise in the default window', '/noise', {}, /captured again as JPEG/u],
  [
    'noise in a large window',
    '/vast-noise',
    { width: 3000, height: 3000 },
    /in a window of \d+ × \d+ pixels/u,
  ],
  [
    'a page that is too tall',
    '/tall',
    { fullPage: true },
    /upper 7680 pixels alone, as it is 20000 pixels tall/u,
  ],
  ['tall noise', '/tall-noise', { fullPage: true }, /upper 7680 pixels[\s\S]*in a window/u],
])(
  '%s becomes a picture that every client takes, says how, and is saved as it was asked for',
  async (...scenario) => {
    const [, path, args, says] = scenario;
    const result = await saving.call('capture_screenshot', { url: pages.url + path, ...args });
    expect([result.isError, wordsOf(result)]).toEqual([undefined, expect.stringMatching(says)]);
    expectToFit(result);
    expect(imageSize(await savedFile(result))?.width).toBe('width' in args ? args.width : 1280);
  },
);

test('a PDF that is far too large is saved, and its result small', async () => {
  const result = await saving.call('capture_pdf', {
    url: `${pages.url}/many-pages`,
    outputFile: 'reports/big.pdf',
  });
  expect(bytesOf(result)).toBeLessThan(2_000);
  const file = await savedFile(result);
  expect(file.length).toBeGreaterThan(MAX_RESULT_BYTES);
  expect(wordsOf(result)).toContain(join('captures', 'reports', 'big.pdf'));
});

test('an argument that would be repeated at length cannot make a result too large', async () => {
  const long = 'x'.repeat(1_500_000);
  for (const [tool, args] of [
    ['validate_postcode', { postcode: long }],
    ['lookup_postcode', { postcode: long }],
    ['lookup_postcodes', { postcodes: [long, long] }],
    ['autocomplete_postcode', { partial: long }],
    ['capture_screenshot', { url: `http://127.0.0.1/${long}` }],
    ['get_usage', { [long]: 1 }],
  ] as const)
    expect(bytesOf(await saving.call(tool, args))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
});

test('a hundred whole records fit', async () => {
  const { structuredContent } = await saving.call('lookup_postcodes', {
    postcodes: Array.from({ length: 100 }, () => 'SW1A 1AA'),
  });
  expect(structuredContent).toMatchObject({ found: 100, missing: [] });
});
