import { readPageRequest } from '@signpost/contract';
import { never } from '../../../../test/fixtures/capture/outcome.js';
import { startTestCapture, type TestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

let capture: TestCapture;
beforeAll(async () => {
  capture = await startTestCapture();
});
afterAll(() => capture.close());

const read = (body: string, options: object = {}, head = '') =>
  capture.content(
    readPageRequest.parse({
      html: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
      baseUrl: 'https://example.com/shop/',
      ...options,
    }),
    never(),
  );
const TICKS = '`'.repeat(3);

test.each([
  [
    'a table',
    '<table><caption>Fees</caption><tr><th>A|B<th>C<tr><td>1<td><p>x</p><p>y</p><tr><td>2</table>',
    'Fees\n\n| A\\|B | C |\n| --- | --- |\n| 1 | x<br>y |\n| 2 |  |',
  ],
  [
    'a table with spans as HTML',
    '<table><tr><th colspan="2">Wide<tr><td>1<td><a href="l">2</a></table>',
    '<table><tbody><tr><th colspan="2">Wide</th></tr><tr><td>1</td><td><a href="https://example.com/shop/l">2</a></td></tr></tbody></table>',
  ],
  [
    'a table that only lays out',
    '<table role="presentation"><tr><td><h2>Left</h2></td><td>Right</td></tr></table>',
    '## Left\n\nRight',
  ],
  [
    'nested lists',
    '<ul><li>One<ol start="3"><li>Three</li><li>Four</li></ol></li><li><p>a</p><p>b</p></li></ul>',
    '- One\n  3. Three\n  4. Four\n- a\n\n  b',
  ],
  [
    'lists by role',
    '<div role="list"><div role="listitem">One</div><div role="listitem">Two</div></div>',
    '- One\n- Two',
  ],
  [
    'lists that count down',
    '<ol reversed><li>b</li><li>a</li></ol><ol reversed start="9"><li>i</li><li value="4">d</li><li>c</li></ol>',
    '2. b\n1. a\n\n9. i\n4. d\n3. c',
  ],
  [
    'the foot of a table at its end',
    '<table><tfoot><tr><td>Sum<td>3<tbody><tr><th>A<th>B<tr><td>1<td>2</table>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |\n| Sum | 3 |',
  ],
  [
    'words of a table by role that are in none of its cells',
    '<div role="table"><p>Fees</p><div role="row"><i role="cell">Dog</i><i role="cell">7</i></div><div role="row"><i role="cell">Cat</i>5</div></div>',
    'Fees\n\nDog\n\n7\n\nCat\n\n5',
  ],
  [
    'tasks',
    '<ul><li><input type="checkbox" checked> Done</li><li><input type="checkbox"> Open</li></ul>',
    '- [x] Done\n- [ ] Open',
  ],
  [
    'code with its language and fences inside',
    `<pre class="language-md"><code>${TICKS}\na &lt; b\n${TICKS}</code></pre>`,
    `\`${TICKS}md\n${TICKS}\na < b\n${TICKS}\n\`${TICKS}`,
  ],
  ['code in lines of blocks', '<pre><div>one</div><div>  two</div></pre>', `${TICKS}\none\n  two\n${TICKS}`],
  ['code in a sentence', '<p>Use <code>a_b `c`</code>.</p>', 'Use `` a_b `c` ``.'],
  ['definitions', '<dl><dt>Term</dt><dd>Meaning</dd><dd>Other</dd></dl>', 'Term\n: Meaning\n: Other'],
  [
    'figures',
    '<figure><img src="a.png" alt="An [A]" width="99" height="99"><figcaption>Below</figcaption></figure>',
    '![An \\[A\\]](https://example.com/shop/a.png)\n\nBelow',
  ],
  [
    'images with only a set of sources',
    '<img srcset="b.png, c.png 2x" alt="B" width="99" height="99">',
    '![B](https://example.com/shop/b.png)',
  ],
  [
    'links around blocks',
    '<a href="/card"><h3>Card</h3><p>Text</p></a>',
    '### [Card](https://example.com/card)\n\nText',
  ],
  [
    'links with brackets and spaces',
    '<a href="a b(1).html">x</a> <a href="javascript:y()">y</a>',
    '[x](https://example.com/shop/a%20b%281%29.html) y',
  ],
  [
    'words that look like markup',
    '<p>*a* [b](c) &lt;i&gt; &amp;amp; snake_case</p>',
    '\\*a\\* \\[b\\](c) \\<i> \\&amp; snake_case',
  ],
  ['headings over several lines', '<h2>One<br>two <b>three</b></h2>', '## One two three'],
  [
    'quotes and lines',
    '<blockquote><p>a</p><p>b</p></blockquote><hr><p>c<br>d</p>',
    '> a\n> \n> b\n\n---\n\nc\\\nd',
  ],
  ['raised numbers', '<p>10<sup>3</sup></p>', '10<sup>3</sup>'],
  ['emphasis around blocks', '<b><p>a</p></b><p><i>b</i><i>c</i></p>', 'a\n\n*bc*'],
  [
    'formulas by their source',
    '<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
    '$x^2$',
  ],
  [
    'formulas without a source',
    '<p><math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math></p>',
    'x^2=(a+1)/2',
  ],
  [
    'formulas that MathJax has drawn',
    '<style>mjx-c::before{content:"y"}mjx-assistive-mml{position:absolute;clip:rect(0 0 0 0)}</style><p>So <mjx-container><mjx-c></mjx-c><mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml></mjx-container>.</p>',
    'So y.',
  ],
  [
    'items of a row',
    '<div style="display:flex"><a href="/a">A</a><span>B</span><button>C</button></div>',
    '[A](https://example.com/a) B C',
  ],
  ['sounds above signs', '<ruby>漢<rp>(</rp><rt>kan</rt></ruby>', '漢(kan)'],
  ['opened details', '<details><summary>More</summary><p>Inside</p></details>', 'More\n\nInside'],
])('in Markdown, writes %s', async (_name, body, markdown) => {
  expect((await read(body, { mainContentOnly: false })).content).toBe(markdown);
});

test.each(['markdown', 'html', 'text'] as const)(
  'in the format %s, lists the headings with the offsets at which they begin',
  async (format) => {
    const { content, headings } = await read(
      '<h1>One</h1><p>a</p><div role="heading" aria-level="3">Two</div><h2> </h2>',
      { format },
    );
    expect(headings.map(({ level, text }) => [level, text])).toEqual([
      [1, 'One'],
      [3, 'Two'],
    ]);
    const starts = { markdown: ['# One', '### Two'], html: ['<h1>One', '<h3>Two'], text: ['One', 'Two'] }[
      format
    ];
    headings.forEach(({ offset }, index) => {
      expect(content.slice(offset)).toMatch(new RegExp(`^${starts[index] ?? ''}`, 'u'));
    });
  },
);

test('lists every author, and follows references in structured data', async () => {
  const names =
    '<meta name="author" content="Ada"><meta name="author" content="Bo"><meta name="author" content="Ada">';
  expect((await read('<p>x</p>', {}, names)).author).toBe('Ada, Bo');
  const scholars =
    '<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_author" content="Li, Bo">';
  expect((await read('<p>x</p>', {}, scholars)).author).toBe('Lovelace, Ada; Li, Bo');
  const graph = `<script type="application/ld+json">{"@graph":[{"@type":"WebPage","author":{"@id":"#ada"},"image":{"@id":"#i"}},
    {"@id":"#ada","name":"Ada"},{"@type":"ImageObject","@id":"#i","url":"/i.png"}]}</script>`;
  expect(await read('<p>x</p>', {}, graph)).toMatchObject({
    author: 'Ada',
    image: 'https://example.com/i.png',
  });
});

test('returns what the page states about itself, and null for the rest', async () => {
  const head = `<title>Title</title><link rel="canonical" href="/c"><meta property="og:site_name" content="Site"><meta property="og:image" content="i.png">
    <script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","author":[{"name":"Ada"},{"name":"Bo"}],"datePublished":"2020-01-01","dateModified":"2020-02-02"}]}</script>
    <script type="application/ld+json">{broken</script>`;
  expect(await read('<p>x</p>', {}, head)).toMatchObject({
    title: 'Title',
    description: null,
    language: null,
    author: 'Ada, Bo',
    publishedAt: '2020-01-01',
    modifiedAt: '2020-02-02',
    canonicalUrl: 'https://example.com/c',
    siteName: 'Site',
    image: 'https://example.com/shop/i.png',
  });
  expect(await read('<p>By Cy on 3 March 2020</p>')).toMatchObject({
    title: null,
    author: null,
    publishedAt: null,
    modifiedAt: null,
    canonicalUrl: null,
    siteName: null,
    image: null,
  });
});
