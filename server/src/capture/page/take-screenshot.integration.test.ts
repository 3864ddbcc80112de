import { crc32, deflateSync } from 'node:zlib';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { rounds } from '../../../../test/fixtures/length.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const BAND_PIXELS = 200;
const GREEN = [0, 128, 0];

const bandColour = (index: number) => [(index * 53) % 256, (index * 97) % 256, (index * 151) % 256];

const page = (body: string, style = '') => `<!doctype html><style>body{margin:0}${style}</style>${body}`;

const bands = (count: number) =>
  page(
    Array.from(
      { length: count },
      (_, index) => `<div style="height:${BAND_PIXELS}px;background:rgb(${bandColour(index).join()})"></div>`,
    ).join(''),
  );

const picture: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/svg+xml' });
  response.end(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><rect width="200" height="50" fill="green"/></svg>',
  );
};

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A green picture as large as a photograph, whose decoding takes longer than a frame. */
const largePicture: Handler = (_request, response) => {
  const [width, height] = [4_000, 3_000];
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3).fill(Buffer.from([0, 128, 0]))]);
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.concat([signature, ...parts]));
};

const slowly =
  (html: string): Handler =>
  (_request, response) =>
    void setTimeout(() => response.setHeader('content-type', 'text/html').end(html), 300);

