import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import type { ConsoleClient } from '../fixtures/console-client.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { addressOf, NO_SAMPLES, SHOWN_PAGES } from '../fixtures/every-page.js';

const MAX_BYTES = 60 * 1_024;
const MAX_REQUESTS = 6;

let app: ConsoleApp;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
  const list = await (await operator.get('/operator/accounts')).text();
  samples.accountId = /\/operator\/accounts\/(acc_\w+)/u.exec(list)?.[1] ?? '';
});
afterAll(() => app.close());

const samples = { ...NO_SAMPLES };

/** Pages that redirect people who are signed in. */
const FOR_STRANGERS = new Set(['/signin', '/signup', '/request-access', '/forgot-password']);

/** The body of a response, as sent to a browser, and its encoding. Loads pages for strangers without a session. */
async function load(path: string, acceptEncoding = 'gzip, deflate, br') {
  const isForStrangers = FOR_STRANGERS.has(path);
  const cookies = isForStrangers ? [] : Array.from(operator.cookies, (cookie) => cookie.join('='));
  const Cookie = cookies.join('; ');
  const headers = { Cookie, Accept: 'text/html', 'Accept-Encoding': acceptEncoding };
  return new Promise<{ readonly bytes: Buffer; readonly encoding: string | undefined }>((resolve, reject) => {
    get(`${app.url}${path}`, { headers }, (answer) => {
      const encoding = answer.headers['content-encoding'];
      buffer(answer).then((bytes) => resolve({ bytes, encoding }), reject);
    }).on('error', reject);
  });
}

const sizes = new Map<string, Promise<number>>();

const sizeOf = (path: string): Promise<number> => {
  const size = sizes.get(path) ?? load(path).then(({ bytes }) => bytes.length);
  sizes.set(path, size);
  return size;
};

/** The addresses that a browser loads with a page, each once. It does not load the icon for home screens. */
const partsOf = (html: string) => [
  ...new Set(
    [
      ...html.matchAll(/<(?:link(?! rel="apple-touch-icon")|script|img)\b[^>]*\b(?:href|src)="([^"]+)"/gu),
    ].map(([, address = '']) => address),
  ),
];

test('every page is loaded with at most 60 KiB in at most six requests, among them one style sheet and one script', async () => {
  const found: string[] = [];
  for (const page of SHOWN_PAGES) {
    const address = addressOf(page, samples);
    const html = (await load(address, 'identity')).bytes.toString();
    const parts = partsOf(html);
    const loaded = await Promise.all([address, ...parts].map(sizeOf));
    const bytes = loaded.reduce((total, size) => total + size, 0);
    const kinds = ['css', 'js'].map((kind) => parts.filter((part) => part.endsWith(`.${kind}`)).length);
    if (bytes > MAX_BYTES || loaded.length > MAX_REQUESTS || kinds.join() !== '1,1')
      found.push(`${address}: ${bytes} bytes in ${loaded.length} requests, ${kinds.join(' and ')}`);
  }
  expect(found).toEqual([]);
});

test('the overview, the style sheet and the script are compressed if the browser accepts it; the public keys and responses of the API are not', async () => {
  const html = (await load('/overview', 'identity')).bytes.toString();
  for (const path of ['/overview', ...partsOf(html).filter((part) => /\.(?:css|js)$/u.test(part))]) {
    const [compressed, gzipped, plain] = await Promise.all([
      load(path),
      load(path, 'gzip'),
      load(path, 'identity'),
    ]);
    expect([path, compressed.encoding, gzipped.encoding, plain.encoding]).toEqual([
      path,
      'br',
      'gzip',
      undefined,
    ]);
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  }
  expect((await load('/.well-known/jwks.json')).encoding).toBeUndefined();
  const nearest = await app.post(
    '/api/postcode/nearest',
    { latitude: 51.501, longitude: -0.1416 },
    app.apiKey,
  );
  expect([nearest.status, nearest.headers.get('content-encoding')]).toEqual([200, null]);
  expect((await nearest.text()).length).toBeGreaterThan(2_000);
});
