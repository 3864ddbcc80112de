import type { ServerResponse } from 'node:http';
import type { CaptureService } from '../capture-service.js';
import { shoot } from '../../../../test/fixtures/capture/outcome.js';
import { SITE_ADDRESS } from '../../../../test/fixtures/capture/page-server.js';
import { type RecordingSite, startRecordingSite } from '../../../../test/fixtures/capture/recording-site.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const OTHER_ADDRESS = '127.0.0.3';

let site: RecordingSite;
let other: RecordingSite;
let capture: CaptureService;

const to = (address: string) => `/to?${encodeURIComponent(address)}`;
const DONE = '<p id="done">done</p>';

/**
 * A script that requests `site` in many ways. Then it notifies the document around its frame or, in the page itself,
 * adds the element for which captures wait.
 */
const requestAll = (name: string) => `
  const to = (way) => '${site.origin}/${name}-' + way;
  const load = (tag, field) => new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = element.onerror = resolve;
    element[field] = to(tag);
    document.documentElement.append(element);
  });
  const code = 'fetch("' + to('worker') + '", { mode: "no-cors" }).finally(() => postMessage("done"))';
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  navigator.sendBeacon(to('beacon'), 'x');
  Promise.allSettled([
    fetch(to('fetch')), fetch(to('silent'), { mode: 'no-cors', referrerPolicy: 'no-referrer' }),
    load('img', 'src'), load('script', 'src'), load('iframe', 'src'), load('object', 'data'), load('embed', 'src'),
    new Promise((resolve) => { worker.onmessage = worker.onerror = resolve; }),
  ]).then(() => {
    if (parent === self) document.body.insertAdjacentHTML('beforeend', '${DONE}');
    else parent.postMessage('${name}', '*');
  });`;
const WAYS = ['beacon', 'fetch', 'silent', 'img', 'script', 'iframe', 'object', 'embed', 'worker'];
const allOf = (...names: string[]) =>
  names.flatMap((name) => WAYS.map((way) => `/${name}-${way}`)).toSorted();

const html = (name: string) => `<body><script>${requestAll(name)}</script>`;
const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const srcdoc = (name: string) => `srcdoc="${quoted(html(name))}"`;
const inScript = (text: string) => JSON.stringify(text).replaceAll('</', '<\\/');
const dataAddress = (name: string) =>
  `data:text/html,${encodeURIComponent(html(name)).replaceAll("'", '%27')}`;

/** A document with these frames. Once each has reported that it is done, so does this document. */
const framing = (...frames: readonly string[]) => `<body><script>
  let missing = ${frames.length};
  addEventListener('message', () => {
    missing -= 1;
    if (missing > 0) return;
    if (parent === self) document.body.insertAdjacentHTML('beforeend', '${DONE}');
    else parent.postMessage('around', '*');
  });
</script>${frames.map((attributes) => `<iframe ${attributes}></iframe>`).join('')}`;

const WITH_POLICY = { 'content-security-policy': 'sandbox allow-scripts' };
const DATA_WORKER = `<body><script>
  const code = 'fetch("/from-data", { mode: "no-cors" }).finally(() => { try { importScripts("/imported") } catch {} postMessage(1) })';
  const worker = new Worker('data:text/javascript,' + encodeURIComponent(code.replaceAll('"/', '"' + origin + '/')));
  worker.onmessage = () => fetch('/fetched').finally(() => document.body.insertAdjacentHTML('beforeend', '${DONE}'));
</script>`;

