import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { usageStatistics } from '@signpost/contract';
import { pictureSize } from '../../mcp/src/tools/fitting-picture.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { connectStdio, type ConnectedClient, picturesOf, wordsOf } from './support/clients.js';
import { HUGE_PAGES } from './support/huge-pages.js';

const MAX_RESULT_BYTES = 1_000_000;
const SEEN_PIXELS = 1_568;
const BYTES_PER_TOKEN = 4;

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
const countedSoFar = async () =>
  usageStatistics.parse((await saving.call('get_usage')).structuredContent).totalRequests;
const savedFile = (result: CallToolResult) => readFile(/Saved to (.+)/u.exec(wordsOf(result))?.[1] ?? '');

test.each([
  ['noise in the default window', '/noise', {}, 800, /smaller or with a stronger compression: image\/jpeg/u],
  ['a large window', '/vast-noise', { width: 3000, height: 2000 }, 2000, /Shown smaller/u],
  ['a tall page', '/tall', { fullPage: true }, 20_000, /part 1 of 3\..*again with "part": 2/u],
  [
    'the last part of a tall page',
    '/tall',
    { fullPage: true, part: 3 },
    20_000,
    /18462 to 20000, .*, part 3 of 3\.$/mu,
  ],
  ['tall noise', '/tall-noise', { fullPage: true }, 12_000, /rows of pixels 0 to 1500, 1500 to 3000,/u],
])(
  'a screenshot of %s counts as one request, has pictures that fit into a result, and is saved in full size',
  async (...scenario) => {
    const [, path, args, height, says] = scenario;
    const before = await countedSoFar();
    const result = await saving.call('capture_screenshot', { url: pages.url + path, ...args });
    expect([result.isError, wordsOf(result)]).toEqual([undefined, expect.stringMatching(says)]);
    // One request for the capture, however many pictures it shows, and one for this question itself.
    expect(await countedSoFar()).toBe(before + 2);
    expect(bytesOf(result)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    for (const { bytes } of picturesOf(result)) {
      const size = await pictureSize(bytes);
      expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(SEEN_PIXELS);
    }
    const width = 'width' in args ? args.width : 1280;
    expect(await pictureSize(await savedFile(result))).toEqual({ width, height });
  },
);

test('a capture of a part beyond the last one is an error that says how many parts there are', async () => {
  const result = await saving.call('capture_screenshot', { url: `${pages.url}/noise`, part: 2 });
  expect([result.isError, wordsOf(result)]).toEqual([true, expect.stringContaining('It has one part')]);
});

test('a PDF of more than 1 MB is saved to the given file, and its result has fewer than 2,000 bytes', async () => {
  const result = await saving.call('capture_pdf', {
    url: `${pages.url}/many-pages`,
    outputFile: 'reports/big.pdf',
  });
  expect(bytesOf(result)).toBeLessThan(2_000);
  const file = await savedFile(result);
  expect(file.length).toBeGreaterThan(MAX_RESULT_BYTES);
  expect(wordsOf(result)).toContain(join('captures', 'reports', 'big.pdf'));
});

test('an argument of 1,500,000 characters does not make a result larger than 1 MB', async () => {
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

test('a hundred records take at most 10,000 tokens if no fields are requested, and otherwise have those fields', async () => {
  const postcodes = Array.from({ length: 100 }, () => 'SW1A 1AA');
  const unasked = await saving.call('lookup_postcodes', { postcodes });
  expect(bytesOf(unasked) / BYTES_PER_TOKEN).toBeLessThanOrEqual(10_000);
  expect(unasked.structuredContent).toMatchObject({ found: 100, note: expect.stringContaining('Left out') });
  const fields = ['constituency', 'region', 'policeForce', 'icb', 'lsoa', 'msoa', 'latitude', 'longitude'];
  const whole = await saving.call('lookup_postcodes', { postcodes, fields });
  expect(whole.structuredContent).toMatchObject({ found: 100, missing: [] });
  expect(wordsOf(whole).match(/; constituency .*; longitude /gu)).toHaveLength(100);
});
