import { captureScreenshotRequest } from '@signpost/contract';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { never, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const RED = [200, 0, 0];

const COVER =
  'font-size:5px;position:fixed;inset:0;background:rgb(200,0,0);color:white;z-index:9;border:0;width:100%';
const page = (body: string) =>
  `<!doctype html><style>body{margin:0;background:green}</style><p>The text of the page.</p>${body}`;

/**
 * A banner as the consent manager Klaro shows it. It can only be closed through Klaro's own API, which belongs to
 * the page.
 */
const KLARO = `<div class="klaro" style="${COVER}"><div class="cookie-notice">We use cookies.</div></div>
<script>
  window.klaro = {
    show() {},
    getManager: () => ({
      changeAll(isAccepted) { if (isAccepted) document.body.style.background = 'blue' },
      saveAndApplyConsents: () => document.querySelector('.klaro').remove(),
    }),
  };
</script>`;

/** A script whose function `show` adds a banner as OneTrust shows it. The button to reject runs `refuse`. */
const ONE_TRUST = (refuse: string) => `<script>
  const show = () => document.body.insertAdjacentHTML('beforeend', \`<div id="onetrust-consent-sdk">
    <div id="onetrust-banner-sdk" style="${COVER}">We use cookies.
      <button id="onetrust-accept-btn-handler" onclick="document.body.style.background = 'blue'; document.body.innerHTML = 'accepted'">Accept</button>
      <button id="onetrust-reject-all-handler" onclick="${refuse}">Reject all</button></div></div>\`);
</script>`;
const GONE = `document.getElementById('onetrust-banner-sdk').remove()`;

/** A banner as CookieAlert shows it, in a frame. The last step of closing it involves the scripts in the frame. */
const FRAMED = `<div class="cookie-alert-extended" style="${COVER}"><div class="cookie-alert-extended-modal">We use cookies.
  <a data-controller="cookie-alert/extended/detail-link">Details</a>
  <button data-controller="cookie-alert/extended/button/configuration">Save</button></div></div>
<script>
  document.body.removeAttribute = () => document.querySelector('.cookie-alert-extended').remove();
</script>`;

/** A banner of an unknown vendor. */
const HOME_MADE = `<div role="dialog" style="${COVER}">
  <p>We use cookies and similar technologies to personalise content, to offer advertising and to analyse our traffic.</p>
  <button onclick="document.body.style.background = 'blue'; document.body.innerHTML = 'accepted'">Accept all</button>
  <button onclick="this.parentElement.remove()">Reject all</button></div>`;

/** An offer of a subscription looks similar, but is not a cookie banner. */
const NO_BANNER = `<div role="dialog" style="${COVER}"><p>Our newsletter comes every week.</p>
  <button onclick="this.parentElement.remove()">No, thanks</button></div>`;

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({
    '/plain': page(''),
    '/klaro': page(KLARO),
    '/strict-klaro': (_request, response) => {
      response.setHeader('content-security-policy', "script-src 'unsafe-inline'; connect-src 'none'");
      response.setHeader('content-type', 'text/html');
      response.end(page(KLARO));
    },
    '/late': page(`${ONE_TRUST(GONE)}<script>addEventListener('load', () => setTimeout(show, 100))</script>`),
    '/cookie-alert': page(FRAMED),
    '/framed': page(`<iframe src="/cookie-alert" style="${COVER};height:100%"></iframe>`),
    '/home-made': page(HOME_MADE),
    '/subscribe': page(NO_BANNER),
    '/reloads-once': page(
      `${ONE_TRUST(`document.cookie = 'refused=1'; location.reload()`)}
      <script>if (!document.cookie.includes('refused')) show()</script>`,
    ),
    '/reloads-always': page(`${ONE_TRUST('location.reload()')}<script>show()</script>`),
    '/flood': page(
      `${KLARO}<script>for (let i = 0; i < 40; i += 1) document.body.append(document.createElement('iframe'))</script>`,
    ),
  });
  capture = await startTestCapture();
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

const blocking = { blockCookieBanners: true };

const colourOf = async (path: string, options: Record<string, unknown> = {}) =>
  decodePng((await shoot(capture, site.url(path), options)).body).at(100, 90);

test.each([
  ["through the page's own functions", '/klaro'],
  ['whatever the policy of the page', '/strict-klaro'],
  ['also one that comes late', '/late'],
  ['by the words on its buttons', '/home-made'],
  ['of a page with many frames', '/flood'],
])('declines and closes a cookie banner, %s', async (_what, path) => {
  expect(await colourOf(path, blocking)).toEqual(GREEN);
});

test('without blockCookieBanners, pictures show cookie banners', async () => {
  expect(await colourOf('/klaro')).toEqual(RED);
  expect(await colourOf('/home-made')).toEqual(RED);
});

test('leaves a dialog that is not a cookie banner', async () => {
  expect(await colourOf('/subscribe', blocking)).toEqual(RED);
  expect(await colourOf('/plain', blocking)).toEqual(GREEN);
});

test('closes a cookie banner in a frame', async () => {
  expect(await colourOf('/framed', blocking)).toEqual(GREEN);
});

test('captures a page without its cookie banner if the page reloads once the banner is closed', async () => {
  expect(await colourOf('/reloads-once', blocking)).toEqual(GREEN);
});

test('captures a page with its cookie banner if closing the banner reloads the page and shows the banner again', async () => {
  expect(await colourOf('/reloads-always', blocking)).toEqual(RED);
});

test('closes cookie banners for PDFs and texts too, but leaves them if scripts are off', async () => {
  const url = site.url('/klaro');
  const { content } = await read(capture, url, { ...blocking, mainContentOnly: false });
  expect(content).toBe('The text of the page.');
  expect(await textOf((await print(capture, url)).body)).toContain('We use cookies.');
  expect(await textOf((await print(capture, url, blocking)).body)).toBe('The text of the page.');
  expect(await colourOf('/klaro', { ...blocking, javaScript: false })).toEqual(RED);
});

test('closes cookie banners in HTML from a request', async () => {
  const { body } = await capture.screenshot(
    captureScreenshotRequest.parse({ html: page(KLARO), width: 200, height: 100, ...blocking }),
    never(),
  );
  expect(decodePng(body).at(100, 90)).toEqual(GREEN);
});
