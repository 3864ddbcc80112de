import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0}#bar{width:0;height:100px;background:green}${style}</style><body>${body}`;
const bar = (script: string, style = '') => page(`<div id="bar"></div><script>${script}</script>`, style);

/** A page with a number that counts up to 1234 in animation frames. */
const counting = (durationMs: number) =>
  page(`<b id="count">0</b><script>
    const started = performance.now();
    requestAnimationFrame(function step() {
      const share = Math.min(1, (performance.now() - started) / ${durationMs});
      count.textContent = Math.round(1234 * share);
      if (share < 1) requestAnimationFrame(step);
    });
  </script>`);

/** A page with a canvas that is filled with green from left to right in animation frames. */
const canvas = (durationMs: number) =>
  page(`<canvas width="200" height="100" style="display:block"></canvas><script>
    const context = document.querySelector('canvas').getContext('2d');
    context.fillStyle = 'green';
    const started = performance.now();
    requestAnimationFrame(function step() {
      const share = Math.min(1, (performance.now() - started) / ${durationMs});
      context.fillRect(0, 0, 200 * share, 100);
      if (share < 1) requestAnimationFrame(step);
    });
  </script>`);

/** A page that runs `draw` in animation frames for six seconds, in which the variable `share` grows from 0 to 1. */
const drawn = (body: string, begin: string, draw: string, style = '') =>
  page(
    `${body}<script>
      ${begin};
      const started = performance.now();
      requestAnimationFrame(function step() {
        const share = Math.min(1, (performance.now() - started) / 6000);
        ${draw};
        if (share < 1) requestAnimationFrame(step);
      });
    </script>`,
    style,
  );

/** A page whose content comes from a WebSocket on this port, 100 ms after it has connected. */
const fromSocket = (port: number) =>
  page(`Loading…<script>
    new WebSocket('ws://127.0.0.2:${port}').onmessage = ({ data }) => { document.body.textContent = data; };
  </script>`);

let site: PageServer;
let sockets: WebSocketServer;
let capture: CaptureService;

