import type { CaptureService } from '../capture-service.js';
import { decodePng, type Picture } from '../../../../test/fixtures/capture/decode-png.js';
import { print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { fillsOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const CARDS = 16;
const CARD_PIXELS = 150;
const WINDOW = { width: 300, height: 400 };
const MAX_PAGE_HEIGHT = 6_000;

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0}${style}</style><body>${body}`;

const cards = (script: string, style = '.in{background:green}', around = '') =>
  page(
    `${around}${'<b></b>'.repeat(CARDS)}${around}<script>const cards = [...document.querySelectorAll('b')];${script}</script>`,
    `b{display:block;height:${CARD_PIXELS}px}${style}`,
  );

const observed = (options: string, around = '') =>
  cards(
    `const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) target.className = 'in';
    }, ${options});
    for (const card of cards) seen.observe(card);`,
    '.in{background:green}',
    around,
  );

const SHOW_SEEN = `for (const card of cards) if (card.getBoundingClientRect().top < innerHeight) card.className = 'in';`;

const picture =
  (delayMs: number): Handler =>
  (_request, response) =>
    void setTimeout(() => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"><rect width="300" height="150" fill="green"/></svg>',
      );
    }, delayMs);

const lazyCards = (count: number) =>
  page(
    Array.from({ length: count }, (_, at) => `<img loading="lazy" src="/late.svg?${at}">`).join(''),
    'img{display:block;height:150px;width:300px}',
  );

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/late.svg': picture(100),
    '/very-late.svg': picture(1_000),
    '/on-scroll-property': cards(`window.onscroll = () => { ${SHOW_SEEN} }; onscroll();`),
    '/on-scroll-of-document': cards(`document.onscroll = () => { ${SHOW_SEEN} }; document.onscroll();`),
    '/wheel-listener': cards(
      `addEventListener('wheel', ({ deltaY }) => deltaY > 0 && setTimeout(() => { ${SHOW_SEEN} }, 150)); ${SHOW_SEEN}`,
    ),
    '/frame-loop': cards(`requestAnimationFrame(function f() { ${SHOW_SEEN}; requestAnimationFrame(f); });`),
    '/interval': cards(`setInterval(() => { ${SHOW_SEEN} }, 200);`),
    '/hidden-at-first': cards(`
      document.body.hidden = true;
      setTimeout(() => { document.body.hidden = false; }, 3200);
      window.onscroll = () => { ${SHOW_SEEN} };`),
    '/locked-at-first': cards(
      `document.documentElement.className = 'locked';
      setTimeout(() => { document.documentElement.className = ''; }, 3200);
      window.onscroll = () => { ${SHOW_SEEN} };`,
      '.in{background:green}.locked,.locked body{overflow:hidden;height:100%}',
    ),
    '/timeouts': cards(`(function look() { ${SHOW_SEEN} setTimeout(look, 300); })();`),
    '/idle-callbacks': cards(
      `(function look() { ${SHOW_SEEN} setTimeout(() => requestIdleCallback(look), 200); })();`,
    ),
    '/script-of-frame': cards(
      `window.look = () => { ${SHOW_SEEN} };
      const frame = document.createElement('iframe');
      frame.srcdoc = '<script>setInterval(() => parent.look(), 200)</' + 'script>';
      frame.hidden = true;
      document.body.append(frame);`,
    ),
    '/cached-height': cards(`
      const height = innerHeight;
      const tops = cards.map((card) => card.offsetTop);
      const look = () => cards.forEach((card, at) => { if (scrollY + height - 40 > tops[at]) card.className = 'in'; });
      addEventListener('scroll', look);
      look();`),
    '/margin-both': observed(`{ rootMargin: '-25% 0px -25% 0px' }`, '<i></i>'),
    '/margin-line': observed(`{ rootMargin: '-45% 0px' }`, '<i></i>'),
    '/observed-in-frame': page(
      '<i></i><iframe src="/margin-of-frame"></iframe><i></i>',
      `iframe{display:block;border:0;width:300px;height:${CARDS * CARD_PIXELS}px}`,
    ),
    '/margin-of-frame': observed(`{ rootMargin: '-25% 0px -25% 0px' }`),
    '/margin-pixels': observed(`{ rootMargin: '-100px 0px -200px' }`, '<i></i>'),
    '/threshold': observed('{ threshold: 1 }'),
    '/lag-smoothing': cards(
      `let last = performance.now();
      let time = 0;
      const started = new Map();
      requestAnimationFrame(function tick() {
        const now = performance.now();
        time += now - last > 500 ? 33 : now - last;
        last = now;
        for (const card of cards) {
          if (!started.has(card) && card.getBoundingClientRect().top < innerHeight * 0.8) started.set(card, time);
          card.style.opacity = started.has(card) ? Math.min(1, (time - started.get(card)) / 1000) : 0;
        }
        requestAnimationFrame(tick);
      });`,
      'b{background:green}',
    ),
    '/late-backgrounds': cards(
      `const seen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) target.style.background = 'url(/very-late.svg?' + cards.indexOf(target) + ')';
      });
      for (const card of cards) seen.observe(card);`,
    ),
    '/in-turns': cards(`
      const seen = new IntersectionObserver(async (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) { await fetch('/late.svg'); target.className = 'in'; }
      });
      for (const card of cards) seen.observe(card);`),
    '/interval-images': cards(
      `setInterval(() => {
        for (const card of cards)
          if (card.firstChild === null && card.getBoundingClientRect().top < innerHeight)
            card.innerHTML = '<img style="display:block" src="/late.svg">';
      }, 200);`,
    ),
    '/endless': page(
      `<div id="list"></div><i id="end"></i><script>
        let batches = 0;
        const add = () => list.insertAdjacentHTML('beforeend', '<b>Batch ' + (batches += 1) + '</b>');
        add();
        new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) add(); }).observe(end);
        addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 20) add(); });
      </script>`,
      'b{display:block;height:700px;background:green}',
    ),
    '/grows-once': page(
      `<b></b><script>
        addEventListener('scroll', () => document.body.insertAdjacentHTML('beforeend', '<b></b>'.repeat(6)), { once: true });
      </script>`,
      'b{display:block;height:700px;background:green}',
    ),
    '/three-batches': page(
      `<div id="list"></div><i id="end"></i><script>
        let batches = 0;
        new IntersectionObserver(async ([{ isIntersecting }]) => {
          while (isIntersecting && batches < 3 && end.getBoundingClientRect().top <= innerHeight) {
            batches += 1;
            await fetch('/late.svg');
            list.insertAdjacentHTML('beforeend', '<b>Batch ' + batches + '</b>');
          }
        }).observe(end);
      </script>`,
      'b{display:block;height:700px;background:green}',
    ),
    '/begins-below': page(
      `<i></i><b id="late"></b><script>
        new IntersectionObserver(([{ isIntersecting }]) => {
          if (isIntersecting) setTimeout(() => { late.style.background = 'green'; }, 900);
        }).observe(late);
      </script>`,
      'i{display:block;height:1000px}b{display:block;height:100px}',
    ),
    '/begins-late': page(
      '<b id="late"></b><script>setTimeout(() => { late.style.background = "green"; }, 3000)</script>',
      'b{display:block;height:100px}',
    ),
    '/taller-than-allowed': lazyCards(60),
    '/smooth': observed('{}').replace('<style>', '<style>html{scroll-behavior:smooth}'),
    '/inner': page(
      `<header></header><main>${'<b></b>'.repeat(CARDS)}</main><script>
        const main = document.querySelector('main');
        const look = () => {
          for (const card of main.children)
            if (card.textContent === '' && card.getBoundingClientRect().top < innerHeight) card.textContent = 'Seen';
        };
        main.addEventListener('scroll', look);
        look();
      </script>`,
      'html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}header{height:40px}main{flex:1;overflow:auto}b{display:block;height:300px}',
    ),
  });
  capture = await startTestCapture({ maxPageHeightPixels: MAX_PAGE_HEIGHT });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const whole = async (path: string, more = {}) =>
  decodePng((await shoot(capture, site.url(path), { ...WINDOW, fullPage: true, ...more })).body);

const shownCards = ({ at }: Picture, before = 0) =>
  Array.from({ length: CARDS }, (_, card) => at(150, before + card * CARD_PIXELS + CARD_PIXELS / 2));
const ALL_GREEN = Array<number[]>(CARDS).fill(GREEN);

test.each([
  '/on-scroll-property',
  '/on-scroll-of-document',
  '/wheel-listener',
  '/frame-loop',
  '/interval',
  '/hidden-at-first',
  '/locked-at-first',
  '/timeouts',
  '/idle-callbacks',
  '/script-of-frame',
  '/cached-height',
  '/threshold',
  '/lag-smoothing',
  '/late-backgrounds',
  '/in-turns',
  '/interval-images',
  '/smooth',
])('a full page shows everything that appears when it is scrolled into view: the page %s', async (path) => {
  expect(shownCards(await whole(path))).toEqual(ALL_GREEN);
});

test.each(['/margin-both', '/margin-line', '/margin-pixels', '/observed-in-frame'])(
  'a full page shows what appears only once it is in a certain part of the window: the page %s',
  async (path) => {
    const style = 'i{display:block;height:400px}';

    expect(shownCards(await whole(path, { css: style }), 400)).toEqual(ALL_GREEN);
  },
);

test('a PDF shows images that an interval loads when they are in view', async () => {
  const { body } = await print(capture, site.url('/interval-images'));

  expect(await fillsOf(body, [0, 128, 0])).toBe(CARDS);
});

test('a full page whose content never ends is no taller than the limit, and counts as not at rest', async () => {
  const { body, pageRest } = await shoot(capture, site.url('/endless'), { ...WINDOW, fullPage: true });
  const { height, at } = decodePng(body);

  expect(pageRest).toBe('bounded');
  expect(height).toBeGreaterThan(1_400);
  expect(height).toBeLessThanOrEqual(MAX_PAGE_HEIGHT);
  expect(at(150, height - 10)).toEqual(GREEN);
});

test('a page that grows once, by more than is left below the limit afterwards, comes to rest', async () => {
  const { body, pageRest } = await shoot(capture, site.url('/grows-once'), { ...WINDOW, fullPage: true });

  expect(decodePng(body).height).toBe(4_900);
  expect(pageRest).toBe('reached');
});

test('a full page has all batches of a list that loads one after another', async () => {
  expect((await whole('/three-batches')).height).toBe(2_100);
});

test.each([
  ['/begins-below', 1_050],
  ['/begins-late', 50],
])('waitMs begins after the page was scrolled, or would have been: the page %s', async (path, y) => {
  const shown = await whole(path, { animations: 'allow', waitMs: 1_200 });

  expect(shown.at(150, y)).toEqual(GREEN);
});

test.each([
  [{ part: 20 }, 400],
  [{ fullPage: true, maxHeight: 3_000 }, 3_000],
])('with the fields %j, shows lazy images of a page that is taller than the limit', async (more, height) => {
  const shown = decodePng(
    (await shoot(capture, site.url('/taller-than-allowed'), { ...WINDOW, ...more })).body,
  );
  const rows = Array.from({ length: Math.floor(height / 50) }, (_, row) => shown.at(150, row * 50 + 25));

  expect(shown.height).toBe(height);
  expect(rows).toEqual(Array(rows.length).fill(GREEN));
});

test('scrolls an inner element that fills the window', async () => {
  const { content } = await read(capture, site.url('/inner'), { mainContentOnly: false });

  expect(content.match(/Seen/gu)).toHaveLength(CARDS);
});
