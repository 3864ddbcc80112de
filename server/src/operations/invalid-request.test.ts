import { captureScreenshotRequest, LIMITS } from '@signpost/contract';
import { outcome } from '../../../test/fixtures/capture/outcome.js';
import { parseRequest } from './invalid-request.js';

const url = 'https://example.com';

const refusalOf = async (device: string) => {
  const parsing = new Promise((resolve) => resolve(parseRequest(captureScreenshotRequest, { url, device })));
  return (await outcome(parsing)).message;
};

test.each([
  ['iPhone15', '"iPhone 15", '],
  ['iphone 15 pro', '"iPhone 15 Pro", '],
  ['Samsung Galaxy S24', '"Galaxy S24", '],
  ['Pixel 99', '"Pixel 9", '],
])('%s is no device: the names that are nearest are offered', async (device, first) => {
  const start = '"device" must be one of the 207 names that the reference lists, such as ';
  expect(await refusalOf(device)).toMatch(start + first);
  expect(await refusalOf(device)).toMatch(new RegExp(`"([^"]+", "){2}[^"]+", but is "${device}"\\.$`, 'u'));
});

test('a name of a megabyte is compared by its beginning alone', async () => {
  const words = await refusalOf('x'.repeat(1_000_000));
  expect(words.length).toBeLessThan(LIMITS.errorBytes.max);
});
