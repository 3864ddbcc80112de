import { captureScreenshotRequest } from '@signpost/contract';
import { PICTURE } from '../../../test/fixtures/capture/no-captures.js';
import { UNLIMITED } from '../../../test/fixtures/unlimited-admission.js';
import type { Screenshot } from '../capture/capture-service.js';
import { ServiceError } from '../platform/errors.js';
import { captureOperations } from './capture-operations.js';
import { createCaptureCaches } from './capture-cache.js';

const url = 'https://example.com/';
const { signal } = new AbortController();

/**
 * Returns `take`, which captures with a fake service whose nth picture contains the number n, and `pass`, which
 * advances the clock by milliseconds.
 */
function pictures(pictureOf: (count: number) => Partial<Screenshot> = () => ({})) {
  let count = 0;
  let nowMs = 1_000;
  const capture = {
    reserve: () => Promise.reject(new Error('Not of this test.')),
    pdf: () => Promise.reject(new Error('Not of this test.')),
    screenshot: (): Promise<Screenshot> => {
      count += 1;
      return Promise.resolve({
        ...PICTURE,
        body: Buffer.from(String(count)),
        ...pictureOf(count),
      });
    },
  };
  const { captureScreenshot: bound } = captureOperations(
    capture,
    createCaptureCaches(() => nowMs, 1_000_000),
  );
  const take = async (more: object, accountId = 'acc_ada') => {
    const reservation = {
      accountId,
      quota: 'whole' as const,
      run: <Result>(_signal: AbortSignal, work: () => Promise<Result>) => work(),
      release: () => undefined,
    };
    const answer = await bound.run({ url, ...more }, { admission: UNLIMITED, reservation, signal });
    if (!('body' in answer)) throw new Error('A picture is a file.');
    const { Age: age, 'X-Cache': cache } = answer.headers ?? {};
    return { picture: answer.body.toString(), age, cache };
  };
  return { take, pass: (ms: number) => (nowMs += ms) };
}

test('a picture is reused if it is recent enough, and its age is returned; otherwise it is taken again', async () => {
  const { take, pass } = pictures();
  expect(await take({ maxAgeSeconds: 60 })).toEqual({ picture: '1', age: 0, cache: 'miss' });
  pass(59_900);
  expect(await take({ maxAgeSeconds: 60 })).toEqual({ picture: '1', age: 59, cache: 'hit' });
  expect(await take({ maxAgeSeconds: 59 })).toEqual({ picture: '2', age: 0, cache: 'miss' });
  expect(await take({ maxAgeSeconds: 60 })).toMatchObject({ picture: '2', cache: 'hit' });
});

test('without maxAgeSeconds nothing is cached, and with 0 no cached picture is returned', async () => {
  const { take } = pictures();
  const unkept = { age: undefined, cache: undefined };
  expect(await take({})).toEqual({ picture: '1', ...unkept });
  expect(await take({ maxAgeSeconds: 60 })).toMatchObject({ picture: '2', cache: 'miss' });
  expect(await take({ maxAgeSeconds: 0 })).toEqual({ picture: '3', ...unkept });
});

/** For each field, a value that differs from the default. */
const OTHERS: Readonly<Record<string, object>> = {
  url: { url: `${url}other` },
  width: { width: 800 },
  height: { height: 800 },
  fullPage: { fullPage: true },
  format: { format: 'jpeg' },
  quality: { format: 'jpeg', quality: 1 },
  selector: { selector: 'p' },
  clip: { clip: { x: 0, y: 0, width: 10, height: 10 } },
  transparent: { transparent: true },
  maxHeight: { fullPage: true, maxHeight: 500 },
  part: { part: 1 },
  waitUntil: { waitUntil: 'networkIdle' },
  waitForSelector: { waitForSelector: 'p' },
  waitMs: { waitMs: 1 },
  timeoutMs: { timeoutMs: 2_000 },
  onTimeout: { onTimeout: 'capture' },
  animations: { animations: 'allow' },
  device: { device: 'iPhone 15' },
  scaleFactor: { scaleFactor: 2 },
  colorScheme: { colorScheme: 'dark' },
  media: { media: 'print' },
  locale: { locale: 'cy' },
  timezone: { timezone: 'Asia/Tokyo' },
  userAgent: { userAgent: 'Example/1.0' },
  javaScript: { javaScript: false },
  hideSelectors: { hideSelectors: ['p'] },
  clickSelectors: { clickSelectors: ['p'] },
  css: { css: 'p{}' },
  blockCookieBanners: { blockCookieBanners: true },
  blockAds: { blockAds: true },
  failOnPageStatus: { failOnPageStatus: true },
};
/**
 * Captures with these fields, except `maxAgeSeconds`, are never cached; `maxAgeSeconds` is not part of the cache key.
 */
const WITHOUT_OTHERS = ['steps', 'html', 'baseUrl', 'headers', 'cookies', 'basicAuth', 'maxAgeSeconds'];

test('requests that differ in one field do not share a cached picture', async () => {
  expect(Object.keys(captureScreenshotRequest.shape).toSorted()).toEqual(
    [...Object.keys(OTHERS), ...WITHOUT_OTHERS].toSorted(),
  );
  const { take } = pictures();
  await take({ maxAgeSeconds: 60 });
  for (const [field, more] of Object.entries(OTHERS)) {
    const taken = await take({ maxAgeSeconds: 60, ...more });
    expect({ field, cache: taken.cache }).toEqual({ field, cache: 'miss' });
    expect(await take({ maxAgeSeconds: 60, ...more })).toEqual({ ...taken, cache: 'hit' });
  }
});

test('accounts do not share cached pictures', async () => {
  const { take } = pictures();
  await take({ maxAgeSeconds: 60 });
  expect(await take({ maxAgeSeconds: 60 }, 'acc_eve')).toMatchObject({ picture: '2', cache: 'miss' });
});

test.each<[string, (count: number) => Partial<Screenshot>]>([
  ['answers with an error', () => ({ pageStatus: 404 })],
  ['took too long', () => ({ isComplete: false })],
  [
    'cannot be captured',
    (count) => {
      if (count === 1) throw new ServiceError('timeout', 'Too long.');
      return {};
    },
  ],
])('a page that %s is not cached but captured again', async (_what, pictureOf) => {
  const { take } = pictures(pictureOf);
  await take({ maxAgeSeconds: 60 }).catch(() => undefined);
  expect(await take({ maxAgeSeconds: 60 })).toMatchObject({ picture: '2', cache: 'miss' });
});
