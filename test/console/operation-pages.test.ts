import { errorBody, operations, usageStatistics } from '@signpost/contract';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;
let visitor: ConsoleClient;
let key: string;
const captured: unknown[] = [];

beforeAll(async () => {
  const screenshot = (request: unknown) => {
    captured.push(request);
    return Promise.resolve(PICTURE);
  };
  const limits = { SIGNPOST_RATE_PER_DAY: '100' };
  app = await startConsoleApp(limits, () => Promise.resolve({ ...noCaptures(), screenshot }));
  ({ visitor } = await signUpNewcomer(app));
  await visitor.submit('/welcome', { act: 'make', name: 'Maps' });
  const shown = await (await visitor.get('/reference/lookupPostcode')).text();
  [, key = ''] = /<select id="request-key"[^>]*><option value="(\d+)"/u.exec(shown) ?? [];
});
afterAll(() => app.close());

type Fields = Readonly<Record<string, string>>;

async function ask(operation: string, fields: Fields) {
  app.pass(60_000);
  const answer = await visitor.submit(`/reference/${operation}`, { key, ...fields });
  const html = await answer.text();
  const [, link = ''] = /id="request-link" href="([^"]+)"/u.exec(html) ?? [];
  return { status: answer.status, html, link: link.replaceAll('&amp;', '&') };
}

const textOf = (html: string) => html.replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ');

test('a postcode is shown on the map, with its areas, its codes and the requests that are left', async () => {
  const { status, html } = await ask('lookupPostcode', { postcode: ' sw1a1aa ', include: 'codes' });
  expect(status).toBe(200);
  expect(html).toContain('Map of the United Kingdom with SW1A 1AA marked: Westminster');
  expect(textOf(html)).toContain('Local authority Westminster');
  expect(textOf(html)).toContain('Codes Country E92000001');
  expect(html).toMatch(/\d of 5 requests left this minute/u);
});

test('the link to a request opens the form with its input, and sends nothing', async () => {
  const { link } = await ask('lookupPostcode', { postcode: ' sw1a1aa ', include: 'codes' });
  expect(link).toBe(`/reference/lookupPostcode?key=${key}&postcode=+sw1a1aa+&include=codes`);
  const again = await (await visitor.get(link)).text();
  expect(again).toContain('value=" sw1a1aa "');
  expect(again).toMatch(/value="codes" checked/u);
  expect(again).toContain('Nothing was sent yet');
});

