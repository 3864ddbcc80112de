import { CONTENT_FORMATS, readPageRequest } from '@signpost/contract';
import fc from 'fast-check';
import { never } from '../../../../test/fixtures/capture/outcome.js';
import { startTestCapture, type TestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** Inline elements. Each "…" is a gap for content, here and in the lists below. */
const INLINE = [
  ...['<b>…</b>', '<em class="date">…</em>', '<span>…</span>', '<a href="/x">…</a>', '<code>…</code>'],
  ...['<label>…</label>', '<i>…</i>', '<button>…</button>', '<s>…</s>', '<kbd>…</kbd>', '<q>…</q>'],
  ...['<output>…</output>', '<b>…</b><wbr><i>…</i>', '<ruby>…<rt>…</rt></ruby>', '<input value="…">'],
  ...['<textarea>…</textarea>', '<input type="password" placeholder="…">', '<input type="submit" value="…">'],
  '<select><option>Other</option><option selected>…</option></select>',
  '<math><mfrac><mi>…</mi><mi>…</mi></mfrac></math>',
  '<style>[title]::before{content:attr(title)}</style><span title="…">…</span>',
];
const CLASSES = [
  ...['menu', 'contact-details', 'card-text', 'related', 'next', 'author', 'newsletter', 'popular', 'share'],
  ...['sidebar', 'footer', 'cookie-note', 'comments', 'promo', 'hidden-print'],
];
const BLOCKS = [
  ...CLASSES.map((name) => `<div class="${name}">…</div>`),
  ...['<p>…</p>', '<section>…</section>', '<blockquote>…</blockquote>', '<aside>…</aside>', '<nav>…</nav>'],
  ...['<h2>…</h2>', '<h3 class="title">…</h3>', '<header>…</header>', '<footer>…</footer>', '<form>…</form>'],
  ...[
    '<ul><li>…</li><li>…</li></ul>',
    '<ol><li>…</li></ol>',
    '<dl><dt>…</dt><dd>…</dd></dl>',
    '<pre>…</pre>',
  ],
  ...['<table><tr><th>…</th><th>…</th></tr><tr><td>…</td><td>…</td></tr></table>', '<center>…</center>'],
  '<table><caption>…</caption><tr><td colspan="2">…</td></tr><tr><td>…</td><td>…</td></tr></table>',
  ...['<details><summary>…</summary>…</details>', '<div role="list"><div role="listitem">…</div></div>'],
  ...['<div role="note">…</div>', '<div role="heading" aria-level="3">…</div>', '<div role="alert">…</div>'],
  ...['<fieldset><legend>…</legend>…</fieldset>', '<figure>…<figcaption>…</figcaption></figure>'],
  ...['<div style="display:flex">…</div>', '<div style="content-visibility:auto">…</div>'],
  ...['<div style="white-space:pre-wrap">…</div>', '<div style="background:#000;color:#fff">…</div>'],
  ...[
    '<span style="display:block">…</span>',
    '<a href="/card">…</a>',
    '<div style="display:contents">…</div>',
  ],
  ...['<ol reversed><li>…</li><li>…</li></ol>', '<dl><div><dt>…</dt><dd>…</dd></div></dl>'],
  ...['<hgroup>…</hgroup>', '<address>…</address>', '<menu><li>…</li></menu>', '<div class="banner">…</div>'],
  '<div role="table"><p>…</p><div role="row"><i role="cell">…</i><i>…</i></div></div>',
  '<div><template shadowrootmode="open"><div>…</div><slot name="a"></slot></template><div slot="a">…</div></div>',
  '<div><template shadowrootmode="open"><slot></slot><div><template shadowrootmode="open"><i>…</i></template></div></template></div>',
];
const HIDDEN_STYLES = [
  ...[
    'display:none',
    'visibility:hidden',
    'font-size:0',
    'position:absolute;left:-9999px',
    'clip-path:inset(50%)',
  ],
  ...[
    'position:absolute;top:-5000px',
    'color:#fff;background:#fff',
    'color:transparent',
    'transform:scale(0)',
  ],
  ...['height:0;overflow:hidden', 'position:absolute;width:1px;height:1px;overflow:hidden', 'opacity:0'],
  ...[
    'text-indent:-9999px;overflow:hidden',
    'content-visibility:hidden',
    'position:absolute;clip:rect(0 0 0 0)',
  ],
  ...['position:fixed;left:110vw', 'position:fixed;top:110vh', 'filter:opacity(0)', 'visibility:collapse'],
  ...['text-indent:100%;white-space:nowrap;overflow:hidden', 'position:absolute;left:9999px'],
  ...['clip-path:inset(0 100% 0 0)', 'clip-path:circle(0)'],
];
const OFF_SCREEN = 'style="position:absolute;left:-9999px"';
const HIDDEN = [
  ...HIDDEN_STYLES.map((style) => `<div style="${style}">…</div>`),
  ...[`<input value="…" ${OFF_SCREEN}>`, `<textarea ${OFF_SCREEN}>…</textarea>`],
  ...[`<select ${OFF_SCREEN}><option>…</option></select>`, `<iframe srcdoc="…" ${OFF_SCREEN}></iframe>`],
  `<img alt="…" width="99" height="99" ${OFF_SCREEN}>`,
  `<style>[title]::before{content:attr(title)}</style><p title="…" ${OFF_SCREEN}>…</p>`,
];

const MAX_DEPTH = 4;

/**
 * Builds a page from random choices. Returns its HTML and its visible words, such as "seen1": all of them, and those in
 * the main part. Hidden words begin with "unseen".
 */
function pageOf(choices: readonly number[]) {
  let at = 0;
  let count = 0;
  const seen: string[] = [];
  const choose = (bound: number) => (choices[at++] ?? 0) % bound;
  const pick = (list: readonly string[]) => list[choose(list.length)] ?? '';
  const word = (isSeen: boolean) => {
    count += 1;
    if (isSeen) seen.push(`seen${count}`);
    return isSeen ? `seen${count}` : `unseen${count}`;
  };
  const fill = (markup: string, depth: number, isSeen: boolean): string =>
    markup.replaceAll('…', () => (depth === 0 ? word(isSeen) : parts(depth - 1, isSeen)));
  const parts = (depth: number, isSeen: boolean): string =>
    Array.from({ length: 1 + choose(3) }, () => {
      const kind = choose(10);
      if (kind === 0) return fill(pick(HIDDEN), 0, false);
      if (kind < 3) return word(isSeen);
      if (kind < 5) return fill(pick(INLINE), 0, isSeen);
      return fill(pick(BLOCKS), depth, isSeen);
    }).join(' ');
  const frame = () =>
    `<iframe width="600" srcdoc="${parts(2, true).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
  const before = `<header><a href="/">${word(true)}</a><nav>${word(true)}</nav></header>`;
  const outside = seen.length;
  const main = `<main><h1>${word(true)}</h1>${Array.from({ length: 8 }, () => parts(MAX_DEPTH, true)).join(' ')}${frame()}<p>${'word '.repeat(60)}</p></main>`;
  const inMain = seen.slice(outside);
  return { html: `<!doctype html>${before}${main}<footer>${word(true)}</footer>`, all: seen, inMain };
}

let capture: TestCapture;
beforeAll(async () => {
  capture = await startTestCapture();
});
afterAll(() => capture.close());

const wordsIn = (content: string) => content.match(/(?:un)?seen\d+/gu) ?? [];

test('of a generated page or its main part, reads every visible word once and in order, and no hidden word, in any format', async () => {
  const choices = fc.array(fc.nat(), { minLength: 400, maxLength: 400 });
  const page = fc.record({
    choices,
    format: fc.constantFrom(...CONTENT_FORMATS),
    mainContentOnly: fc.boolean(),
  });
  const check = fc.asyncProperty(page, async ({ choices: chosen, ...options }) => {
    const { html, all, inMain } = pageOf(chosen);
    const { content } = await capture.content(readPageRequest.parse({ html, ...options }), never());
    expect(wordsIn(content)).toEqual(options.mainContentOnly ? inMain : all);
  });
  await fc.assert(check, { numRuns: 25, interruptAfterTimeLimit: 60_000 });
});