beforeAll(async () => {
  sockets = new WebSocketServer({ host: '127.0.0.2', port: 0 });
  sockets.on('connection', (socket) => setTimeout(() => socket.send('Ready'), 100));
  await once(sockets, 'listening');
  const { port } = z.object({ port: z.number() }).parse(sockets.address());
  site = await startPageServer({
    // Numbers that count up to 1,234.
    '/counts-2s': counting(2_000),
    '/counts-5s': counting(5_000),
    '/counts-300-frames': page(`<b id="count">0</b><script>
      let frames = 0;
      requestAnimationFrame(function step() {
        frames += 1;
        count.textContent = Math.round((1234 * frames) / 300);
        if (frames < 300) requestAnimationFrame(step);
      });
    </script>`),
    '/counts-by-interval-5s': page(`<b id="count">0</b><script>
      let steps = 0;
      const counting = setInterval(() => {
        steps += 1;
        count.textContent = Math.round((1234 * steps) / 250);
        if (steps === 250) clearInterval(counting);
      }, 20);
    </script>`),
    '/staggered': page(
      `${'<i></i>'.repeat(12)}<script>
        document.querySelectorAll('i').forEach((item, at) => setTimeout(() => item.classList.add('in'), 300 * at));
      </script>`,
      'i{display:block;height:10px;background:green;opacity:0;transition:opacity .6s}i.in{opacity:1}',
    ),
    '/splash-4s': page(
      `<div id="splash"></div><script>
        addEventListener('load', () => setTimeout(() => {
          splash.addEventListener('transitionend', () => splash.remove());
          splash.style.opacity = 0;
        }, 4000));
      </script>`,
      'body{background:green}#splash{position:fixed;inset:0;background:red;transition:opacity .5s}',
    ),
    '/chain': page(
      `<div id="bar"></div><script>
        // Steps each of which begins when the one before has ended.
        let steps = 0;
        bar.addEventListener('transitionend', () => setTimeout(next, 700));
        function next() { steps += 1; if (steps <= 4) bar.style.width = steps * 50 + 'px'; }
        setTimeout(next, 700);
      </script>`,
      '#bar{transition:width .4s}',
    ),
    '/data-of-socket': fromSocket(port),
    '/data-after-2s': page(
      `Loading…<script>
        addEventListener('load', async () => {
          await fetch('/slow?ms=2000');
          document.body.textContent = 'Ready';
        });
      </script>`,
    ),
    '/data-asked-for-after-2s': page(
      `Loading…<script>
        setTimeout(async () => {
          await fetch('/slow?ms=300');
          setTimeout(() => { document.body.textContent = 'Ready'; }, 200);
        }, 2000);
      </script>`,
    ),
    '/timeline-with-lag-smoothing': bar(`
      // Treats a late frame as one of 33 ms, as animation libraries do.
      let last = performance.now();
      let time = 0;
      requestAnimationFrame(function tick() {
        const now = performance.now();
        time += now - last > 500 ? 33 : now - last;
        last = now;
        bar.style.width = Math.min(1, time / 3000) * 200 + 'px';
        requestAnimationFrame(tick);
      });`),
    '/canvas-3s': canvas(3_000),
    '/canvas-6s': canvas(6_000),
    '/in-frame-by-script': page(
      `<iframe src="/timeline-with-lag-smoothing" width="200" height="100" style="border:0;display:block"></iframe>`,
    ),
    '/canvas-in-shadow-6s': drawn(
      '<div id="host"></div>',
      `host.attachShadow({ mode: 'open' }).innerHTML = '<canvas width="200" height="100" style="display:block"></canvas>';
      const context = host.shadowRoot.querySelector('canvas').getContext('2d');
      context.fillStyle = 'green'`,
      'context.fillRect(0, 0, 200 * share, 100)',
    ),
    '/shadow-root-6s': drawn(
      '<div id="host"></div>',
      `host.attachShadow({ mode: 'open' })`,
      `host.shadowRoot.innerHTML = '<p style="margin:0;height:100px;background:green;width:' + 200 * share + 'px">'`,
    ),
    '/field-6s': drawn(
      '<input id="field">',
      '',
      "field.value = Math.round(1234 * share); if (share === 1) field.style.background = 'green'",
      '#field{display:block;width:200px;height:100px;border:0;padding:0}',
    ),
    '/grows-6s': drawn('<div id="bar"></div>', '', "bar.style.width = 200 * share + 'px'"),
    '/frame-6s': page(
      `<iframe src="/grows-6s" width="200" height="100" style="border:0;display:block"></iframe>`,
    ),
    '/clock': bar(
      'bar.style.width="200px";setInterval(()=>{document.title=bar.textContent=Date.now()},1000)',
    ),
    '/carousel': bar(
      'let n=0;bar.style.width="200px";setInterval(()=>{bar.style.transform=`translateX(${n++%2}px)`},3000)',
      '#bar{transition:transform .5s}',
    ),
    '/ticker': bar(
      'let x=0;bar.style.width="200px";(function f(){bar.style.marginLeft=(x++%3)+"px";requestAnimationFrame(f)})()',
    ),
    '/light': page('<p>Words</p><script>document.body.append("More words")</script>'),
    '/fetches-for-ever': bar(
      'fetch("/slow?ms=60000");onload=()=>setTimeout(()=>{bar.style.width="200px"},900)',
    ),
    '/stream': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':'),
    '/counts-beside-a-stream': bar(`
      new EventSource('/stream');
      let steps = 0;
      const counting = setInterval(() => {
        bar.style.width = (steps += 1) + 'px';
        if (steps === 200) clearInterval(counting);
      }, 15);`),
    '/reloads': bar('bar.style.width="200px";setTimeout(() => location.reload(), 3000)'),
    '/too-busy': bar(
      'bar.style.width="200px";setInterval(()=>{for(const end=Date.now()+30;Date.now()<end;);},1)',
    ),
    '/still': page('<p>Words</p>'),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  sockets.close();
  await site.close();
});

const corner = async (path: string) => decodePng((await shoot(capture, site.url(path))).body).at(195, 50);

test.each([
  ['behind a splash screen of four seconds', '/splash-4s'],
  ['in steps that follow each other', '/chain'],
  ['by a library that smooths lag', '/timeline-with-lag-smoothing'],
  ['on a canvas for three seconds', '/canvas-3s'],
  ['on a canvas for six seconds', '/canvas-6s'],
  ['by a script in a frame', '/in-frame-by-script'],
  ['in a frame for six seconds', '/frame-6s'],
  ['on a canvas in a shadow tree', '/canvas-in-shadow-6s'],
  ['in a shadow tree that is written anew', '/shadow-root-6s'],
  ['in a field that counts', '/field-6s'],
  ['beside a request that never ends', '/counts-beside-a-stream'],
  ['on a page that reloads itself again and again', '/reloads'],
])('shows the final state of what moves %s', async (_how, path) => {
  expect(await corner(path)).toEqual(GREEN);
});

test.each(['/counts-2s', '/counts-5s', '/counts-300-frames', '/counts-by-interval-5s'])(
  'the last number on the page %s is read and printed',
  async (path) => {
    const { body } = await print(capture, site.url(path));
    const { content, pageRest } = await read(capture, site.url(path));

    expect(await textOf(body)).toContain('1234');
    expect(content).toContain('1234');
    expect(pageRest).toBe('reached');
  },
);

test.each(['/data-after-2s', '/data-asked-for-after-2s', '/data-of-socket'])(
  'late data is on the page %s when it is read',
  async (path) => {
    expect((await read(capture, site.url(path))).content).toBe('Ready');
  },
);

test('shows all items of a list whose items appear one after another', async () => {
  const picture = decodePng((await shoot(capture, site.url('/staggered'), { height: 120 })).body);

  expect(Array.from({ length: 12 }, (_, at) => picture.at(100, at * 10 + 5))).toEqual(Array(12).fill(GREEN));
});

test.each([
  ['reached', '/light', {}],
  ['reached', '/counts-2s', {}],
  ['reached', '/still', {}],
  ['bounded', '/clock', {}],
  ['bounded', '/ticker', {}],
  ['bounded', '/fetches-for-ever', {}],
  ['bounded', '/too-busy', {}],
  ['skipped', '/light', { animations: 'allow' }],
])('pageRest is %s for the page %s with the fields %j', async (rest, path, more) => {
  const { pageRest } = await shoot(capture, site.url(path), more);

  expect(pageRest).toBe(rest);
});

test.each(['/clock', '/carousel', '/ticker'])(
  'a page that never comes to rest is captured all the same: %s',
  async (path) => {
    expect(await corner(path)).toEqual(GREEN);
  },
);
