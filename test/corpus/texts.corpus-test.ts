import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startCorpus, type Corpus } from './support/corpus.js';

let corpus: Corpus;
let browser: TestBrowser;
let person: Person;

beforeAll(async () => {
  [corpus, browser] = await Promise.all([startCorpus(), startTestBrowser()]);
  person = await browser.person(corpus.url('/'), { width: 1920 });
});
afterAll(async () => {
  await Promise.all([corpus.close(), person.close().then(() => browser.close())]);
});

/** The words of a text in lower case, and how often each occurs. */
function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The words that `text` contains more often than `other`, each as many times as `other` lacks it. */
const without = (text: string, other: string) => {
  const others = counted(other);
  return [...counted(text)].flatMap(([word, count]) =>
    Array.from({ length: Math.max(0, count - (others.get(word) ?? 0)) }, () => word),
  );
};

/** The inner text of a page and its frames, as the browser has it after the page was scrolled through. */
async function innerText(path: string): Promise<string> {
  const { page } = person;
  await page.goto(corpus.url(path), { waitUntil: 'load' });
  await page.evaluate(`(async () => {
    for (let top = 0; top < Math.min(document.documentElement.scrollHeight, 20000); top += innerHeight) {
      scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    scrollTo(0, 0);
    await new Promise((resolve) => setTimeout(resolve, 1500));
  })()`);
  const texts = page.frames().map((frame) => frame.evaluate<string>('document.body?.innerText ?? ""'));
  return (await Promise.all(texts)).join('\n');
}

/** Sentences that a reader sees on each page. */
const PAGES: readonly (readonly [path: string, sentences: readonly string[]])[] = [
  ['/admin-lte/pages/examples/invoice.html', ['Invoice #007612', 'Call of Duty', '$265.24']],
  ['/admin-lte/pages/UI/timeline.html', ['Sarah Young accepted your friend request', '10 Feb. 2014']],
  ['/startbootstrap-sb-admin-2/tables.html', ['Showing 1 to 10 of 57 entries', '$162,700']],
  [
    '/startbootstrap-clean-blog/dist/post.html',
    ['Never in all their history have men', 'Placeholder text by'],
  ],
  ['/startbootstrap-agency/dist/index.html', ["It's Nice To Meet You", 'E-Commerce', 'Larry Parker']],
  ['/swagger-ui-dist/index.html', ['/pets/{id}', 'One pet by its number']],
  ['/typo.css/typo.html', ['排版实例', '论语学而篇第一']],
  ['/han-css/demo/test-ja.html', ['內容群組類', '段落']],
  ['/aos/demo/simple.html', ['1', '42']],
  ['/pages/right-to-left.html', ['سلام دنیا']],
  ['/pages/klaro.html', []],
];

/** The share of the words that may be missing, because nobody sees them: off-screen or transparent ones, say. */
const MAX_MISSING_SHARE = 0.05;

test.each(PAGES)(
  'the text of %s has nearly all words that a reader sees, and its Markdown has all words of the text',
  async (path, sentences) => {
    const inner = await innerText(path);
    const { content } = await corpus.words(path, { mainContentOnly: false });
    const markdown = await corpus.words(path, { mainContentOnly: false, format: 'markdown' });
    const missing = without(inner, content);
    const invented = without(content, inner);
    console.info(
      `${path}: ${counted(content).size} words; missing ${missing.length}: ${missing.slice(0, 30).join(' ')}; invented ${invented.length}: ${invented.slice(0, 30).join(' ')}`,
    );
    expect(without(content, markdown.content)).toEqual([]);
    const plain = content.replace(/\s+/gu, ' ');
    for (const sentence of sentences) expect(plain).toContain(sentence);
    expect(missing.length).toBeLessThanOrEqual(Math.max(5, MAX_MISSING_SHARE * inner.split(/\s+/u).length));
  },
);
