import type { Backend } from '../client/backend.js';
import { autocompletePostcode, findNearestPostcodes } from './postcode-tools.js';

const backendThat = (answer: unknown): Backend => ({
  call: () => Promise.resolve(JSON.parse(JSON.stringify(answer))),
});

const files = { kind: 'links', keep: () => Promise.resolve(undefined) } as const;
const NEAREST = { results: [] };
const wordsOf = async (tool: typeof findNearestPostcodes, args: object, answer: unknown) => {
  const { signal } = new AbortController();
  const context = { backend: backendThat(answer), files, signal, report: () => undefined };
  const [first] = (await tool.call(args, context)).content;
  return first?.type === 'text' ? first.text : '';
};

test.each([
  [{ latitude: -0.1416, longitude: 51.501 }, /latitude 51\.501 and longitude -0\.1416 are: call again/u],
  [{ latitude: 48.85, longitude: 2.35 }, /The point is not in the UK/u],
  [{ latitude: 53.5, longitude: -4 }, /A larger radiusMetres \(at most 20000\) may find some/u],
  [{ latitude: 53.5, longitude: -4, radiusMetres: 20_000 }, /the point may lie at sea/u],
])('where nothing is near %j the words say what to do', async (args, words) => {
  expect(await wordsOf(findNearestPostcodes, args, NEAREST)).toMatch(words);
});

test.each([
  [10, /raise limit \(at most 100\), or send more characters/u],
  [100, /There may be more: send more characters/u],
])('with %i that begin so, the words lead on', async (limit, words) => {
  const postcodes = Array.from({ length: limit }, () => 'SW1A 1AA');
  expect(await wordsOf(autocompletePostcode, { partial: 'SW', limit }, { postcodes })).toMatch(words);
});
