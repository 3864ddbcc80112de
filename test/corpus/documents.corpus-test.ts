import { lineFromRight } from '../fixtures/capture/pdf-contents.js';
import { PINK, pixelsOf, startCorpus, type Corpus } from './support/corpus.js';

/** Colours of the emoji: a heart, an apple and broccoli. */
const [BLUE, RED, GREEN] = [
  [93, 173, 236],
  [221, 46, 68],
  [119, 178, 85],
] as const;

let corpus: Corpus;

beforeAll(async () => {
  corpus = await startCorpus();
});
afterAll(() => corpus.close());

describe('a PDF has what a reader sees', () => {
  test.each([
    ['an invoice', '/admin-lte/pages/examples/invoice.html', ['Invoice #007612', 'Call of Duty', '$265.24']],
    ['an invoice made for printing', '/admin-lte/pages/examples/invoice-print.html', ['#007612', '$265.24']],
    ['a timeline', '/admin-lte/pages/UI/timeline.html', ['Sarah Young accepted your friend request']],
    ['a table that a script fills', '/startbootstrap-sb-admin-2/tables.html', ['1 to 10 of 57', '$162,700']],
    ['an article', '/startbootstrap-clean-blog/dist/post.html', ['Never in all their history have men']],
    ['documentation of an interface', '/swagger-ui-dist/index.html', ['/pets/{id} One pet by its number']],
    ['Chinese documentation', '/typo.css/typo.html', ['排版实例', '论语学而篇第一']],
    ['a page in traditional Chinese', '/han-css/demo/test-ja.html', ['內容群組類', '段落']],
    ['Chinese with the pronunciation above the characters', '/han-css/demo/ruby.html', ['shìqíng kàn lěngnuǎn']],
  ])('a PDF has the text of %s', async (_name, path, words) => {
    const { text } = await corpus.printed(path);
    for (const word of words) expect(text).toContain(word);
  });

  test('a PDF has Persian text, which is written from right to left, as text', async () => {
    const { body } = await corpus.printed('/pages/right-to-left.html');
    expect(await lineFromRight(body)).toBe('سلام دنیا');
  });

  test('a PDF of an article has its two photos', async () => {
    const { photos } = await corpus.printed('/startbootstrap-clean-blog/dist/post.html');
    expect(photos).toBe(2);
  });

  test('a PDF of a presentation has more than 30 sheets, from its first slide to its last', async () => {
    const { text, pageCount } = await corpus.printed('/reveal.js/demo.html?print-pdf', {
      preferCssPageSize: true,
    });
    expect(pageCount).toBeGreaterThan(30);
    expect(text).toContain('THE HTML PRESENTATION FRAMEWORK');
    expect(text).toContain('THE END');
  });
});

describe('a picture has what a visitor sees', () => {
  test('a picture of a presentation of Reveal.js shows its first slide, white on black', async () => {
    const picture = await corpus.picture('/reveal.js/demo.html');
    expect(pixelsOf(picture, [25, 25, 25])).toBeGreaterThan(600_000);
    expect(pixelsOf(picture, [255, 255, 255])).toBeGreaterThan(5_000);
  });

  test('a picture of a presentation of Impress.js shows a white slide, and another colour beside it', async () => {
    const picture = await corpus.picture('/impress.js/index.html');
    const [slide, beside] = [picture.at(500, 100), picture.at(20, 20)];
    expect(slide).toEqual([255, 255, 255]);
    expect(beside).not.toEqual([255, 255, 255]);
  });

  test('a picture shows three emoji in their own colours', async () => {
    const picture = await corpus.picture('/pages/emoji.html');
    for (const colour of [BLUE, RED, GREEN]) expect(pixelsOf(picture, colour)).toBeGreaterThan(1_000);
  });

  test('a picture shows Persian text at the right, and no text at the left', async () => {
    const picture = await corpus.picture('/pages/right-to-left.html');
    expect(picture.at(980, 10)).toEqual(PINK);
    const black = (from: number, to: number) => {
      let count = 0;
      for (let x = from; x < to; x += 1)
        for (let y = 0; y < 100; y += 1) if (Math.max(...picture.at(x, y)) < 20) count += 1;
      return count;
    };
    expect(black(700, 960)).toBeGreaterThan(400);
    expect(black(0, 700)).toBe(0);
  });
});
