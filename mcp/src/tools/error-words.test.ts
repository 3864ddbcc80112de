import { SignpostApiError } from '../client/signpost-api-error.js';
import { errorWords, inToolWords } from './error-words.js';

const screenshot = new Set([
  'url',
  'html',
  'fullPage',
  'selector',
  'width',
  'height',
  'part',
  'waitForSelector',
]);
const lookup = new Set(['postcode', 'include']);

test.each([
  [
    'The page was not complete within 30 seconds. Send "onTimeout": "capture" to get what has loaded by then.',
    'The page was not complete within 30 seconds.',
  ],
  [
    'The page is 90000 pixels tall, more than the 50000 that a picture may have. Cut it with "maxHeight", or leave fullPage out.',
    'The page is 90000 pixels tall, more than the 50000 that a picture may have.',
  ],
  [
    '"fullPage" must be left out if "clip" or "selector" chooses a part of the page',
    '"fullPage" must be left out if "selector" chooses a part of the page',
  ],
  [
    'The element takes no room. Choose another one, or wait for it with "waitForSelector".',
    'The element takes no room. Choose another one, or wait for it with "waitForSelector".',
  ],
  ['"clip" begins outside of the page.', '"clip" begins outside of the page.'],
])('a message for a tool has no advice about fields that the tool does not have: %s', (message, words) => {
  expect(inToolWords(message, screenshot)).toBe(words);
});

test.each([
  [
    'E1 is an outcode. For its postcodes ask POST /api/postcode/autocomplete with {"partial": "E1 "}.',
    'E1 is an outcode. For its postcodes ask autocomplete_postcode with {"partial": "E1 "}.',
  ],
  ['It is wrong. A new token comes from POST /api/token/refresh.', 'It is wrong.'],
  ['It is wrong. See GET /api/postcode/directory for the edition.', 'It is wrong.'],
  ['One line\nand another\u202e.', 'One line and another.'],
])('names tools instead of paths, leaves out paths without a tool, and joins lines: %s', (message, words) => {
  expect(inToolWords(message, lookup)).toBe(words);
});

test('the words about a rate limit say when to call again', () => {
  const error = new SignpostApiError('Too many requests.', { status: 429, retryAfterSeconds: 90 });
  expect(errorWords(error, lookup)).toBe(
    'Too many requests. Do not call this server again for 90 seconds; tell the user if that is too long.',
  );
});
