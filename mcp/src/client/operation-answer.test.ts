import { refusalOf } from './operation-answer.js';

const refusal = (error: string, headers: Record<string, string> = {}) =>
  refusalOf({ status: 404, headers, body: Buffer.from(JSON.stringify({ error })) });

test.each<[string, Record<string, string>, string]>([
  ['names it', { 'x-signpost-error': 'notInDirectory' }, 'No such postcode.'],
  ['is older, and says it in words', {}, 'There is no postcode ZZ1 1ZZ in the directory.'],
])('recognizes a postcode that the directory does not have, if the server %s', (_how, headers, words) => {
  expect(refusal(words, headers)).toMatchObject({ status: 404, message: words, isNotInDirectory: true });
});

test.each<[string, Record<string, string>]>([
  ['of a Signpost server', { 'x-signpost-error': 'notFound' }],
  ['of somebody else', {}],
])('reports a wrong base URL for any other 404, such as one %s', (_whose, headers) => {
  const error = refusal('There is nothing at this path.', headers);
  expect(error).toMatchObject({ status: 404, isNotInDirectory: false });
  expect(error.message).toMatch(/^The base URL is wrong \(--base-url, SIGNPOST_BASE_URL\)/u);
});