const pagesOfSite = () => ({
  '/opaque': framing(
    `sandbox="allow-scripts" ${srcdoc('sandboxed')}`,
    `src="${dataAddress('data')}"`,
    `sandbox="allow-scripts" src="/addressed"`,
    `sandbox="allow-scripts" srcdoc="${quoted(framing(srcdoc('inner')))}"`,
  ),
  '/addressed': html('addressed'),
  '/policy': (response: ServerResponse) => response.writeHead(200, WITH_POLICY).end(html('policy')),
  '/inheriting': `${framing(srcdoc('srcdoc'), `sandbox="allow-scripts allow-same-origin" ${srcdoc('allowed')}`, '', '')}<script>
    const [, , blank, blob] = document.querySelectorAll('iframe');
    blank.contentDocument.open();
    blank.contentDocument.write(${inScript(html('blank'))});
    blank.contentDocument.close();
    blob.src = URL.createObjectURL(new Blob([${inScript(html('blob'))}], { type: 'text/html' }));
  </script>`,
  '/data-worker': DATA_WORKER,
  '/framing': framing(`src="${other.origin}/around"`),
  '/framed': html('framed'),
  '/back': (response: ServerResponse) =>
    response.setHeader('referrer-policy', 'no-referrer').end(`<img src="/image">${DONE}`),
});

const silently = (markup: string) => `<meta name="referrer" content="no-referrer">${markup}`;
/** Pages that lead back to the first site: by navigation, with and without a referrer, or by a frame. */
const pagesOfOther = () => {
  const form = `<form method="post" action="${site.origin}/back"></form><script>document.forms[0].submit()</script>`;
  const script = `<script>location = '${site.origin}/back'</script>`;
  return {
    '/form': form,
    '/silent-form': silently(form),
    '/script': script,
    '/silent-script': silently(script),
    '/around': framing(`src="${site.origin}/framed"`),
  };
};

beforeAll(async () => {
  site = await startRecordingSite(SITE_ADDRESS, pagesOfSite);
  other = await startRecordingSite(OTHER_ADDRESS, pagesOfOther);
  capture = await startTestCapture({ allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS] });
});

beforeEach(() => site.requests.splice(0));

afterAll(async () => {
  await capture.close();
  await Promise.all([site.close(), other.close()]);
});

/** The paths that a capture with credentials requests with them, and those that it requests without. */
async function requestedFrom(path: string) {
  await shoot(capture, `${site.origin}${path}`, {
    headers: { 'X-Token': 'given' },
    waitForSelector: '#done',
  });
  const paths = (hasThem: boolean) =>
    site.requests
      .filter(({ headers }) => (headers['x-token'] === 'given') === hasThem)
      .map((heard) => heard.path)
      .toSorted();
  return { withThem: paths(true), without: paths(false) };
}

test('documents of an opaque origin request the site without credentials, whatever their address', async () => {
  expect(await requestedFrom('/opaque')).toEqual({
    withThem: ['/addressed', '/opaque'],
    without: allOf('sandboxed', 'data', 'addressed', 'inner'),
  });
});

test('a page whose own policy puts it in a sandbox requests the site without credentials once it is loaded', async () => {
  expect(await requestedFrom('/policy')).toEqual({ withThem: ['/policy'], without: allOf('policy') });
});

test("documents that inherit the page's origin request the site with credentials", async () => {
  expect(await requestedFrom('/inheriting')).toEqual({
    withThem: [...allOf('srcdoc', 'allowed', 'blank', 'blob'), '/inheriting'].toSorted(),
    without: [],
  });
});

test('a worker from a data: address requests the site without credentials', async () => {
  const { withThem, without } = await requestedFrom('/data-worker');
  expect([withThem, without]).toEqual([
    ['/data-worker', '/fetched'],
    ['/from-data', '/imported'],
  ]);
});

test('documents of the site inside frames of other sites request the site without credentials', async () => {
  expect(await requestedFrom('/framing')).toEqual({
    withThem: ['/framing'],
    without: [...allOf('framed'), '/framed'].toSorted(),
  });
});

test.each(['/form', '/silent-form', '/script', '/silent-script'])(
  'requests the page without credentials if the page %s of another site leads to it, and what it then loads with them',
  async (path) => {
    const start = to(`${other.origin}${path}`);
    expect(await requestedFrom(start)).toEqual({ withThem: ['/image', '/to'], without: ['/back'] });
  },
);

test('requests the page without credentials if another site redirects back to it', async () => {
  const start = to(`${other.origin}${to(`${site.origin}/back`)}`);
  expect(await requestedFrom(start)).toEqual({ withThem: ['/image', '/to'], without: ['/back'] });
});