const LAZY_STYLE = 'img,b{display:block;height:50px;width:200px}i{display:block;height:3000px}';

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/colour': page('', 'body{background:rgb(1,2,3)}'),
    '/bands-100': bands(100),
    '/bands-300': bands(300),
    '/bands-400': bands(400),
    '/too-tall': page('<div style="height:100001px">'),
    '/picture.svg': picture,
    '/large.png': largePicture,
    '/decoded-apart': page('<img decoding="async" src="/large.png">', 'img{width:100%}'),
    '/lazy': page('<i></i><img loading="lazy" src="/picture.svg">'.repeat(3), LAZY_STYLE),
    '/observed': page(
      `${'<i></i><b></b>'.repeat(3)}<script>
        const seen = new IntersectionObserver((entries) => {
          for (const entry of entries) if (entry.isIntersecting) entry.target.style.background = 'green';
        });
        document.querySelectorAll('b').forEach((element) => seen.observe(element));
      </script>`,
      LAZY_STYLE,
    ),
    '/slow-picture.svg': (request, response) => void setTimeout(() => picture(request, response), 150),
    '/lazy-by-script': page(
      `${Array.from({ length: 40 }, (_, at) => `<img data-src="/slow-picture.svg?${at}"><p></p>`).join('')}<script>
        const seen = new IntersectionObserver((entries) => {
          for (const { target, isIntersecting } of entries) if (isIntersecting) target.src = target.dataset.src;
        });
        document.querySelectorAll('img').forEach((image) => seen.observe(image));
      </script>`,
      `p{margin:0;height:450px}${LAZY_STYLE}`,
    ),
    '/on-scroll': page(
      `<header></header>${'<i></i><b></b>'.repeat(3)}<script>
        addEventListener('scroll', () => {
          document.querySelector('header').style.background = scrollY > 0 ? 'red' : 'green';
          for (const element of document.querySelectorAll('b'))
            if (element.getBoundingClientRect().top < innerHeight) element.style.background = 'green';
        });
      </script>`,
      `header{position:sticky;top:0;height:50px;background:green}${LAZY_STYLE}`,
    ),
    '/in-sight-alone': page(
      `${'<i></i><b></b>'.repeat(3)}<script>
        const seen = new IntersectionObserver((entries) => {
          for (const { target, isIntersecting } of entries) target.style.background = isIntersecting ? 'green' : 'red';
        });
        document.querySelectorAll('b').forEach((element) => seen.observe(element));
      </script>`,
      LAZY_STYLE,
    ),
    '/follows-scrolling': page(
      `${'<i></i><b></b>'.repeat(3)}<script>
        const look = () => {
          for (const element of document.querySelectorAll('b'))
            element.classList.toggle('seen', element.offsetTop < scrollY + innerHeight);
        };
        addEventListener('scroll', look);
        addEventListener('resize', () => setTimeout(look, 20));
      </script>`,
      `b{background:green;opacity:0;transition:opacity 1s .3s}.seen{opacity:1}${LAZY_STYLE}`,
    ),
    '/tall-as-window': page(
      '<nav></nav><i></i><img loading="lazy" src="/picture.svg">',
      `nav{height:100vh;background:rgb(1,2,3)}${LAZY_STYLE}`,
    ),
    '/fixed': page(
      '<header></header><nav></nav><div style="height:5000px"></div>',
      'header{position:fixed;top:0;height:40px;width:100%;background:green}nav{position:sticky;top:40px;height:20px;background:rgb(1,2,3)}',
    ),
    '/late': page(
      '<script>onload=()=>fetch("/slow?ms=150").then(()=>{document.body.style.background="green"})</script>',
    ),
    '/moves': '<script>onload=()=>{location="/colour"}</script>',
    '/slow-colour': slowly(page('', 'body{background:rgb(1,2,3)}')),
    '/moves-slowly': '<script>onload=()=>{location="/slow-colour"}</script>',
    '/tidies-and-moves':
      '<script>onload=()=>{location="/slow-colour";history.replaceState(0,"","?tidy")}</script>',
    '/refreshes': '<meta http-equiv="refresh" content="0;url=/slow-colour">',
    '/refreshes-later': page('<meta http-equiv="refresh" content="9">', 'body{background:rgb(1,2,3)}'),
    '/moves-to-nothing': page(
      '<script>onload=()=>{location="/slow?ms=1"}</script>',
      'body{background:rgb(1,2,3)}',
    ),
    '/noise': page(
      '<canvas width="1000" height="1000"></canvas><script>const c=document.querySelector("canvas").getContext("2d");const d=c.createImageData(1000,1000);for(let i=0;i<d.data.length;i++)d.data[i]=i%4===3?255:Math.random()*256;c.putImageData(d,0,0)</script>',
    ),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test('a picture has the requested size and shows the page', async () => {
  const { body, mediaType, pageStatus, durationMs } = await shoot(capture, site.url('/colour'), {
    width: 321,
    height: 123,
  });
  const shown = decodePng(body);

  expect([shown.width, shown.height]).toEqual([321, 123]);
  expect([shown.at(0, 0), shown.at(320, 122)]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect({ mediaType, pageStatus }).toEqual({ mediaType: 'image/png', pageStatus: 200 });
  expect(durationMs).toBeGreaterThan(0);
});

const shootTimes = (times: number, path: string) =>
  Promise.all(Array.from({ length: times }, () => shoot(capture, site.url(path))));

test('each of many pictures shows the painted page', async () => {
  const shots = await shootTimes(rounds(12, 30), '/colour');
  expect(shots.map(({ body }) => decodePng(body).at(50, 50))).toEqual(shots.map(() => [1, 2, 3]));
});

test('shows a large picture that the browser decodes asynchronously', async () => {
  const shots = await shootTimes(rounds(3, 6), '/decoded-apart');
  expect(shots.map(({ body }) => decodePng(body).at(50, 50))).toEqual(shots.map(() => GREEN));
});

test('with the format jpeg, a picture is a JPEG', async () => {
  const { body, mediaType } = await shoot(capture, site.url('/colour'), { format: 'jpeg' });

  expect(mediaType).toBe('image/jpeg');
  expect(body.subarray(0, 3).toString('hex')).toBe('ffd8ff');
});

test.each([100, 300, 400])('captures all of %i bands of a page, each in its place', async (count) => {
  const { body } = await shoot(capture, site.url(`/bands-${count}`), { fullPage: true });
  const shown = decodePng(body);

  expect([shown.width, shown.height]).toEqual([200, count * BAND_PIXELS]);
  for (let index = 0; index < count; index += 1) {
    const top = index * BAND_PIXELS;
    const rows = [top, top + BAND_PIXELS / 2, top + BAND_PIXELS - 1];
    expect(rows.map((y) => shown.at(100, y))).toEqual(rows.map(() => bandColour(index)));
  }
});

test('a full page that is shorter than the window gets the size of the window', async () => {
  const { body } = await shoot(capture, site.url('/colour'), { fullPage: true });

  expect(decodePng(body)).toMatchObject({ width: 200, height: 100 });
});

test.each(['/lazy', '/observed', '/in-sight-alone', '/follows-scrolling'])(
  'a full page shows the lazy content of the page %s',
  async (path) => {
    const { body } = await shoot(capture, site.url(path), { fullPage: true, height: 600 });
    const shown = decodePng(body);

    expect(shown.height).toBe(3 * 3050);
    expect([3025, 6075, 9125].map((y) => shown.at(100, y))).toEqual([GREEN, GREEN, GREEN]);
  },
);

test('a full page shows all of forty pictures that a script loads lazily', async () => {
  const { body } = await shoot(capture, site.url('/lazy-by-script'), { fullPage: true, height: 600 });
  const shown = decodePng(body);
  const places = Array.from({ length: 40 }, (_, at) => at * 500 + 25);

  expect(places.filter((y) => shown.at(100, y).join() === GREEN.join())).toEqual(places);
});

test('a full page shows content that a script shows on scrolling, and does not look scrolled', async () => {
  const { body } = await shoot(capture, site.url('/on-scroll'), { fullPage: true, height: 600 });
  const shown = decodePng(body);

  expect([25, 3075, 6125, 9175].map((y) => shown.at(100, y))).toEqual([GREEN, GREEN, GREEN, GREEN]);
});

test('an element as tall as the window keeps its height on a full page', async () => {
  const { body } = await shoot(capture, site.url('/tall-as-window'), { fullPage: true, height: 600 });
  const shown = decodePng(body);

  expect(shown.height).toBe(600 + 3050);
  expect([599, 600, 3625].map((y) => shown.at(100, y))).toEqual([[1, 2, 3], [255, 255, 255], GREEN]);
});

test('a full page shows a fixed header once, at its top, and no sticky header further down', async () => {
  const { body } = await shoot(capture, site.url('/fixed'), { fullPage: true });
  const shown = decodePng(body);
  const rows = Array.from({ length: shown.height }, (_, y) => shown.at(100, y).join());

  expect(rows.filter((row) => row === GREEN.join())).toHaveLength(40);
  expect(rows.slice(0, 40).every((row) => row === GREEN.join())).toBe(true);
  expect(rows.slice(60).every((row) => row === '255,255,255')).toBe(true);
});

test('waits for requests that are still running when the page has loaded', async () => {
  const { body } = await shoot(capture, site.url('/late'));

  expect(decodePng(body).at(50, 50)).toEqual(GREEN);
});

test.each([
  ['moves on by script is followed', '/moves'],
  ['moves on by script to a page that takes long is followed', '/moves-slowly'],
  ['moves on and changes its own address meanwhile is followed', '/tidies-and-moves'],
  ['moves on by a meta element to a page that takes long is followed', '/refreshes'],
  ['refreshes itself after a while is captured as it is', '/refreshes-later'],
  ['moves on to what is no page is captured as it is', '/moves-to-nothing'],
])('a page that %s', async (_what, path) => {
  const { body } = await shoot(capture, site.url(path));

  expect(decodePng(body).at(50, 50)).toEqual([1, 2, 3]);
});

test('rejects a page that is too tall, with its height and the limit', async () => {
  const { kind, message } = await outcome(shoot(capture, site.url('/too-tall'), { fullPage: true }));

  expect(kind).toBe('invalidRequest');
  expect(message).toMatch(/100001.*100000/u);
});

test('rejects a page that is too tall for a JPEG, and says that a PNG can be taller', async () => {
  const request = { fullPage: true, format: 'jpeg' };
  const { kind, message } = await outcome(shoot(capture, site.url('/bands-400'), request));

  expect(kind).toBe('invalidRequest');
  expect(message).toMatch(/80000.*png/iu);
});

test('rejects a result that is too large, with its size', async () => {
  const small = await startTestCapture({ maxResultBytes: 1_000_000 });
  const { kind, message } = await outcome(shoot(small, site.url('/noise'), { width: 1_000, height: 1_000 }));
  await small.close();

  expect(kind).toBe('invalidRequest');
  expect(message).toMatch(/\d\.\d MB.*1\.0 MB/u);
});
