import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { print, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const RED = [255, 0, 0];
const BLUE = [0, 0, 255];
const WINDOW = { width: 400, height: 300 };

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0}${style}</style><body>${body}`;
const filler = (height: number, colour = 'white') =>
  `<div style="height:${height}px;background:${colour}"></div>`;
const bands = (count: number) => Array.from({ length: count }, (_, at) => `<b>Band ${at + 1}</b>`).join('');
const BANDS =
  'b{display:block;height:200px;background:green;border-bottom:1px solid red;box-sizing:border-box}';
/** A script that draws only the rows in the window, as long lists do. */
const rowsIn = (scroller: string, top: string, height: string) => `<script>
  const draw = () => {
    const [first, end] = [Math.floor(${top} / 100), Math.min(20, Math.ceil((${top} + ${height}) / 100))];
    let rows = '';
    for (let at = first; at < end; at += 1) rows += '<i style="top:' + at * 100 + 'px">Row ' + at + '</i>';
    list.innerHTML = rows;
  };
  ${scroller}.addEventListener('scroll', draw);
  addEventListener('resize', draw);
  draw();
</script>`;
const ROWS =
  '#list{position:relative;height:2000px}i{position:absolute;width:100%;height:100px;background:green}';

const picture: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/svg+xml' });
  response.end(
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="400" height="100" fill="green"/></svg>',
  );
};

/** Returns a handler that serves styles without a header that lets other origins read them. */
const styles =
  (text: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/css' });
    response.end(text);
  };

let site: PageServer;
let other: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  other = await startPageServer(
    {
      '/green': page('', 'body{background:green}'),
      '/styles.css': styles(
        String.raw`main{margin-top:50vh;height:50vmin;background:blue}
        section,.h-\[50vh\]{height:100px;background:green}
        article{height:200px;background:linear-gradient(blue 50%,green 0) fixed}
        @media(orientation:portrait),(min-height:1000px){main,section{background:red}}`,
      ),
    },
    '127.0.0.3',
  );
  site = await startPageServer({
    '/green.svg': picture,
    '/watches-media': page(
      `${filler(900)}<script>
        const list = matchMedia('(orientation: portrait), (min-height: 600px)');
        const show = () => { document.body.style.background = 'red'; };
        list.onchange = show;
        list.addListener(show);
        list.addEventListener('change', show);
        setInterval(() => list.matches && show(), 20);
      </script>`,
      'body{background:green}div{background:none!important}',
    ),
    '/content-visibility': page(
      '<section><p></p></section>'.repeat(10),
      'section{content-visibility:auto;contain-intrinsic-size:auto 200px}p{margin:0;height:200px;background:green}',
    ),
    '/frames': page(
      `${filler(1_500)}<iframe src="${other.url('/green')}"></iframe><iframe sandbox srcdoc="<body style=background:green>"></iframe>`,
      'iframe{display:block;border:0;width:400px;height:100px}',
    ),
    '/list-of-window': page(`<div id="list"></div>${rowsIn('window', 'scrollY', 'innerHeight')}`, ROWS),
    '/list-of-element': page(
      `<main><div id="list"></div></main>${rowsIn("document.querySelector('main')", "document.querySelector('main').scrollTop", "document.querySelector('main').clientHeight")}`,
      `html,body,main{height:100%}main{overflow:auto}${ROWS}`,
    ),
    '/fixed-background': page(
      `${filler(1_000)}<div id="there"></div>${filler(500)}`,
      '#there{height:200px;background:linear-gradient(green,green) fixed center/cover}',
    ),
    '/backdrop': page(
      `<div id="backdrop"></div>${'<p></p>'.repeat(10)}`,
      '#backdrop{position:fixed;inset:0;z-index:-1;background:green}p{margin:0;height:200px}',
    ),
    '/lazy-in-shadow': page(`${filler(6_000)}<div id="host"></div><script>
      host.attachShadow({ mode: 'open' }).innerHTML = '<img style="display:block" loading="lazy" src="/green.svg">';
    </script>`),
    '/view-timeline': page(
      '<p></p>'.repeat(10),
      `@keyframes appear{from{opacity:0}}p{margin:0;height:200px;background:green;
        animation:appear linear both;animation-timeline:view();animation-range:entry 0% cover 50%}`,
    ),
    '/bars': page(
      `<header></header><nav></nav>${filler(900)}<a id="far"></a>${filler(1_200)}<footer></footer>`,
      `header{position:fixed;top:0;width:100%;height:40px;background:red}nav{position:sticky;top:40px;height:20px;background:blue}
       footer{position:fixed;bottom:0;width:100%;height:30px;background:green}`,
    ),
    '/bars-and-scrolls-itself': page(
      `<header></header>${filler(2_100)}<script>onload = () => scrollTo(0, 700)</script>`,
      'header{position:fixed;top:0;width:100%;height:40px;background:red}',
    ),
    '/sizes-of-window': page(
      `<main></main><section></section><article></article><div id="portrait"></div><div id="tall"></div>${filler(1_400, 'green')}<script>
        const lock = () => { document.body.style.outline = innerHeight > innerWidth ? '50px solid red' : ''; };
        addEventListener('resize', lock);
        matchMedia('(orientation: portrait)').addEventListener('change', lock);
        setInterval(lock, 50);
      </script>`,
      `html,body{height:100%}main{height:100vh;background:blue}section{padding-top:50vh;background:red}article{height:50%;background:blue}
       @media(orientation:portrait){#portrait{position:fixed;inset:0;background:red}}
       @media(min-height:1000px){main{background:red}}`,
    ),
    '/styles-of-another-origin': page(
      `<link rel="stylesheet" href="${other.url('/styles.css')}">
      <main></main><section></section><p class="h-[50vh]" style="margin:0"></p>${filler(1_400)}<article></article>`,
    ),
    '/app': page(
      `<header>Top</header><div><aside>Menu</aside><main>${bands(12)}</main></div>`,
      `html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}header{height:40px;background:blue}
       div{display:flex;flex:1;min-height:0}aside{width:80px}main{flex:1;overflow-y:auto}${BANDS}`,
    ),
    '/app-in-place': page(
      `<header>Top</header><main>${bands(12)}</main>`,
      `header{position:fixed;top:0;left:0;right:0;height:40px;background:blue}main{position:fixed;top:40px;left:0;right:0;bottom:0;overflow:auto}${BANDS}`,
    ),
    '/app-in-shadow': page(`<div id="app"></div><script>
      app.attachShadow({ mode: 'open' }).innerHTML =
        '<style>header{height:40px;background:blue}main{height:calc(100vh - 40px);overflow:auto}${BANDS}</style><header>Top</header><main>${bands(12)}</main>';
    </script>`),
    '/snap': page(
      `<main>${bands(5)}</main>`,
      `html,body{height:100%;overflow:hidden}main{height:100vh;overflow-y:scroll;scroll-snap-type:y mandatory}
       b{display:block;height:100%;background:green;scroll-snap-align:start;border-bottom:1px solid red;box-sizing:border-box}`,
    ),
    '/body-scrolls': page(
      bands(12),
      `html{height:100%;overflow:hidden}body{height:100%;overflow:auto}${BANDS}`,
    ),
    '/wide': page(
      '<div></div>',
      'div{width:1000px;height:400px;background:linear-gradient(90deg,green 500px,blue 0)}',
    ),
    '/wide-but-cut': page(
      '<div></div>',
      'body{overflow-x:hidden}div{width:1000px;height:400px;background:green}',
    ),
    '/right-to-left': `<!doctype html><html dir="rtl"><style>body{margin:0}div{width:1000px;height:400px;background:linear-gradient(90deg,red 10px,green 0 990px,blue 0)}
      p{width:100%;height:100px;margin:0;background:green}@media(min-width:401px){p{background:red}}</style><body><div></div><p></p>`,
  });
  capture = await startTestCapture({ allowAddresses: ['127.0.0.2', '127.0.0.3'] });
});

afterAll(async () => {
  await capture.close();
  await Promise.all([site.close(), other.close()]);
});

const whole = async (path: string, more = {}) =>
  decodePng((await shoot(capture, site.url(path), { ...WINDOW, fullPage: true, ...more })).body);

const column = async (path: string, ys: readonly number[], more = {}) => {
  const { at } = await whole(path, more);
  return ys.map((y) => at(200, y));
};
const middles = (count: number, height: number, before = 0) =>
  Array.from({ length: count }, (_, at) => before + at * height + height / 2);
const greens = (count: number) => Array<number[]>(count).fill(GREEN);

test.each([
  ['/content-visibility', middles(10, 200)],
  ['/frames', [1_550, 1_650]],
  ['/list-of-window', middles(20, 100)],
  ['/list-of-element', middles(20, 100)],
  ['/fixed-background', [1_010, 1_100, 1_190]],
  ['/backdrop', middles(10, 200)],
  ['/lazy-in-shadow', [6_050]],
  ['/view-timeline', middles(10, 200)],
])('a full page shows content that browsers draw only in the window: the page %s', async (path, ys) => {
  expect(await column(path, ys)).toEqual(greens(ys.length));
});

test.each(['/bars', '/bars#far'])(
  'bars at the edges of the window are at those of the full page: the page %s',
  async (path) => {
    const { height, at } = await whole(path);
    const rows = Array.from({ length: height }, (_, y) => String(at(200, y)));
    const rowsOf = (colour: readonly number[]) =>
      rows.flatMap((row, y) => (row === String(colour) ? [y] : []));

    expect(height).toBe(2_120);
    expect([rowsOf(RED).at(0), rowsOf(RED).length]).toEqual([0, 40]);
    expect(rowsOf(BLUE).length).toBe(20);
    expect([rowsOf(GREEN).at(0), rowsOf(GREEN).length]).toEqual([2_090, 30]);
  },
);

test('a full page begins at the top of a page that scrolls itself down', async () => {
  expect(await column('/bars-and-scrolls-itself', [5, 705])).toEqual([RED, [255, 255, 255]]);
});

test('elements whose size depends on the window keep it, and the page does not notice another window', async () => {
  const { height, at } = await whole('/sizes-of-window');

  expect(height).toBe(300 + 150 + 150 + 1_400);
  expect([10, 290, 310, 440, 460, 590, 610, 1_990].map((y) => at(200, y))).toEqual([
    ...[BLUE, BLUE, RED, RED, BLUE, BLUE, GREEN, GREEN],
  ]);
});

test('style sheets of other origins see the requested window', async () => {
  const { height, at } = await whole('/styles-of-another-origin');

  expect(height).toBe(150 + 150 + 100 + 100 + 1_400 + 200);
  expect([155, 295, 350, 450, 1_910, 2_090].map((y) => at(200, y))).toEqual([
    ...[BLUE, BLUE, GREEN, GREEN, BLUE, GREEN],
  ]);
});

test('scripts that watch media queries see the requested window', async () => {
  expect(await column('/watches-media', [5, 895])).toEqual([GREEN, GREEN]);
});

test.each([
  ['/app', 2_440, 40],
  ['/app-in-place', 2_440, 40],
  ['/app-in-shadow', 2_440, 40],
  ['/body-scrolls', 2_400, 0],
])(
  'a full page shows all of an element that scrolls in place of the page %s',
  async (path, height, before) => {
    const shown = await whole(path);

    expect(shown.height).toBe(height);
    expect(middles(12, 200, before).map((y) => shown.at(300, y))).toEqual(greens(12));
  },
);

test('a full page shows all stops of a container with scroll snapping', async () => {
  const shown = await whole('/snap');

  expect(shown.height).toBe(1_500);
  expect([299, 599, 899, 1_199, 1_499].map((y) => shown.at(200, y))).toEqual(Array(5).fill(RED));
});

test.each(['/app', '/app-in-place', '/body-scrolls'])(
  'a PDF shows all of an element that scrolls in place of the page %s',
  async (path) => {
    const text = await textOf((await print(capture, site.url(path))).body);
    const onOneSheet = await print(capture, site.url(path), { singlePage: true });

    expect(text.match(/Band \d+/gu)).toHaveLength(12);
    expect(onOneSheet.pageCount).toBe(1);
    expect((await textOf(onOneSheet.body)).match(/Band \d+/gu)).toHaveLength(12);
  },
);

test('the last part of a page shows the end of an element that scrolls in place of the page', async () => {
  const { body, pageParts } = await shoot(capture, site.url('/app'), { ...WINDOW, part: 9 });

  expect(pageParts).toBe(9);
  expect(decodePng(body).height).toBe(40);
  expect(decodePng(body).at(300, 20)).toEqual(GREEN);
});

test('a full page is as wide as the page can be scrolled', async () => {
  const shown = await whole('/wide');

  expect([shown.width, shown.at(490, 200), shown.at(990, 200)]).toEqual([1_000, GREEN, BLUE]);
  expect((await whole('/wide-but-cut')).width).toBe(400);
});

test('a full page that is written from right to left shows its whole width', async () => {
  const shown = await whole('/right-to-left');

  expect([shown.width, shown.at(5, 200), shown.at(500, 200), shown.at(995, 200)]).toEqual([
    ...[1_000, RED, GREEN, BLUE],
  ]);
  expect(shown.at(900, 450)).toEqual(GREEN);
});
