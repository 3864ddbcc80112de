import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const BLUE = [0, 0, 255];
const WINDOW = { width: 400, height: 300 };
const BANDS = 8;
const BAND_PIXELS = 200;

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0}${style}</style><body>${body}`;
const bands = (style: string, script = '') =>
  page(
    `${'<p>Words</p>'.repeat(BANDS)}<script>const bands = [...document.querySelectorAll('p')];${script}</script>`,
    `p{margin:0;height:${BAND_PIXELS}px;background:green;color:green}${style}`,
  );
const inWindow = (style: string, inside: string) =>
  page(`<main></main>${inside}`, `main{height:1600px;background:green}${style}`);

/** Pages that are green in each band of a full page. */
const GREEN_PAGES = {
  'a bar and a button that appear while the page is scrolled': inWindow(
    `header,button{position:fixed;top:0;left:0;width:100%;height:50px;border:0;background:red}
     header{display:none}button{opacity:0}.down header{display:block}.down button{opacity:1}`,
    `<header></header><button></button><script>
      addEventListener('scroll', () => { document.body.className = scrollY > 100 ? 'down' : ''; });
    </script>`,
  ),
  'text that is faint unless it is in the window': bands(
    '',
    `const look = () => {
      for (const band of bands) {
        const { top } = band.getBoundingClientRect();
        band.style.opacity = Math.max(0.2, Math.min(1, (innerHeight - top) / 200));
      }
    };
    addEventListener('scroll', look);
    look();`,
  ),
  'elements that fade in and out again with their place in the window': bands(
    '@keyframes pass{0%{opacity:0}25%,75%{opacity:1}100%{opacity:0}}p{animation:pass linear both;animation-timeline:view()}',
  ),
  'elements that fade out as they leave the window': bands(
    '@keyframes leave{to{opacity:0}}p{animation:leave linear both;animation-timeline:view();animation-range:exit}',
  ),
  'a body that cuts its content off, as pages do that scripts scroll': bands(
    'html,body{height:100%;overflow:hidden}',
  ),
  'a bar that shows how far the page was scrolled': inWindow(
    `@keyframes grow{from{transform:scaleX(0)}}
     header{position:fixed;top:0;width:100%;height:50px;background:red;animation:grow linear;animation-timeline:scroll()}`,
    '<header></header>',
  ),
  'elements that a script moves away again once they have left the window': bands(
    'body{overflow-x:hidden}p{transform:translateX(-100%)}.in{transform:none}',
    `const look = () => {
      for (const band of bands) {
        const { top, bottom } = band.getBoundingClientRect();
        band.className = top < innerHeight && bottom > 0 ? 'in' : '';
      }
    };
    addEventListener('scroll', look);
    look();`,
  ),
  'a script that sets heights by the size of the document element': bands(
    'p:first-child{background:red;height:300px}',
    `setInterval(() => {
      const isSame = document.documentElement.clientHeight === 300 && visualViewport.height === 300;
      bands[0].style.background = isSame ? 'green' : 'red';
      bands[0].style.height = '200px';
    }, 20);`,
  ),
};

/** Pages, each with the size of a picture of the full page, and with points that are green in that picture. */
const SIZED: Readonly<
  Record<string, readonly [html: string, size: readonly number[], places: readonly number[][]]>
> = {
  'a frame that fills the window': [
    page(
      '<iframe src="/bands"></iframe>',
      'html,body{height:100%;overflow:hidden}iframe{display:block;border:0;width:100%;height:100vh}',
    ),
    [400, BANDS * BAND_PIXELS],
    [
      [350, 20],
      [350, BANDS * BAND_PIXELS - 20],
    ],
  ],
  'an inner scroller whose form has fields named as properties of elements': [
    page(
      `<main><form>${'<p></p>'.repeat(BANDS)}<input name="children" hidden><input name="style" hidden></form></main>`,
      `body{margin:0}main{height:100vh;overflow:auto}p{margin:0;height:${BAND_PIXELS}px;background:green}`,
    ),
    [400, BANDS * BAND_PIXELS],
    [
      [20, 20],
      [20, BANDS * BAND_PIXELS - 20],
    ],
  ],
  'a body that is half as large by its styles': [
    bands('body{zoom:.5}'),
    [400, (BANDS * BAND_PIXELS) / 2],
    [
      [350, 20],
      [350, (BANDS * BAND_PIXELS) / 2 - 20],
    ],
  ],
  'a bar that hides while the page is scrolled': [
    page(
      `<nav></nav><main></main><script>
        let before = 0;
        addEventListener('scroll', () => {
          document.querySelector('nav').style.top = scrollY > before ? '-40px' : '0';
          before = scrollY;
        });
      </script>`,
      'main{height:3000px}nav{position:fixed;top:0;height:40px;width:100%;background:green;transition:top .4s}',
    ),
    [400, 3_000],
    [
      [150, 1],
      [150, 38],
    ],
  ],
  'an inner scroller between bars, all of which have a fixed place in a body that does not scroll': [
    page(
      `<header></header><main>${'<p></p>'.repeat(BANDS)}</main><footer></footer>`,
      `html,body{height:100%;overflow:hidden}body{position:fixed;width:100%}p{margin:0;height:${BAND_PIXELS}px;background:green}
       header,main,footer{position:absolute;left:0;right:0}main{top:40px;bottom:30px;overflow:auto}
       header{top:0;height:40px;background:green}footer{bottom:0;height:30px;background:green}`,
    ),
    [400, 40 + BANDS * BAND_PIXELS + 30],
    [
      [20, 20],
      [20, 60],
      [20, BANDS * BAND_PIXELS + 20],
      [20, BANDS * BAND_PIXELS + 60],
    ],
  ],
  'lazy pictures far to the right': [
    page(
      `<div>${Array.from({ length: 10 }, (_, at) => `<img loading="lazy" src="/green.svg?${at}">`).join('')}</div><script></script>`,
      'body{height:400px}div{display:flex;width:4000px}img{width:400px;height:100px}',
    ),
    [4_000, 400],
    [
      [20, 20],
      [3_980, 80],
    ],
  ],
};

/** Pages with a blue element in the middle of the window. */
const MIDDLE = {
  'a dialog': inWindow(
    'dialog{width:200px;height:100px;background:blue;border:0;padding:0}',
    `<dialog></dialog><script>document.querySelector('dialog').showModal()</script>`,
  ),
  'a box': inWindow(
    'b{position:fixed;top:50%;left:50%;width:200px;height:100px;translate:-50% -50%;background:blue}',
    '<b></b>',
  ),
};

const pathOf = (name: string) => `/${encodeURIComponent(name)}`;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  const sized = Object.entries(SIZED).map(([name, [html]]) => [name, html] as const);
  const pages = [...Object.entries({ ...GREEN_PAGES, ...MIDDLE }), ...sized].map(
    ([name, html]) => [pathOf(name), html] as const,
  );
  site = await startPageServer({
    ...Object.fromEntries(pages),
    '/bands': bands(''),
    '/green.svg': (_request, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="400" height="100" fill="green"/></svg>',
      );
    },
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const whole = async (name: string) =>
  decodePng((await shoot(capture, site.url(pathOf(name)), { ...WINDOW, fullPage: true })).body);

test.each(Object.keys(GREEN_PAGES))(
  'a full page shows each part as its visitors see it: %s',
  async (name) => {
    const { height, at } = await whole(name);

    expect(height).toBe(BANDS * BAND_PIXELS);
    expect(Array.from({ length: BANDS }, (_, band) => at(350, band * BAND_PIXELS + 20))).toEqual(
      Array(BANDS).fill(GREEN),
    );
  },
);

test.each(Object.keys(MIDDLE))('%s in the middle of the window stays there on a full page', async (name) => {
  const { at } = await whole(name);

  expect([at(200, 110), at(200, 190), at(200, 800)]).toEqual([BLUE, BLUE, expect.not.arrayContaining([255])]);
});

test.each(Object.keys(SIZED))('a full page has all of %s', async (name) => {
  const [, size, places] = SIZED[name] ?? ['', [], []];
  const { width, height, at } = await whole(name);

  expect([width, height]).toEqual(size);
  expect(places.map(([x = 0, y = 0]) => at(x, y))).toEqual(places.map(() => GREEN));
});
