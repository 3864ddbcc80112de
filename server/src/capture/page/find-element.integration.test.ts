import { captureScreenshotRequest } from '@signpost/contract';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { never, outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const WINDOW = { width: 400, height: 300 };
const GREEN = [0, 128, 0];

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0;background:rgb(200,0,0)}#t{width:120px;height:60px;background:green}${style}</style><body>${body}`;
const TARGET = '<div id="t"></div>';
const band = (height = 700) => `<section style="height:${height}px;background:rgb(0,0,200)"></section>`;
const BANDS = `${band()}${TARGET}${band()}`;
const tree = (mode: string, html: string) =>
  `<x-card><template shadowrootmode="${mode}"><style>#t,.inner{width:120px;height:60px;background:green}</style>${html}</template></x-card>`;

/**
 * Pages on which the element is completely green and nothing else is. The size of the element is given if it is not
 * 120 × 60.
 */
const SHOWN: Readonly<Record<string, readonly [html: string, options?: object, size?: readonly number[]]>> = {
  'far down the page': [page(BANDS)],
  'far down in a box that scrolls': [page(`<div style="height:200px;overflow:auto">${BANDS}</div>${band()}`)],
  'in a box that scrolls, in another': [
    page(
      `${band()}<div style="height:200px;overflow:auto">${band()}<div style="height:100px;overflow:scroll">${BANDS}</div>${band()}</div>${band()}`,
    ),
  ],
  'in a page whose main element scrolls': [
    page(
      `<main>${BANDS}</main>`,
      'html,body{height:100%}body{overflow:hidden}main{height:100%;overflow:auto}',
    ),
  ],
  'in a page whose body scrolls': [
    page(BANDS, 'html{height:100%;overflow:hidden}body{height:100%;overflow:auto}'),
  ],
  'far to the right in a box that scrolls sideways': [
    page(
      `<div style="width:300px;overflow:auto"><div style="width:3000px;padding-left:2000px">${TARGET}</div></div>`,
    ),
  ],
  'in a list that snaps': [
    page(
      `<main>${band(300)}${TARGET}${band(300)}</main>`,
      'main{height:300px;overflow:auto;scroll-snap-type:y mandatory}section{scroll-snap-align:start}',
    ),
  ],
  'on a page that scrolls smoothly': [page(BANDS, 'html{scroll-behavior:smooth}')],
  'taller than the box it scrolls in': [
    page(`<div style="height:200px;overflow:auto">${BANDS}</div>${band()}`, '#t{height:900px}'),
    {},
    [120, 900],
  ],
  'taller than the main element that scrolls, in a box that cuts it off': [
    page(
      `<div style="height:100vh;overflow:hidden;display:flex;flex-direction:column"><header style="height:50px"></header><main style="flex:1;overflow:auto">${BANDS}</main></div>`,
      '#t{height:900px}',
    ),
    {},
    [120, 900],
  ],
  'with parts that browsers draw only in the window': [
    page(
      `<div id="t">${'<i></i>'.repeat(10)}</div>`,
      '#t{height:2000px}i{display:block;height:200px;background:red;content-visibility:auto}i::before{content:"";display:block;height:200px;background:green}',
    ),
    {},
    [120, 2_000],
  ],
  'partly cut off by the box around it': [
    page(`${band()}<div style="height:40px;overflow:hidden">${TARGET}</div>${band()}`),
    {},
    [120, 40],
  ],
  'under a fixed bar': [
    page(
      `<header></header>${BANDS}<footer></footer>`,
      'header,footer{position:fixed;inset:0 0 auto;height:160px;background:black}footer{inset:auto 0 0}',
    ),
  ],
  'under the sticky head of its box': [
    page(
      `<div style="height:100px;overflow:auto"><header></header>${BANDS}</div>`,
      'header{position:sticky;top:0;height:70px;background:black}',
    ),
  ],
  'under a dialog': [
    page(
      `${BANDS}<dialog style="position:fixed;inset:0"><p>Cookies?</p></dialog><script>document.querySelector('dialog').showModal()</script>`,
    ),
  ],
  'later than the page': [
    page(
      `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '${TARGET}'), 700)</script>`,
    ),
  ],
  'sliding into the page': [
    page(
      `${TARGET}<script>setTimeout(() => (t.style.transform = 'none'), 700)</script>`,
      '#t{position:fixed;top:0;left:0;transform:translateX(-100%)}',
    ),
  ],
  'on a page whose body is fixed': [page(BANDS, 'body{position:fixed;width:100%}')],
  'on a page that scrolls back at once': [page(`${BANDS}<script>onscroll = () => scrollTo(0, 0)</script>`)],
  'hidden at first': [
    page(`${TARGET}<script>setTimeout(() => (t.hidden = false), 700);t.hidden = true</script>`),
  ],
  'shown on sight': [
    page(
      `${BANDS}<script>new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) t.style.opacity = 1; }).observe(t)</script>`,
      '#t{opacity:0}',
    ),
  ],
  'with a picture that loads on sight': [
    page(`${band(9000)}<img id="t" loading="lazy" style="background:white" src="/green.svg">`),
  ],
  'in a shadow tree': [page(`${band()}${tree('open', TARGET)}${band()}`)],
  'in a shadow tree in a shadow tree': [page(tree('open', tree('open', TARGET)))],
  'in a shadow tree of an element that the selector names': [
    page(
      `${tree('open', '<p><b>no</b></p>')}<div class="a">${tree('open', '<p><b class="inner" style="display:block"></b></p>')}</div>`,
    ),
    { selector: '.a x-card p > b' },
  ],
  'on a phone': [
    page(`<meta name="viewport" content="width=device-width">${BANDS}`),
    { device: 'iPhone 15', scaleFactor: 1 },
  ],
};

