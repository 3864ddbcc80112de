import { readPageRequest } from '@signpost/contract';
import { never, outcome } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture, type TestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${head}</head><body>${body}</body></html>`;
const TEXT = `<p>${'The library lends books, maps and tools to everybody who lives in the town. '.repeat(6)}</p>`;
const AROUND = (main: string) =>
  page(
    `<header><nav>Menu words</nav></header><main><h1>Library</h1>${TEXT}${main}${TEXT}</main><footer>Footer words</footer>`,
  );
const DRAWING =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='60'><rect width='300' height='60'/></svg>";

let other: PageServer;
let site: PageServer;
let capture: TestCapture;

beforeAll(async () => {
  other = await startPageServer({ '/frame': page('<p>Words of another origin</p>') });
  site = await startPageServer({
    '/embedded': page(
      `<p>Before</p><embed type="text/html" src="/guide" width="300" height="200"><iframe src="${other.url('/frame')}"></iframe>`,
    ),
    '/inner': page('<p>Words of a frame</p><iframe srcdoc="<p>Words of its frame</p>"></iframe>'),
    '/frames': page(
      `<p>Before</p><iframe src="/inner"></iframe><iframe src="${other.url('/frame')}"></iframe><iframe sandbox srcdoc="<p>Words of a sandbox</p>"></iframe><iframe hidden srcdoc="<p>Unseen</p>"></iframe><p>After</p>`,
    ),
    '/frameset': `<html><frameset cols="50%,50%"><frame src="/inner"><frame src="${other.url('/frame')}"></frameset></html>`,
    '/fading': page(
      `<main><h1>Fading</h1><div style="height:3000px"></div><section style="opacity:0"><p>Faded in</p></section><p style="opacity:0">Never shown</p></main>
       <script>new IntersectionObserver((entries) => entries.forEach((entry) => { if (entry.isIntersecting) entry.target.style.opacity = 1; })).observe(document.querySelector('section'))</script>`,
    ),
    '/places': page(
      `<main><h1>Places</h1><p>Before</p><a name="fees"></a><h2>Fees</h2><p>Ten</p><ol><li>One</li><li>Two</li><li id="three">Three</li><li>Four</li></ol></main>`,
    ),
    '/guide': page(
      `<main><h1>Guide</h1><p>Before the part</p><h2 id="fees">Fees</h2><p>Ten pounds</p></main><aside id="side"><p>In the aside</p></aside>`,
    ),
  });
  capture = await startTestCapture();
});
afterAll(async () => {
  await Promise.all([capture.close(), site.close(), other.close()]);
});

const readRequest = (request: object) => capture.content(readPageRequest.parse(request), never());
const textOf = async (html: string, options: object = {}) =>
  (await readRequest({ html, ...options })).content;
const markdownAt = async (path: string, options: object = {}) =>
  (await readRequest({ url: site.url(path), ...options })).content;

test.each([
  [
    'a short list after a sentence',
    '<p>Bring:</p><ul><li>PASSPORT</li><li>PHOTO</li></ul>',
    ['PASSPORT', 'PHOTO'],
  ],
  [
    'dates',
    '<p>SHUT from 3 March 2026.</p><ul><li><span class="date">12 MAY</span> Talk</li></ul>',
    ['SHUT', '12 MAY'],
  ],
  [
    'elements with classes such as menu and card-text',
    '<div class="menu">SOUP</div><div class="next-steps">WAIT</div><p class="card-text">CARD</p>',
    ['SOUP', 'WAIT', 'CARD'],
  ],
  [
    'labels and forms',
    '<label>Rooms</label><span>TWO</span><form><p>FEES</p><fieldset><legend>KIND</legend></fieldset></form>',
    ['Rooms TWO', 'FEES', 'KIND'],
  ],
  [
    'asides, notes and captions',
    '<aside>DOSE</aside><div role="note">NOTE</div><figure><figcaption>FIGURE</figcaption></figure>',
    ['DOSE', 'NOTE', 'FIGURE'],
  ],
  ['headings inside a header', '<article><header><h2>INSIDE</h2></header></article>', ['## INSIDE']],
  [
    'sections that are called related',
    '<section class="related"><h2>Related</h2><p>RELATED</p></section>',
    ['RELATED'],
  ],
  [
    'fields as they are filled in',
    '<select><option>One<option selected>CHOSEN</select><input value="TYPED"><input placeholder="HINT">',
    ['CHOSEN TYPED HINT'],
  ],
  [
    'letters of a chart',
    '<svg width="99" height="20"><defs><g id="g"><text x="70" y="9">USED</text></g></defs><text y="9">AXIS</text><text x="50" y="9">BAR</text><use href="#g"/></svg>',
    ['AXIS BAR USED'],
  ],
])('keeps %s in the main part', async (_name, body, words) => {
  for (const format of ['markdown', 'text'] as const) {
    const content = await textOf(AROUND(body), { format });
    for (const word of words) expect(content).toContain(format === 'text' ? word.replace('## ', '') : word);
    expect(content).not.toMatch(/Menu words|Footer words/u);
  }
});

test('keeps text in the colour of the page if something behind it or a shadow shows it, and text filled by a gradient', async () => {
  const html =
    page(`<div style="position:relative;height:60px"><img src="${DRAWING}" style="position:absolute"><p style="position:relative;color:#fff">Over a picture</p></div>
    <p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">In a gradient</p>
    <div style="background:#000"><p style="color:#fff">On black</p></div><p style="color:#fff;text-shadow:0 0 2px #000">With a shadow</p>`);
  const content = await textOf(html, { format: 'text' });
  expect(content.split(/\n+/u)).toEqual(['Over a picture', 'In a gradient', 'On black', 'With a shadow']);
});

test('keeps text that scrolling an element or a carousel brings into view', async () => {
  const html = page(`<div style="height:50px;overflow:auto"><p style="height:300px">First</p><p>Last</p></div>
    <div style="overflow:hidden;width:200px"><div style="display:flex;transform:translateX(-200px)"><p style="min-width:200px">Slide 1</p><p style="min-width:200px">Slide 2</p></div></div>`);
  expect(await textOf(html, { format: 'text' })).toMatch(/First\s+Last\s+Slide 1\s+Slide 2/u);
});

test('leaves out characters that reverse text or cannot be seen', async () => {
  const html = page(
    '<p>Pay \u202Edrawkcab\u202C now\u{E0049}\u{E0067}\u{E006E}\u2066! soft\u00ADware\u200B\u2063s ❤\uFE0F\uFE01\uFE02</p>',
  );
  expect(await textOf(html)).toBe('Pay drawkcab now! softwares ❤\uFE0F');
});

test.each([
  ['broken at a marked place', '<p><b>inter</b><wbr>national</p>', 'international'],
  ['broken anywhere', '<p style="word-break:break-all"><b>inter</b>national</p>', 'international'],
  ['with a raised letter', '<p>E=mc<i style="position:relative;top:-12px">2</i></p>', 'E=mc2'],
  ['with a large first letter', '<p><span style="float:left;font-size:60px">O</span>nce</p>', 'Once'],
  ['in boxes below each other', '<p><i class="box">Left</i><i class="box">Right</i></p>', 'Left Right'],
])('keeps words whole and apart: %s', async (_name, body, text) => {
  const html = page(
    `<div style="width:60px">${body}</div><style>.box { display: inline-block; width: 60px }</style>`,
  );
  expect(await textOf(html, { format: 'text' })).toBe(text);
});

test('reads what styles write before and after elements, without icons and hidden words', async () => {
  const html =
    page(`<style>.required::after{content:" (required)"} .price::before{content:"£"} .icon::before{content:"home";font-family:Material Icons}
    .new::after{content:attr(title);margin:9px} .tip::after{content:"Tip";opacity:0} .away{position:absolute;left:-9999px} .away::after{content:"Away"} .tick::before{content:url(/i/tick.svg) " and " counter(page, decimal) / "tick"}</style>
    <p class="required">Name</p><p class="price">5</p><p class="icon">House</p><p class="new" title="New">Tea</p><p class="tip">Tips</p><p class="away"></p><q>Quoted</q><p class="tick">Milk</p>`);
  expect((await textOf(html, { format: 'text' })).split(/\n+/u)).toEqual([
    ...['Name (required)', '£5', 'House', 'Tea New', 'Tips', '“Quoted”', 'and Milk'],
  ]);
});

test('leaves out fixed boxes outside of the window, but not what an element can scroll to', async () => {
  const html =
    page(`<p style="position:fixed;left:100vw">Right</p><p style="position:fixed;top:100vh">Below</p>
    <div style="position:fixed;inset:0;overflow:auto"><p>Top</p><p style="margin-top:3000px">Deep</p><p style="margin-left:3000px">Wide</p></div>`);
  expect(await textOf(html, { format: 'text', mainContentOnly: false })).toMatch(/^Top\s+Deep\s+Wide$/u);
});

test('reads all of a fixed box that a script moves as the page scrolls', async () => {
  const html =
    page(`<div id="all" style="position:fixed;top:0"><p>Top</p><p style="margin-top:3000px">Deep</p></div>
    <script>document.body.style.height=all.offsetHeight+'px';onscroll=()=>{all.style.transform='translateY('+-scrollY+'px)'}</script>`);
  expect(await textOf(html, { format: 'text', mainContentOnly: false })).toMatch(/^Top\s+Deep$/u);
});

test('leaves out what never fades in, and keeps what fades in when it is in view', async () => {
  const content = await markdownAt('/fading');
  expect(content).toContain('Faded in');
  expect(await textOf(page('<p>Seen</p><p style="opacity:0">Unseen</p>'))).toBe('Seen');
});

test('reads frames, framesets, sandboxes and frames of other origins in their places', async () => {
  expect((await markdownAt('/frames')).split('\n\n')).toEqual([
    ...[
      'Before',
      'Words of a frame',
      'Words of its frame',
      'Words of another origin',
      'Words of a sandbox',
      'After',
    ],
  ]);
  expect(await markdownAt('/frameset')).toMatch(/Words of its frame\s+Words of another origin/u);
  expect(await markdownAt('/embedded', { mainContentOnly: false })).toMatch(/Before\s+# Guide/u);
});

test('reads closed shadow trees, even inside others, with the content of their slots', async () => {
  const card = (mode: string, inner: string) =>
    `attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(inner)}`;
  const html = AROUND(`<div id="plain"></div><x-card>Slotted words</x-card><script>
    document.getElementById('plain').${card('closed', '<p>Words of a plain host</p>')};
    customElements.define('x-inner', class extends HTMLElement { connectedCallback() { this.${card('closed', '<p>Words deep inside</p>')}; } });
    customElements.define('x-card', class extends HTMLElement { connectedCallback() { this.${card('closed', '<p>Words of a card</p><slot></slot><x-inner></x-inner><p hidden>Unseen</p>')}; } });
  </script>`);
  for (const mainContentOnly of [true, false]) {
    const text = await textOf(html, { mainContentOnly });
    expect(text).toMatch(
      /Words of a plain host[\s\S]*Words of a card[\s\S]*Slotted words[\s\S]*Words deep inside/u,
    );
    expect(text).not.toContain('Unseen');
  }
});

test('starts at the element that the fragment of the address names', async () => {
  expect(await markdownAt('/guide#fees')).toBe('## Fees\n\nTen pounds');
  expect(await markdownAt('/guide#side')).toBe('In the aside');
  expect(await markdownAt('/guide#nothing')).toMatch(/^# Guide/u);
  expect(await markdownAt('/places#fees')).toMatch(/^## Fees\n\nTen/u);
  expect(await markdownAt('/places#three')).toBe('3. Three\n4. Four');
});

test('reads only the first element that a selector matches, also in shadow trees, and says if there is none', async () => {
  const html = page(
    '<p class="a">Around</p><section><template shadowrootmode="open"><ul><li class="a">One</li></ul><b>Two</b></template></section>',
  );
  expect(await textOf(html, { selector: 'b' })).toBe('**Two**');
  expect(await textOf(html, { selector: 'li' })).toBe('One');
  expect(await textOf(html, { selector: '.a' })).toBe('Around');
  const carousel =
    '<div class="slick-slide slick-cloned"><h3>Last</h3></div><div class="slick-slide"><h3>First</h3></div>';
  expect(await textOf(page(carousel), { selector: 'h3', format: 'text' })).toBe('Last');
  const { kind, message } = await outcome(textOf(html, { selector: '.c', timeoutMs: 2_000 }));
  expect(kind).toBe('invalidRequest');
  expect(message).toMatch(/No element matched "\.c" of "selector"/u);
});

test('a selector can match the whole page, elements in closed details, and elements of zero size whose content is visible', async () => {
  const html = page(
    '<nav>Menu</nav><details><summary>Q</summary><p id="a">Answer</p></details><div id="b"><p style="float:left">Float</p></div><p id="c" hidden>C</p>',
  );
  const read = async (selector: string) => textOf(html, { selector, timeoutMs: 2_000 });
  expect(await read('html')).toMatch(/^Menu[^]*Float$/u);
  expect(await read('#a')).toBe('Answer');
  expect(await read('#b')).toBe('Float');
  expect((await outcome(read('#c'))).message).toMatch(/is still hidden/u);
});

test("keeps a restaurant's menu and notices on a page that marks no main part", async () => {
  const html = page(
    `<div class="banner">Closed on Monday</div><div>${TEXT}</div><div class="menu">Soup 5.50</div><div class="card-header">Prices</div>`,
  );
  const content = await textOf(html);
  expect(content).toMatch(/^Closed on Monday[^]*Soup 5\.50\s+Prices$/u);
});

test("does not take an article for the main part if the page's heading is outside of it", async () => {
  const html = page(`<div><h1>Kettle</h1><p>Price: 25</p></div><article><h2>Review</h2>${TEXT}</article>`);
  expect(await textOf(html)).toMatch(/^# Kettle\s+Price: 25[^]*Review/u);
});

test('reads the part around the marked main part, without the menu, if the marked one has less than half of the text', async () => {
  const html = page(`<nav>Menu words</nav><div>${TEXT}${TEXT}<main>${TEXT}</main><p>The end</p></div>`);
  expect(await textOf(html)).toMatch(/The end$/u);
  expect(await textOf(html)).not.toContain('Menu words');
});

test('leaves out what is around the content of a page that marks no main part', async () => {
  const html = page(
    `<div><div class="topbar"><a href="/a">Home</a> <a href="/b">About</a></div><div><div class="sidebar"><a href="/c">Link</a></div><div><h1>Content</h1>${TEXT}<div class="alert">Alert</div></div></div><div class="footer">Footer words</div></div>`,
  );
  const content = await textOf(html);
  expect(content).toMatch(/^# Content[^]*Alert$/u);
});
