import { runInNewContext } from 'node:vm';
import { RequestInterceptor } from '../browser/request-interceptor.js';
import { RejectionRecord } from '../guard/rejections.js';
import { MainDocument } from '../browser/main-document.js';
import { PageSessions } from '../browser/page-sessions.js';
import { ProtocolSession } from '../browser/protocol/session.js';
import type { PageFeatures } from './ad-filters.js';
import { blockAds } from './block-ads.js';
import { sendCredentials } from './page-credentials.js';

const MAIN = 'main';
const url = 'https://site.test/start';

/** Blocks advertisements, here all addresses that contain "ad", on a fake page. `more` adds fields to the request. */
async function blockingPage(more: object = {}) {
  const sent: { readonly method: string; readonly params: unknown }[] = [];
  const failures: string[] = [];
  const judged: string[] = [];
  const names: string[] = [];
  const fail = (error: Error) => failures.push(error.message);
  const protocol: ProtocolSession = new ProtocolSession((_session, method, params) => {
    sent.push({ method, params });
    queueMicrotask(() => protocol.answer(sent.length, { result: {} }));
    return sent.length;
  });
  const sessions = new PageSessions(protocol, MAIN);
  const page = {
    protocol,
    sessions,
    renderers: new Set<number>(),
    document: new MainDocument(protocol, MAIN),
    requests: new RequestInterceptor(sessions, undefined),
    onWorker: () => Promise.resolve(),
    rejections: new RejectionRecord(),
    close: () => Promise.resolve(),
  };
  const filters = {
    isAd: (address: string, type: string, pageUrl: string) => {
      judged.push(`${type} of ${pageUrl}`);
      return address.includes('ad');
    },
    hidingStyles: (_pageUrl: string, { ids, classes, hrefs }: PageFeatures) => {
      names.push(...ids, ...classes, ...hrefs);
      return '';
    },
  };
  const request = { url, blockAds: true, ...more };
  await sendCredentials(page, request, fail);
  const ads = await blockAds(page, request, () => Promise.resolve(filters), fail);
  /** Lets the page make a request. Returns the command that was last sent to the browser. */
  const ask = (address: string, { frameId = MAIN, resourceType = 'Image', headers = {} } = {}) => {
    const request = { url: address, headers };
    protocol.emit('Fetch.requestPaused', { requestId: 'held', frameId, resourceType, request });
    return sent.at(-1);
  };
  return { sent, failures, judged, names, ask, ads };
}

test('the request for an advertisement fails with BlockedByClient, and the one for a picture is sent', async () => {
  const { ask } = await blockingPage();
  expect(ask('https://ads.test/1.png')).toEqual({
    method: 'Fetch.failRequest',
    params: { requestId: 'held', errorReason: 'BlockedByClient' },
  });
  expect(ask('https://site.test/1.png')).toEqual({
    method: 'Fetch.continueRequest',
    params: { requestId: 'held' },
  });
});

test('with blockAds, requests still get the credentials, unless they are blocked', async () => {
  const { sent, ask } = await blockingPage({ headers: { 'X-Token': 'given' } });
  expect(sent.at(-1)).toEqual({
    method: 'Fetch.enable',
    params: {
      patterns: [{ urlPattern: 'https://site.test/*' }, { urlPattern: '*' }],
    },
  });
  ask('https://site.test/1.png', { headers: { Referer: url } });
  await new Promise(setImmediate);
  expect(sent.at(-1)).toMatchObject({
    params: {
      headers: [
        { name: 'Referer', value: url },
        { name: 'X-Token', value: 'given' },
      ],
    },
  });
  expect(ask('https://site.test/ad.png')?.method).toBe('Fetch.failRequest');
});

test('the filters get the present address of the page with each request, and the page itself is not blocked', async () => {
  const { judged, ask } = await blockingPage();
  ask('https://site.test/1.png');
  expect(ask('https://ad.test/', { resourceType: 'Document' })?.method).toBe('Fetch.continueRequest');
  ask('https://ad.test/frame', { resourceType: 'Document', frameId: 'other' });
  ask('https://ad.test/data', { resourceType: 'EventSource' });
  expect(judged).toEqual([`image of ${url}`, 'sub_frame of https://ad.test/', 'other of https://ad.test/']);
});

test('rejects a page that makes more than 5,000 requests', async () => {
  const { failures, ask } = await blockingPage();
  for (let count = 0; count < 5_000; count += 1) ask('https://site.test/1.png');
  expect(failures).toEqual([]);
  for (let count = 0; count < 2; count += 1) ask('https://site.test/1.png');
  expect(failures).toEqual([
    'The page makes more than 5000 requests, the most that a capture with "blockAds" takes.',
  ]);
});

test('reads ids and links of a page only up to a million characters in total', async () => {
  const { ads, names } = await blockingPage();
  const elements = Array.from({ length: 50_000 }, (_, index) => ({
    id: `${index}-${'i'.repeat(1_900)}`,
    href: `${index}-${'h'.repeat(3_000)}`,
  }));
  const document = { querySelectorAll: () => [{ id: 'ad' }, ...elements, { id: 'short' }] };
  await ads?.hideAds({
    evaluate: (expression) => {
      const value: unknown = runInNewContext(expression, { document, DOMTokenList: Array });
      return Promise.resolve(value);
    },
  });
  expect(names.join('').length).toBeLessThanOrEqual(1_000_000);
  expect(names).toContain('ad');
  expect(names.length).toBeGreaterThan(500);
});

test('compares only the beginning of a long address', async () => {
  const { ask } = await blockingPage();
  const long = `https://site.test/${'x'.repeat(1_000_000)}`;
  expect(ask(`${long}ad`)?.method).toBe('Fetch.continueRequest');
  expect(ask(`https://ad.test/${long}`)?.method).toBe('Fetch.failRequest');
});