/** Pages without a visible element, and what the error says about it. */
const REJECTED: Readonly<Record<string, readonly [html: string, words: RegExp]>> = {
  nothing: [page(band()), /No element matched "#t" of "selector" within 5 s.*"waitForSelector"/u],
  'a hidden one': [
    page(TARGET, '#t{visibility:hidden}'),
    /is still hidden after 5 s, by "visibility: hidden".*"waitForSelector"/u,
  ],
  'one in a hidden one': [page(`<div hidden>${TARGET}</div>`), /hidden after 5 s, by "display: none"/u],
  'one that cannot be seen through': [
    page(`<div style="opacity:0">${TARGET}</div>`),
    /hidden after 5 s, by "opacity: 0"/u,
  ],
  'one of zero size': [page(TARGET, '#t{height:0}'), /zero size \(120 × 0 pixels\).*"waitForSelector"/u],
  'one without a box': [page(`<div id="t" style="display:contents">words</div>`), /zero size/u],
  'one that is cut off': [
    page(`<div style="height:0;overflow:hidden">${TARGET}</div>`),
    /hidden: an element around it cuts it off/u,
  ],
  'one on the left of the page': [
    page(TARGET, '#t{position:absolute;left:-9999px}'),
    /hidden: .* its place is outside of the page/u,
  ],
  'one in a menu that is not open': [
    page(
      `<nav>${TARGET}</nav>${BANDS}`,
      'nav{position:fixed;top:0;right:0;width:300px;transform:translateX(100%)}',
    ),
    /hidden: .* its place is outside of the page/u,
  ],
  'one in a closed tree': [page(tree('closed', TARGET)), /is in a closed shadow tree.*"waitForSelector"/u],
  'one in a frame': [page(`<iframe srcdoc='${TARGET}'></iframe>`), /is in a frame/u],
};

const pathOf = (name: string) => `/${encodeURIComponent(name)}`;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  const pages = Object.entries({ ...SHOWN, ...REJECTED }).map(
    ([name, [html]]) => [pathOf(name), html] as const,
  );
  site = await startPageServer({
    ...Object.fromEntries(pages),
    '/green.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="green"/></svg>',
      );
    },
  });
  capture = await startTestCapture({ concurrency: 4 });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test.each(Object.keys(SHOWN))('captures an element %s completely, and nothing else', async (name) => {
  const [, options, size = [120, 60]] = SHOWN[name] ?? [];
  const { body } = await shoot(capture, site.url(pathOf(name)), { ...WINDOW, selector: '#t', ...options });
  const picture = decodePng(body);
  expect([picture.width, picture.height]).toEqual(size);
  const colours = new Set<string>();
  for (let x = 0; x < picture.width; x += 1)
    for (let y = 0; y < picture.height; y += 1) colours.add(picture.at(x, y).join());
  expect([...colours]).toEqual([GREEN.join()]);
});

test('the error says what the selector found instead of a visible element', async () => {
  const rejections = await Promise.all(
    Object.keys(REJECTED).map(async (name) => [
      name,
      await outcome(shoot(capture, site.url(pathOf(name)), { selector: '#t' })),
    ]),
  );
  expect(Object.fromEntries(rejections)).toEqual(
    Object.fromEntries(
      Object.entries(REJECTED).map(([name, [, words]]) => [
        name,
        { kind: 'invalidRequest', message: expect.stringMatching(words) },
      ]),
    ),
  );
});

test('clicks and waits find elements in open shadow trees', async () => {
  const html = page(
    tree(
      'open',
      `<button id="go" onclick="this.insertAdjacentHTML('afterend', '<div id=t></div>')">Go</button>`,
    ),
  );
  const { body } = await capture.screenshot(
    captureScreenshotRequest.parse({ html, clickSelectors: ['#go'], waitForSelector: '#t', selector: '#t' }),
    never(),
  );
  expect(decodePng(body).at(5, 5)).toEqual(GREEN);
});

test('with a short time limit, waiting for an element ends early enough to say what was missing', async () => {
  const url = site.url(pathOf('nothing'));
  expect(await outcome(shoot(capture, url, { selector: '#t', timeoutMs: 2_000 }))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringMatching(/No element matched "#t" of "selector" within/u),
  });
});
