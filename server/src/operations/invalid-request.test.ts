import { capturePdfRequest, captureScreenshotRequest, LIMITS } from '@signpost/contract';
import { outcome } from '../../../test/fixtures/capture/outcome.js';
import { parseRequest } from './invalid-request.js';

const url = 'https://example.com';

const rejectionOfAll = async (
  schema: typeof captureScreenshotRequest | typeof capturePdfRequest,
  fields: object,
) => (await outcome(new Promise((resolve) => resolve(parseRequest(schema, fields))))).message;
const rejectionOf = (device: string) => rejectionOfAll(captureScreenshotRequest, { url, device });

test.each([
  ['iPhone15', '"iPhone 15", '],
  ['iphone 15 pro', '"iPhone 15 Pro", '],
  ['Samsung Galaxy S24', '"Galaxy S24", '],
  ['Pixel 99', '"Pixel 9", '],
])('for the unknown device %s, suggests the most similar names', async (device, first) => {
  const start = '"device" must be one of the 207 names that the reference lists, such as ';
  expect(await rejectionOf(device)).toMatch(start + first);
  expect(await rejectionOf(device)).toMatch(new RegExp(`"([^"]+", "){2}[^"]+", but is "${device}"\\.$`, 'u'));
});

test('the message about a device name of a megabyte is within the bound of error messages', async () => {
  const words = await rejectionOf('x'.repeat(1_000_000));
  expect(words.length).toBeLessThan(LIMITS.errorBytes.max);
});

test.each<[string, object, string]>([
  ['"selector"', { url, selector: '' }, 'a string of 1 to 1000 characters, but is ""'],
  ['"waitForSelector"', { url, waitForSelector: '' }, 'a string of 1 to 1000 characters, but is ""'],
  ['"hideSelectors[1]"', { url, hideSelectors: ['p', ''] }, 'a string of 1 to 1000 characters, but is ""'],
  ['"clickSelectors[0]"', { url, clickSelectors: [''] }, 'a string of 1 to 1000 characters, but is ""'],
  ['"css"', { url, css: '' }, 'a string of 1 to 65536 characters, but is ""'],
  ['"html"', { html: '' }, 'a string of 1 to 5000000 characters, but is ""'],
  [
    '"clip.width"',
    { url, clip: { x: 0, y: 0, width: 9_000, height: 1 } },
    'a number from 1 to 7680, but is 9000',
  ],
  [
    '"clip.height"',
    { url, clip: { x: 0, y: 0, width: 1, height: 0.5 } },
    'a number from 1 to 7680, but is 0.5',
  ],
])('the message about %s names the minimum and the maximum', async (name, fields, words) => {
  expect(await rejectionOfAll(captureScreenshotRequest, fields)).toBe(`${name} must be ${words}.`);
});

test.each(['headerHtml', 'footerHtml'])(
  'the message about an empty %s names the minimum and the maximum length',
  async (name) => {
    const words = `"${name}" must be a string of 1 to 20000 characters, but is "".`;
    expect(await rejectionOfAll(capturePdfRequest, { url, [name]: '' })).toBe(words);
  },
);
