import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const WHITE = [255, 255, 255];

const page = (body: string, style = '') =>
  `<!doctype html><style>body{margin:0}#bar{width:0;height:100px;background:green}${style}</style><body>${body}`;
const bar = (script: string, style = '') => page(`<div id="bar"></div><script>${script}</script>`, style);

/** A page with a bar that grows during a second by this clock, as charts do. */
const growingBy = (now: string) =>
  bar(`{
  let start;
  const grow = (time) => {
    start ??= ${now};
    const done = Math.min(1, (${now} - start) / 1000);
    bar.style.width = done * 200 + 'px';
    if (done < 1) requestAnimationFrame(grow);
  };
  requestAnimationFrame(grow);
}`);

const COUNTER = page(`<p>Visitors: <b id="count">0</b></p><script>
  let shown = 0;
  const counting = setInterval(() => {
    count.textContent = shown += 12;
    if (shown >= 1200) clearInterval(counting);
  }, 10);
</script>`);

const FAR_DOWN =
  '<div style="height:3000px"></div><div id="there" style="height:3000px;background:green"></div>';
const KEYFRAMES = '@keyframes grow{from{width:0}to{width:200px}}';

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/by-date': growingBy('Date.now()'),
    '/by-performance': growingBy('performance.now()'),
    '/by-frame': growingBy('time'),
    '/by-timer': bar(
      'let w=0;const t=setInterval(()=>{bar.style.width=(w+=2)+"px";if(w>=200)clearInterval(t)},10)',
    ),
    '/scrolls-smoothly': page(FAR_DOWN, 'html{scroll-behavior:smooth}'),
    '/scrolls-itself': page(
      `${FAR_DOWN}<script>onload = () => there.scrollIntoView({ behavior: 'smooth' })</script>`,
    ),
    '/by-keyframes': bar('', `${KEYFRAMES}#bar{animation:grow 20s 5s forwards}`),
    '/by-transition': bar(
      'onload=()=>setTimeout(()=>{bar.style.width="200px"},500)',
      '#bar{transition:width 20s}',
    ),
    '/by-view-transition': bar(
      'setTimeout(() => document.startViewTransition(() => { bar.style.width = "200px"; }), 1200)',
    ),
    '/by-worker': bar(
      `new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(0), 700)']))).onmessage = () => {
        bar.style.width = '200px';
      }`,
    ),
    '/in-shadow': page(`<div id="host"></div><script>
      host.attachShadow({ mode: 'closed' }).innerHTML =
        '<style>${KEYFRAMES}p{margin:0;height:100px;background:green;animation:grow 20s 5s forwards}</style><p></p>';
    </script>`),
    '/in-declared-shadow': page(`<div><template shadowrootmode="open">
      <style>${KEYFRAMES}p{margin:0;height:100px;background:green;animation:grow 20s 5s forwards}</style><p></p>
    </template></div>`),
    '/by-handler': `<!doctype html><style>body{margin:0}#bar{width:0;height:100px;background:green}</style>
      <body onload="setTimeout(() => { bar.style.width = '200px' }, 500)"><div id="bar"></div>`,
    '/by-smil': page(`<svg width="200" height="100" style="display:block"><rect height="100" fill="green">
      <animate attributeName="width" from="0" to="200" dur="1s" fill="freeze"/></rect></svg>`),
    '/without-script': page('<div id="bar"></div>', `${KEYFRAMES}#bar{animation:grow 20s 5s forwards}`),
    '/in-frame': page(
      `<iframe src="/by-keyframes" width="200" height="100" style="border:0;display:block"></iframe>`,
    ),
    '/endless': bar(
      'setInterval(()=>{},0);(function f(){requestAnimationFrame(f)})()',
      '@keyframes pulse{from{width:200px}to{width:199px}}#bar{animation:pulse 1s infinite}',
    ),
    '/too-busy': bar(
      'bar.style.width="200px";setInterval(()=>{for(const end=Date.now()+30;Date.now()<end;);},1)',
    ),
    '/messages': bar(
      'bar.style.width="200px";(function m(){const c=new MessageChannel();c.port1.onmessage=m;c.port2.postMessage(0)})()',
    ),
    '/fetches-for-ever': bar(
      'fetch("/slow?ms=60000");onload=()=>setTimeout(()=>{bar.style.width="200px"},900)',
    ),
    '/reduced': bar('', '@media (prefers-reduced-motion: reduce){#bar{width:200px}}'),
    '/counter': COUNTER,
    '/clicked': page(
      `<button id="go" onclick="bar.className='open'">Go</button><div id="bar"></div>`,
      '#bar{transition:width 20s;position:absolute;top:0}#go{position:absolute}.open{width:200px!important}',
    ),
    '/leads-on': page(
      '<script>setTimeout(()=>{location="/by-performance"},1000)</script>',
      'body{background:red}',
    ),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const corner = async (path: string, more = {}) =>
  decodePng((await shoot(capture, site.url(path), more)).body).at(195, 50);

test.each([
  ['by the date', '/by-date'],
  ['by the page clock', '/by-performance'],
  ['by the time of frames', '/by-frame'],
  ['by a timer', '/by-timer'],
  ['by keyframes', '/by-keyframes'],
  ['by a transition that begins late', '/by-transition'],
  ['by a view transition', '/by-view-transition'],
  ['when a worker answers', '/by-worker'],
  ['in a closed shadow', '/in-shadow'],
  ['in a declared shadow', '/in-declared-shadow'],
  ['in a frame', '/in-frame'],
  ['by only a handler', '/by-handler'],
  ['by an animation of SVG', '/by-smil'],
  ['without a script', '/without-script'],
  ['on a page that never rests', '/endless'],
  ['on a page that fetches for ever', '/fetches-for-ever'],
  ['on a page with more to do than time', '/too-busy'],
  ['on a page that sends itself messages for ever', '/messages'],
  ['unless its visitor prefers less motion', '/reduced'],
])('shows the final state of what moves %s', async (_how, path) => {
  expect(await corner(path)).toEqual(GREEN);
});

test.each(['/by-keyframes', '/by-transition', '/reduced'])(
  'with animations allowed, does not show the final state of the page %s',
  async (path) => {
    expect(await corner(path, { animations: 'allow' })).toEqual(WHITE);
  },
);

test.each([{ waitUntil: 'domContentLoaded' }, { waitUntil: 'networkIdle' }, { fullPage: true }])(
  'shows what moves in its final state with the fields %j',
  async (more) => {
    expect(await corner('/by-performance', more)).toEqual(GREEN);
  },
);

test.each(['/scrolls-smoothly#there', '/scrolls-itself'])(
  'shows the place to which the page scrolls smoothly: the page %s',
  async (path) => {
    expect(await corner(path)).toEqual(GREEN);
  },
);

test('shows the final state of what a click sets in motion', async () => {
  expect(await corner('/clicked', { clickSelectors: ['#go'] })).toEqual(GREEN);
});

test('follows a page that navigates while it comes to rest, and shows the final state of the next one', async () => {
  expect(await corner('/leads-on')).toEqual(GREEN);
});

test('a counter has its final number in a PDF and in the text', async () => {
  const { body } = await print(capture, site.url('/counter'));
  const { content } = await read(capture, site.url('/counter'));

  expect(await textOf(body)).toContain('Visitors: 1200');
  expect(content).toContain('1200');
});