test('the second postcode around a point has the number 2 in the table, leads to its lookup, and is on the map', async () => {
  const { html } = await ask('findNearestPostcodes', { postcode: 'SW1A 1AA', limit: '3' });
  expect(html).toContain('Map of the ground around SW1A 1AA');
  expect(html).toMatch(/<tr[^>]*data-row="1"><td[^>]*>2<\/td><th[^>]*><a[^>]*postcode=SW1A\+2HQ"/u);
  expect(html).toMatch(/<g transform[^>]*data-row="1">/u);
});

test('a known place has its distance, an unknown one the reason for having none, and the known places are on the map', async () => {
  const { html } = await ask('measureDistance', {
    from: 'sw1a1aa',
    to: 'EH99 1SP\n\nZZ99 9ZZ\n51.501, -0.1416',
  });
  expect(html).toMatch(/<td[^>]*>EH99 1SP<\/td><td[^>]*>53\d\.\d+ km<\/td>/u);
  expect(html).toMatch(/<td[^>]*>ZZ99 9ZZ<\/td><td[^>]*><span class="muted">none: /u);
  expect(html).toContain('Map of the United Kingdom with 2 places marked.');
});

test('three points are marked on the map and listed with their nearest postcodes, or with none if none is in range', async () => {
  const points = '51.501, -0.1416\n53.5, -4\n55.952, -3.172';
  const { status, html } = await ask('reverseGeocode', { points });
  expect(status).toBe(200);
  expect(html).toContain('Map of the United Kingdom with 3 places marked.');
  const dots = [...html.matchAll(/<g transform="translate\(([\d.]+) ([\d.]+)\)" data-row="(\d)">/gu)];
  expect(dots.map(([, , , row]) => row)).toEqual(['0', '1', '2']);
  // London, a point in the sea off Anglesey, and Edinburgh: each is further north.
  const ys = dots.map(([, , y]) => Number(y));
  expect(ys).toEqual(ys.toSorted((one, other) => other - one));
  expect(html).toMatch(/<td[^>]*>51\.501, -0\.1416<\/td><th[^>]*><a[^>]*>SW1A 1AA<\/a>/u);
  expect(html).toMatch(/<td[^>]*>53\.5, -4<\/td><th[^>]*><span class="muted">none: /u);
  expect(html).toMatch(/<td[^>]*>55\.952, -3\.172<\/td><th[^>]*><a[^>]*>EH8 8DX<\/a>/u);
});

test('the pages that look up an outcode, list an area and search a text show their results', async () => {
  const outcode = await ask('getOutcode', { outcode: 'm1' });
  expect(textOf(outcode.html)).toContain('Active postcodes 2');
  expect(outcode.html).toContain('Map of the United Kingdom with M1 marked: Manchester.');
  const area = await ask('listAreaPostcodes', { kind: 'country', name: 'Wales', offset: '1', limit: '2' });
  expect(area.html).toContain('Map of the United Kingdom with 2 places marked.');
  expect(area.html).toMatch(/<option value="country" selected/u);
  const text = await ask('findPostcodesInText', { text: 'At sw1a-1aa & ZZ99 9ZZ' });
  expect(textOf(text.html)).toContain('SW1A 1AA 3 11 Yes');
  expect((await ask('findPostcodesInText', { text: 'none' })).html).toContain('<p>None.</p>');
  expect((await ask('getDirectory', {})).html).toContain('sample');
});

test('an error is shown with the same status and message as in the API, and at the field if it is about one', async () => {
  const unknown = await ask('measureDistance', { from: 'ZZ99 9ZZ', to: 'SW1A 1AA' });
  const asked = { from: 'ZZ99 9ZZ', to: ['SW1A 1AA'] };
  const inApi = await app.post(operations.measureDistance.path, asked, app.apiKey);
  const { error } = errorBody.parse(await inApi.json());
  expect(error).toContain('no postcode ZZ99 9ZZ');
  expect([inApi.status, unknown.status, unknown.html]).toEqual([
    404,
    404,
    expect.stringContaining(error.replaceAll('"', '&quot;')),
  ]);
  const wrong = await ask('findNearestPostcodes', { postcode: 'SW1A 1AA', radiusMetres: '5' });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toMatch(
    /id="field-radiusMetres-problem">&quot;radiusMetres&quot; must be a number from 100/u,
  );
  const foreign = await ask('getUsage', { key: '1' });
  expect(foreign.status).toBe(400);
  expect(foreign.html).toContain('Choose one of your own keys');
});

test('choosing an example keeps the input, sends no request, and puts no secret into the page', async () => {
  const typed = { url: 'https://shop.example/cart', css: 'p { color: red }', cookies: 'session=canary5' };
  const { status, html, link } = await ask('captureScreenshot', { ...typed, preset: 'A sharp WebP' });
  expect(status).toBe(200);
  expect(html).toContain('Nothing was sent yet');
  expect(html).toContain('value="https://shop.example/cart"');
  expect(html).toContain('p { color: red }</textarea>');
  expect(html).toMatch(/<option value="webp" selected/u);
  expect(html).not.toContain('canary5');
  expect(link).toContain('url=https%3A%2F%2Fshop.example%2Fcart');
});

test('choosing an example fills an empty address with that of this server', async () => {
  const empty = await ask('captureScreenshot', { preset: 'The whole page' });
  expect(empty.html).toMatch(/name="url"[^>]*value="http:\/\/[^"]+\/"/u);
});

test('the secrets of a rejected form are neither in the link to its request nor in the page', async () => {
  const { html, link } = await ask('captureScreenshot', {
    url: 'ftp://nowhere.example/',
    cookies: 'session=canary1',
    headers: 'X-Token: canary2',
    'basicAuth.username': 'canary3',
    'basicAuth.password': 'canary4',
  });
  expect(html).toContain('&quot;url&quot; must be');
  expect(html).not.toMatch(/canary[124]/u);
  expect(link).toMatch(/url=ftp[^&]+&without=headers%2Ccookies%2CbasicAuth$/u);
  expect(textOf(await (await visitor.get(link)).text())).toContain(
    'Enter these again if you need them: Headers, Cookies, Basic auth.',
  );
});

test('the fields of steps and cookies say how to enter them', async () => {
  const page = await (await visitor.get('/reference/captureScreenshot')).text();
  expect(/id="field-steps-hint">(.*?)<\/p>/su.exec(page)?.[1]).toMatch(
    /One per line, each as JSON, such as \{&quot;click&quot;: &quot;text=Sign in&quot;\}\.$/u,
  );
  expect(page).toMatch(/name="steps"[^>]*placeholder="\{&quot;fill&quot;:&quot;#email&quot;,/u);
  expect(page).toMatch(/id="field-cookies-hint">[^<]*as name=value; path=\/\./u);
});

test('steps are entered as JSON, one per line, and the problem of a wrong step is shown at the field', async () => {
  const url = 'https://example.com/';
  const steps = '{"fill": "#name", "value": "Ada=1"}\r\n{"click": "text=Sign in"}\r\n{"waitMs": 50}';
  expect((await ask('captureScreenshot', { url, steps })).status).toBe(200);
  expect(captured.at(-1)).toMatchObject({
    steps: [{ fill: '#name', value: 'Ada=1' }, { click: 'text=Sign in' }, { waitMs: 50 }],
  });
  const wrong = await ask('captureScreenshot', { url, steps: '{"click": "a", "hover": "b"}' });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toMatch(/id="field-steps-problem">[^<]*exactly one of/u);
});

test('the form for a link accepts the options of a capture, and its response has the address of the link', async () => {
  const request = 'url: https://example.com\r\nfullPage: true\r\nwidth: 800';
  const { status, html } = await ask('createCaptureLink', { operation: 'captureScreenshot', request });
  expect(status).toBe(200);
  expect(textOf(html)).toContain(`${app.url}/c/`);
});

test('the forms for pictures and PDFs have a button for a link, and the form for reading a page has none', async () => {
  const formOf = async (operation: string) => (await visitor.get(`/reference/${operation}`)).text();
  const button = /<button[^>]*name="link"[^>]*formtarget="_self"[^>]*>Make a link to this (?:picture|PDF)</u;
  for (const operation of ['captureScreenshot', 'capturePdf'])
    expect(await formOf(operation)).toMatch(button);
  expect(await formOf('readPage')).not.toContain('name="link"');
});

test('the button for a link makes a link to the entered capture; the page is captured only when the link is opened', async () => {
  const before = captured.length;
  const request = { url: 'https://example.com/linked', width: '640' };
  const { status, html } = await ask('captureScreenshot', { ...request, link: 'yes' });
  expect([status, captured.length]).toEqual([200, before]);
  expect(html).toMatch(/name="url"[^>]*value="https:\/\/example\.com\/linked"/u);
  const [, address = ''] = /<code id="made-link"[^>]*>([^<]+)</u.exec(html) ?? [];
  expect((await fetch(address)).headers.get('content-type')).toBe('image/png');
  expect(captured.at(-1)).toMatchObject({ url: 'https://example.com/linked', width: 640 });
});

test('no link is made to a capture with cookies, and the page that says so does not show them', async () => {
  const request = { url: 'https://example.com/linked', cookies: 'session=canary6' };
  const refused = await ask('captureScreenshot', { ...request, link: 'yes' });
  expect([refused.status, refused.html]).toEqual([
    400,
    expect.stringContaining('must have no &quot;cookies'),
  ]);
  expect(refused.html).not.toContain('canary6');
});

test('completions of a postcode are suggested, and do not count as requests', async () => {
  const before = textOf((await ask('getUsage', {})).html);
  const answer = await visitor.submit(
    '/reference/lookupPostcode',
    { partial: 'sw1a 1' },
    '/reference/suggestions',
  );
  expect(await answer.json()).toEqual({ postcodes: expect.arrayContaining(['SW1A 1AA']) });
  const none = await visitor.submit('/reference/lookupPostcode', { partial: 'x' }, '/reference/suggestions');
  expect(await none.json()).toEqual({ postcodes: [] });
  const totalOf = (text: string) => Number(/Total requests (\d+)/u.exec(text)?.[1]);
  expect(totalOf(textOf((await ask('getUsage', {})).html))).toBe(totalOf(before) + 1);
});

test('a person without a key is led to creating one', async () => {
  const { visitor: other } = await signUpNewcomer(app);
  expect(await (await other.get('/reference/lookupPostcode')).text()).toContain('href="/welcome"');
});

describe('without an account', () => {
  const send = async (operation: string, fields: Fields) => {
    app.pass(60_000);
    const answer = await new ConsoleClient(app.url).post(`/reference/${operation}`, fields);
    return { status: answer.status, html: await answer.text() };
  };

  test('a request with a pasted key counts for that key, which the page does not show; a wrong or missing key is reported', async () => {
    const requestsOfKey = async () =>
      usageStatistics.parse(await (await app.get('/api/usage', app.apiKey)).json()).totalRequests;
    const before = await requestsOfKey();
    const good = await send('lookupPostcode', { credential: ` ${app.apiKey} `, postcode: 'SW1A 1AA' });
    expect(good.status).toBe(200);
    expect(textOf(good.html)).toContain('Local authority Westminster');
    expect(good.html).not.toContain(app.apiKey);
    expect(await requestsOfKey()).toBe(before + 2);
    const wrong = await send('lookupPostcode', { credential: 'sp_live_wrong', postcode: 'SW1A 1AA' });
    expect([wrong.status, wrong.html]).toEqual([401, expect.stringContaining('id="credential-problem"')]);
    const none = await send('lookupPostcode', { postcode: 'SW1A 1AA' });
    expect([none.status, none.html]).toEqual([400, expect.stringContaining('Enter the API key.')]);
  });

  test('a form says if the word Bearer is missing, and rejects wrong tokens without showing a refresh token', async () => {
    const without = await send('getTokenStatus', { credential: 'abc' });
    expect([without.status, without.html]).toEqual([
      400,
      expect.stringContaining('The word Bearer is missing. Enter the word Bearer, a space'),
    ]);
    const wrong = await send('getTokenStatus', { credential: 'Bearer abc' });
    expect(wrong.status).toBe(401);
    const refresh = await send('refreshToken', { refreshToken: 'canary' });
    expect(refresh.status).toBe(401);
    expect(refresh.html).not.toContain('canary');
  });

  test('a form sent with a session needs its CSRF token', async () => {
    const answer = await visitor.post('/reference/lookupPostcode', { key, postcode: 'SW1A 1AA' });
    expect(answer.status).toBe(403);
  });
});

test('an entered address without a scheme gets https://', async () => {
  const { html } = await ask('captureScreenshot', { url: 'example.com', preset: 'The whole page' });
  expect(html).toContain('value="https://example.com"');
});

test('the error for a used-up limit, and the page of the refused request in the log, link to the form for higher limits', async () => {
  app.pass(60_000);
  const send = () => visitor.submit('/reference/getUsage', { key });
  let last = await send();
  for (let times = 0; times < 10 && last.status !== 429; times += 1) last = await send();
  expect(last.status).toBe(429);
  expect(await last.text()).toContain(`href="/higher-limits?key=${key}"`);
  app.pass(60_000);
  const log = await (await visitor.get('/requests?outcome=refused')).text();
  const [, request = ''] = /href="(\/requests\/[^"?]+)"/u.exec(log) ?? [];
  const refused = await (await visitor.get(request)).text();
  expect(refused).toContain(`href="/higher-limits?key=${key}"`);
  expect(textOf(refused)).toContain('429 Refused (not counted) Answered');
});

test('old addresses of forms redirect to the page of their operation; an unknown operation gets 404', async () => {
  const old = await visitor.get('/playground?operation=captureScreenshot&device=iPhone+15&key=7');
  expect([old.status, old.headers.get('location')]).toEqual([
    303,
    '/reference/captureScreenshot?device=iPhone+15&key=7',
  ]);
  expect((await visitor.get('/playground')).headers.get('location')).toBe('/reference/lookupPostcode');
  expect((await visitor.get('/reference/nothing')).status).toBe(404);
});
