import { servePages, type Pages } from '../../../../test/fixtures/pages.js';
import { errorCode } from '../../platform/errors.js';
import type { NameLookups } from '../../platform/names/name-lookups.js';
import { createAddressPolicy } from './address-policy.js';
import { createGuardedDownload, createGuardedFetch } from './guarded-fetch.js';
import { createHostResolvers } from './host-resolver.js';

const LIMITS = { maxBytes: 1_000, timeoutMs: 60_000 };
const LATE = { maxBytes: 1_000, timeoutMs: 50 };
type LookUp = NameLookups['lookUp'];
const nobody: LookUp = () => Promise.reject(new Error('Not to be asked.'));
const atOnce = () => Promise.resolve();

let pages: Pages;
let asked: string[];
let breakOff: () => void = () => undefined;
beforeAll(async () => {
  asked = [];
  pages = await servePages({
    '/json': ({ headers }, response) => {
      asked.push(headers.host ?? '');
      response.setHeader('Content-Type', 'application/json');
      response.end('{"a":"ü"}');
    },
    '/away': (_request, response) => response.writeHead(302, { Location: '/json' }).end(),
    '/large': (_request, response) => response.end('x'.repeat(1_001)),
    '/endless': (_request, response) => {
      response.write('x');
    },
    '/half': (_request, response) => {
      response.writeHead(200, { 'Content-Length': 2 });
      response.write('x');
      breakOff = () => response.destroy();
    },
  });
});
afterAll(() => pages.close());

const resolvers = (allowed: readonly string[], lookUp: LookUp, end = () => undefined) =>
  createHostResolvers({
    isAllowed: createAddressPolicy(allowed),
    openLookups: () => ({ lookUp, end }),
    pauseFor: atOnce,
  });
const fetcher = (allowed: readonly string[], lookUp = nobody) =>
  createGuardedFetch(resolvers(allowed, lookUp));
const here = fetcher(['127.0.0.1']);

test('fetches a text completely, with its content type', async () => {
  expect(await here(new URL(`${pages.url}/json`), LIMITS)).toEqual({
    status: 200,
    contentType: 'application/json',
    text: '{"a":"ü"}',
  });
});

test('does not follow a redirect', async () => {
  asked.length = 0;
  expect(await here(new URL(`${pages.url}/away`), LIMITS)).toMatchObject({ status: 302 });
  expect(asked).toEqual([]);
});

test('aborts a response that is too large or endless', async () => {
  await expect(here(new URL(`${pages.url}/large`), LIMITS)).rejects.toThrow('badAnswer');
  await expect(here(new URL(`${pages.url}/endless`), LATE)).rejects.toThrow('connectionTimeout');
});

test.each([
  ['loopback', '127.0.0.1'],
  ['a private network', '10.0.0.1'],
  ['the link-local network', '169.254.169.254'],
  ['loopback as a number', '2130706433'],
  ['loopback mapped to IPv6', '[::ffff:127.0.0.1]'],
  ['a private network mapped to IPv6', '[::ffff:a00:1]'],
  ['a local IPv6 address', '[fd00::1]'],
])('fetches nothing from %s: the host %s', async (_what, host) => {
  asked.length = 0;
  const url = new URL(`http://${host}:${pages.port}/json`);
  await expect(fetcher([])(url, LIMITS)).rejects.toThrow('notAllowed');
  expect(asked).toEqual([]);
});

test('rejects a name if one of its addresses is not public', async () => {
  const mixed: LookUp = () =>
    Promise.resolve([
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  asked.length = 0;
  const url = new URL(`http://mixed.test:${pages.port}/json`);
  await expect(fetcher([], mixed)(url, LIMITS)).rejects.toThrow('nameNotPublic');
  expect(asked).toEqual([]);
});

test('looks up a name only once, and fetches from the address that was checked', async () => {
  let lookUps = 0;
  const rebinding: LookUp = () => {
    lookUps += 1;
    return Promise.resolve([{ address: lookUps === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
  };
  asked.length = 0;
  const url = new URL(`http://rebinding.test:${pages.port}/json`);
  expect(await fetcher(['127.0.0.1'], rebinding)(url, LIMITS)).toMatchObject({ status: 200 });
  expect([lookUps, asked]).toEqual([1, [`rebinding.test:${pages.port}`]]);
});

test('a lookup ends when the time for the fetch is over', async () => {
  let hasEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (hasEnded = resolve));
  const silent: LookUp = () => new Promise(() => undefined);
  const end = () => {
    hasEnded();
    return undefined;
  };
  const fetchText = createGuardedFetch(resolvers([], silent, end));

  await expect(fetchText(new URL('http://silent.test/'), LATE)).rejects.toThrow('connectionTimeout');
  await ended;
});

describe('large downloads', () => {
  const downloader = (allowed: readonly string[]) => createGuardedDownload(resolvers(allowed, nobody));
  const init = { headers: { range: 'bytes=0-' }, signal: new AbortController().signal };

  test('streams a download with its status and headers, and does not follow redirects', async () => {
    const download = downloader(['127.0.0.1']);
    const answer = await download(new URL(`${pages.url}/large`), init);
    expect([answer.status, await answer.text()]).toEqual([200, 'x'.repeat(1_001)]);
    asked.length = 0;
    const away = await download(new URL(`${pages.url}/away`), init);
    expect([away.status, away.headers.get('location'), asked]).toEqual([302, '/json', []]);
    await away.body?.cancel();
  });

  test('a download ends when its signal is aborted', async () => {
    const ending = new AbortController();
    const { signal } = ending;
    const answer = await downloader(['127.0.0.1'])(new URL(`${pages.url}/endless`), { headers: {}, signal });
    const reading = answer.text();
    ending.abort();
    await expect(reading).rejects.toThrow();
  });

  test('a download fails like fetch: with the reason in the cause, and without a code of its own', async () => {
    const download = downloader(['127.0.0.1']);
    const gone = await servePages();
    await gone.close();
    const refused: unknown = await download(new URL(gone.url), init).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
    expect([refused instanceof TypeError, errorCode(refused)]).toEqual([true, '']);

    const reader = (await download(new URL(`${pages.url}/half`), init)).body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1);
    breakOff();
    const broken: unknown = await reader?.read().catch((error: unknown) => error);
    expect(broken).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect([broken instanceof TypeError, errorCode(broken)]).toEqual([true, '']);
  });

  test('an aborted download fails with the reason of its signal', async () => {
    const ending = new AbortController();
    const { signal } = ending;
    const answer = await downloader(['127.0.0.1'])(new URL(`${pages.url}/endless`), { headers: {}, signal });
    const reading = answer.text();
    ending.abort(new Error('nothing came'));
    await expect(reading).rejects.toThrow('nothing came');
  });

  test('rejects a download from a forbidden address', async () => {
    await expect(downloader([])(new URL(`${pages.url}/large`), init)).rejects.toThrow('notAllowed');
  });
});
