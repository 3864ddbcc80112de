import { fillsOf } from '../fixtures/capture/pdf-contents.js';
import { PINK, pixelsOf, startCorpus, type Corpus } from './support/corpus.js';

let corpus: Corpus;

beforeAll(async () => {
  corpus = await startCorpus();
});
afterAll(() => corpus.close());

const AOS_BLUE = [28, 163, 225] as const;
const TILE_PIXELS = 200 * 100;

test.each([
  ['lazysizes', '/pages/lazysizes.html'],
  ['vanilla-lazyload', '/pages/vanilla-lazyload.html'],
  ['lozad', '/pages/lozad.html'],
])(
  'a full page and a PDF have all 20 images that %s loads only when they become visible',
  async (_name, path) => {
    const picture = await corpus.picture(path, { fullPage: true });
    expect(pixelsOf(picture, PINK)).toBe(20 * TILE_PIXELS);
    expect(await fillsOf((await corpus.printed(path)).body, PINK)).toBe(20);
  },
);

test("a full page has all images of blazy's examples at full opacity", async () => {
  const picture = await corpus.picture('/blazy/example/index.html', { fullPage: true });
  expect(pixelsOf(picture, PINK)).toBeGreaterThan(2_900_000);
});

test('a full page has the boxes that AOS shows only when they become visible', async () => {
  const picture = await corpus.picture('/aos/demo/simple.html', { fullPage: true });
  expect(pixelsOf(picture, AOS_BLUE)).toBeGreaterThan(3_000_000);
});

test('a full page has the boxes that a page adds late and AOS then shows', async () => {
  const picture = await corpus.picture('/aos/demo/async.html', { fullPage: true });
  expect(pixelsOf(picture, AOS_BLUE)).toBeGreaterThan(350_000);
});

test('a PDF has all 42 boxes that AOS shows only when they become visible', async () => {
  const { text } = await corpus.printed('/aos/demo/simple.html');
  expect(text.trim().split(' ').map(Number)).toEqual(Array.from({ length: 42 }, (_, index) => index + 1));
});

test("a PDF of an agency's page has all its 14 photos", async () => {
  const { photos, text } = await corpus.printed('/startbootstrap-agency/dist/index.html');
  expect(photos).toBe(14);
  expect(text).toContain("IT'S NICE TO MEET YOU");
});
