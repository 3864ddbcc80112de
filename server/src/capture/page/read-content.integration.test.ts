import type { CaptureService } from '../capture-service.js';
import { outcome, read } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const SENTENCES = [
  'The harbour was rebuilt in 1871 after the great storm had carried away both of its piers.',
  'Since then the fishing boats have come back every evening, and the lamps are lit at dusk.',
  'Visitors reach the lighthouse by a path along the cliffs, which takes about an hour on foot.',
];
const PARAGRAPHS = SENTENCES.map((sentence) => `<p>${sentence} ${sentence}</p>`).join('');

/** A typical article, with navigation and other content around it. */
const ARTICLE = `<!doctype html><html lang="en-GB"><head><title>The harbour</title>
  <meta name="description" content="How a harbour was rebuilt.">
  <meta name="author" content="Ada Example">
  <meta property="article:published_time" content="2024-05-01T10:00:00Z">
  <style>.unseen{display:none}.faint{visibility:hidden}</style></head><body>
  <nav><a href="/home">Home of all</a><a href="/shop">Shop of things</a></nav>
  <aside class="advert">Buy our boats now</aside>
  <main><article><h1>The harbour</h1>${PARAGRAPHS}
    <div class="unseen">Secret of the styles</div><p class="faint">Secret of visibility</p>
    <h2>What it cost</h2>
    <table><thead><tr><th>Part</th><th>Pounds</th></tr></thead>
      <tbody><tr><td>Pier</td><td>1,200</td></tr><tr><td>Lamp</td><td>90</td></tr></tbody></table>
    <pre><code class="language-js">const pier = () =&gt; 'stone';</code></pre>
    <script>globalThis.ran = true</script><a href="javascript:alert(1)">Trap</a>
    <ul onclick="alert(1)"><li>Stone</li><li>Timber</li></ul><p>More is in <a href="more?x=1#top">the archive</a>, and <a href="#top">above</a>. <img src="/pier.png" alt="The pier" width="600" height="400"></p>
    ${PARAGRAPHS}
  </article></main>
  <footer>Rights of the footer</footer></body></html>`;

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const huge = Array.from({ length: 600 }, (_, index) => `<p>Part ${index}: ${words(80)} 😀</p>`).join('');

const meters = Array.from(
  { length: 40 },
  (_, index) => `<div><span>Meter ${index}</span> <b>${index * 7}</b></div>`,
).join('');

