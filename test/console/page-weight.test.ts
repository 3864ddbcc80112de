import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import type { ConsoleClient } from '../fixtures/console-client.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { addressOf, SHOWN_PAGES, type PageSamples } from '../fixtures/every-page.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';
import { sendJson } from '../fixtures/oauth/connect-assistant.js';

const MAX_BYTES = 60 * 1_024;
const MAX_REQUESTS = 6;

let app: ConsoleApp;
let operator: ConsoleClient;
let samples: PageSamples;

beforeAll(async () => {
  app = await startConsoleApp();
  const { email } = await signUpNewcomer(app);
  operator = await signInFirstOperator(app);
  samples = await makeSamples(email);
});
afterAll(() => app.close());

const idOn = async (path: string, pattern: RegExp) =>
  pattern.exec(await (await operator.get(path)).text())?.[1] ?? '';

/** Makes what pages show. Returns the values for their addresses; the one-time link is for another account. */
async function makeSamples(email: string): Promise<PageSamples> {
  const returnUrl = 'https://clinic.example/signed-in';
  await operator.submit('/operator/return-urls', { name: 'Clinic', url: returnUrl });
  const accountPattern = /href="\/operator\/accounts\/(acc_\w+)/u;
  const otherAccountId = await idOn(`/operator/accounts?search=${email}`, accountPattern);
  const other = `/operator/accounts/${otherAccountId}`;
  const link = await (await operator.submit(other, {}, `${other}/password-link`)).text();
  const registered = await sendJson(`${app.url}/oauth/register`, { redirect_uris: [returnUrl] });
  const { client_id: clientId } = z.object({ client_id: z.string() }).parse(await registered.json());
  return {
    projectId: await idOn('/overview', /href="\/projects\/(prj_\w+)/u),
    keyId: '1',
    accountId: await idOn(`/operator/accounts?search=${app.first.email}`, accountPattern),
    otherAccountId,
    returnUrl,
    clientId,
    linkToken: /\/link\/([\w-]+)/u.exec(link)?.[1] ?? '',
  };
}

/** Pages that redirect people who are signed in. */
const FOR_STRANGERS = new Set(['/signin', '/signup', '/request-access', '/forgot-password']);

interface Loaded {
  readonly status: number | undefined;
  /** As sent to a browser. */
  readonly bytes: Buffer;
  readonly encoding: string | undefined;
}

/** The status of a response, its body and its encoding. Loads pages for strangers without a session. */
async function load(path: string, acceptEncoding = 'gzip, deflate, br') {
  const isForStrangers = FOR_STRANGERS.has(path);
  const cookies = isForStrangers ? [] : Array.from(operator.cookies, (cookie) => cookie.join('='));
  const Cookie = cookies.join('; ');
  const headers = { Cookie, Accept: 'text/html', 'Accept-Encoding': acceptEncoding };
  return new Promise<Loaded>((resolve, reject) => {
    get(`${app.url}${path}`, { headers }, (answer) => {
      const { statusCode: status, headers: received } = answer;
      const encoding = received['content-encoding'];
      buffer(answer).then((bytes) => resolve({ status, bytes, encoding }), reject);
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
  for (const shown of SHOWN_PAGES) {
    const address = addressOf(shown, samples);
    const { status, bytes: page } = await load(address, 'identity');
    const parts = partsOf(page.toString());
    const loaded = await Promise.all([address, ...parts].map(sizeOf));
    const bytes = loaded.reduce((total, size) => total + size, 0);
    const kinds = ['css', 'js'].map((kind) => parts.filter((part) => part.endsWith(`.${kind}`)).length);
    if (status !== 200 || bytes > MAX_BYTES || loaded.length > MAX_REQUESTS || kinds.join() !== '1,1')
      found.push(
        `${address}: ${status}, ${bytes} bytes in ${loaded.length} requests, ${kinds.join(' and ')}`,
      );
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