const page = (body: string, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>A page</title></head><body>${body}</body></html>`;
const script = (code: string) => page(`<script>${code}</script>`);

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/article': ARTICLE,
    '/own.xml': (_request, response) => {
      response.setHeader('content-type', 'application/xml');
      response.end(
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><div id="webkit-xml-viewer-source-xml">One</div><p>Two</p></body></html>',
      );
    },
    '/price': page('<p>Other words</p><p>Tea: <b id="price">1.20</b></p>'),
    '/late': script(
      'setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p id=late>Two seconds later</p>"), 2_000)',
    ),
    '/moved': (_request, response) => response.writeHead(302, { location: '/article' }).end(),
    '/drawn': script(
      `document.body.innerHTML += ${JSON.stringify(`<main><article><h1>Drawn</h1>${PARAGRAPHS}</article></main>`)}`,
    ),
    '/arabic': page(
      `<main dir="rtl"><article>${'<p>أُعيد بناء الميناء بعد العاصفة الكبرى، ومنذ ذلك الحين تعود القوارب كل مساء إلى المرسى.</p>'.repeat(6)}</article></main>`,
      'ar',
    ),
    '/japanese': page(
      `<main><article>${'<p>港は大嵐のあとに再建された。それ以来、漁船は毎晩戻り、夕暮れには灯りがともる。</p>'.repeat(8)}</article></main>`,
      'ja',
    ),
    '/pier.png': (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"></svg>');
    },
    '/dashboard': page(
      `<main><article><p>Meters</p></article></main><aside class="sidebar">${meters}</aside>`,
    ),
    '/short': page('<h1>Closed</h1><p>Back on Monday &lt;at nine&gt;.</p>'),
    '/huge': page(`<main><article>${huge}</article></main>`),
    '/missing': (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end(page('<p>Nothing is here.</p>'));
    },
    '/strict': (_request, response) => {
      const policy =
        "default-src 'none'; style-src 'unsafe-inline'; require-trusted-types-for 'script'; trusted-types 'none'";
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
      response.end(ARTICLE);
    },
    '/tampered': `${ARTICLE}<script>
      const lie = () => 'a lie';
      for (const type of [Node, Element, HTMLElement, Document, Range, Text, String, Array, Object, Map, RegExp])
        for (const name of Object.getOwnPropertyNames(type.prototype))
          try { Object.defineProperty(type.prototype, name, { value: lie }); } catch {}
      JSON.stringify = JSON.parse = DOMParser = URL = getComputedStyle = lie;
    </script>`,
    '/clobbered': `${ARTICLE}<form id="module"><input name="attributes"><input name="style"></form><a id="exports"></a>
      <img name="body"><img name="querySelectorAll"><img name="createTreeWalker"><img name="title"><img name="baseURI">`,
    '/endless': `${ARTICLE}<script>
      setInterval(() => { for (let i = 0; i < 500; i++) document.body.append(Object.assign(document.createElement('p'), { textContent: 'more' })); }, 1);
    </script>`,
    '/nodes': script(
      `const main = document.body.appendChild(document.createElement('main'));
      for (let i = 0; i < 6e4; i++) main.appendChild(document.createElement('i')).textContent = 'x' + i + ' ';`,
    ),
    '/long': page(`<main><p>${'many words of one page '.repeat(1e5)}</p></main>`),
    '/megabytes': `${ARTICLE}<script>
      const unseen = document.createElement('p');
      unseen.hidden = true;
      unseen.textContent = 'many words of one page '.repeat(4.4e6);
      document.querySelector('article').append(unseen, 'The very end');
    </script>`,
    '/nothing': script('document.documentElement.remove()'),
    '/deep': `${ARTICLE}<script>
      let at = document.querySelector('article');
      for (let depth = 0; depth < 1_000; depth += 1) at = at.appendChild(document.createElement('div'));
      at.append('The deepest words');
    </script>`,
    '/attributes': `${ARTICLE}<script>
      document.querySelector('img').src = 'data:image/png;base64,' + 'A'.repeat(2e7);
      document.querySelector('a').href = 'https://example.com/' + 'a'.repeat(2e7);
      document.title = 't'.repeat(1e7);
    </script>`,
    '/trap': `${ARTICLE}<x-trap></x-trap><script>
      customElements.define('x-trap', class extends HTMLElement {
        static observedAttributes = ['src', 'class', 'style', 'data-signpost-frame'];
        attributeChangedCallback() { for (;;); }
      });
    </script>`,
  });
  capture = await startTestCapture({ timeoutMs: 60_000 });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const readAt = (path: string, options: Record<string, unknown> = {}) =>
  read(capture, site.url(path), options);

test('reads the main content as Markdown, without hidden content and content around it', async () => {
  const { content } = await readAt('/article');
  for (const sentence of SENTENCES) expect(content).toContain(sentence);
  expect(content).toContain('## What it cost');
  expect(content).toMatch(/\| Part \| Pounds \|\n\| -+ \| -+ \|\n\| Pier \| 1,200 \|/u);
  expect(content).toMatch(/```js\nconst pier = \(\) => 'stone';\n```/u);
  expect(content).toMatch(/^- Stone\n- Timber$/mu);
  expect(content).toContain(`[the archive](${site.url('/more?x=1#top')})`);
  expect(content).toContain(`![The pier](${site.url('/pier.png')})`);
  expect(content).not.toMatch(/Home of all|Buy our boats|Secret|Rights of/u);
});

test('reads what a page says about itself: its title, description, language, author and date', async () => {
  expect(await readAt('/article')).toMatchObject({
    url: site.url('/article'),
    pageStatus: 200,
    title: 'The harbour',
    description: 'How a harbour was rebuilt.',
    language: 'en-GB',
    author: 'Ada Example',
    publishedAt: '2024-05-01T10:00:00Z',
    links: null,
  });
});

test('returns null for values that a page does not provide', async () => {
  const { title, ...facts } = await readAt('/short');
  expect(title).toBe('A page');
  expect(facts).toMatchObject({ description: null, author: null, publishedAt: null });
});

test('as text, returns only the words, with one line per block', async () => {
  const { content } = await readAt('/article', { format: 'text' });
  expect(content).toMatch(/^What it cost$/mu);
  expect(content).toMatch(/^Pier\t1,200$/mu);
  expect(content).not.toMatch(/[#|<>]{2}|\]\(|Secret|Home of all/u);
});

test('as HTML, returns elements, but no script, style or handler', async () => {
  for (const mainContentOnly of [true, false]) {
    const { content } = await readAt('/article', { format: 'html', mainContentOnly });
    expect(content).toMatch(/<h2>What it cost<\/h2>[\s\S]*<td>Pier<\/td>/u);
    expect(content).not.toMatch(/<script|<style|onclick|javascript:/u);
  }
});

test('with mainContentOnly off, reads all visible content', async () => {
  for (const format of ['markdown', 'text', 'html']) {
    const { content } = await readAt('/article', { format, mainContentOnly: false });
    expect(content).toMatch(/Home of all[\s\S]*Buy our boats[\s\S]*1,200[\s\S]*Rights of/u);
    expect(content).not.toMatch(/Secret/u);
  }
});

test('returns the links in the content with complete addresses, without those to a place on the page itself', async () => {
  const main = await readAt('/article', { includeLinks: true });
  expect(main.links).toEqual([{ url: site.url('/more?x=1#top'), text: 'the archive' }]);
  const whole = await readAt('/article', { includeLinks: true, mainContentOnly: false });
  expect(whole.links?.map(({ text }) => text)).toEqual(['Home of all', 'Shop of things', 'the archive']);
});

test('applies page options: does not read elements that hideSelectors hides, and rejects an error status if requested', async () => {
  const { content } = await readAt('/article', { hideSelectors: ['table'], colorScheme: 'dark' });
  expect(content).toContain('## What it cost');
  expect(content).not.toContain('1,200');
  const refused = await outcome(readAt('/missing', { failOnPageStatus: true }));
  expect(refused.message).toMatch(/^The page answers with the status 404\./u);
  const without = await outcome(readAt('/article', { hideSelectors: ['<'] }));
  expect(without.message).toMatch(/^"hideSelectors" must be a CSS selector/u);
});

test('reads a page once it has the element to wait for', async () => {
  const { content } = await readAt('/late', { waitForSelector: '#late', mainContentOnly: false });
  expect(content).toContain('Two seconds later');
});

test('reads only visible content even on a short page', async () => {
  const css = 'body { visibility: hidden } #price { visibility: visible }';
  for (const format of ['text', 'markdown', 'html'] as const) {
    const { content } = await readAt('/price', { format, mainContentOnly: false, css });
    expect(content.replace(/<[^>]+>|\*/gu, '').trim()).toBe('1.20');
  }
});

test('reads a page as its scripts have rendered it, or as it was received if scripts are off', async () => {
  expect((await readAt('/drawn')).content).toContain(SENTENCES[0]);
  expect((await readAt('/drawn', { javaScript: false })).content).not.toContain(SENTENCES[0]);
});

test('returns the address and status of the final page', async () => {
  expect(await readAt('/moved')).toMatchObject({ url: site.url('/article'), pageStatus: 200 });
  expect(await readAt('/missing')).toMatchObject({ pageStatus: 404, content: 'Nothing is here.' });
});

test.each([
  ['/arabic', 'ar', /أُعيد بناء الميناء بعد العاصفة الكبرى/u],
  ['/japanese', 'ja', /港は大嵐のあとに再建された。/u],
])('reads the page %s in its own writing system', async (path, language, says) => {
  const found = await readAt(path);
  expect(found).toMatchObject({ language });
  expect(found.content).toMatch(says);
});

test('reads the whole page if the main part has little text, and all of a short page without a main part', async () => {
  const { content } = await readAt('/dashboard');
  expect(content).toMatch(/Meter 0 \*\*0\*\*[\s\S]*Meter 39 \*\*273\*\*/u);
  expect((await readAt('/short', { format: 'html' })).content).toContain('&lt;at nine&gt;');
  expect((await readAt('/short', { format: 'text' })).content).toContain('Back on Monday <at nine>.');
});

test('reads a huge page from its beginning to its end', async () => {
  const { content } = await readAt('/huge');
  expect(content).toMatch(/^Part 0: word0/u);
  expect(content).toMatch(/Part 599: [\s\S]*word79 😀$/u);
});

test.each(['/strict', '/tampered', '/clobbered', '/attributes', '/megabytes', '/trap'])(
  'reads the article of the page %s, whatever the page does to prevent that',
  async (path) => {
    const found = await readAt(path, { includeLinks: true });
    for (const sentence of SENTENCES) expect(found.content).toContain(sentence);
    expect(found.content).toContain('## What it cost');
    expect(found.content).not.toMatch(/a lie|Home of all|Secret/u);
    expect(JSON.stringify(found).length).toBeLessThan(1_000_000);
  },
);

test("cuts a page's text at two million characters", async () => {
  const { content } = await readAt('/long');
  expect(content).toHaveLength(2_000_000);
  expect(content).toMatch(/^many words of one page/u);
});

test('reads only the first elements of a page with 60,000 elements', async () => {
  const { content } = await readAt('/nodes');
  expect(content).toMatch(/^\*x0 x1 x2/u);
  expect(content).not.toContain('x59999');
});

test('reads the article of a page that grows without end', async () => {
  const { content } = await readAt('/endless');
  for (const sentence of SENTENCES) expect(content).toContain(sentence);
  expect(content).toContain('## What it cost');
});

test('reads words that are 1,000 elements deep in an article', async () => {
  const { content } = await readAt('/deep');
  for (const sentence of SENTENCES) expect(content).toContain(sentence);
  expect(content).toContain('The deepest words');
});

test('a page that has removed all of its content has an empty text', async () => {
  expect(await readAt('/nothing')).toMatchObject({ content: '', title: null, pageStatus: 200 });
});

test("reads all of an XML page with an element that has the id of the browser's XML viewer", async () => {
  expect((await readAt('/own.xml', { format: 'text' })).content).toBe('One\n\nTwo');
});
