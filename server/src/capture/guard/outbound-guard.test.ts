import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import {
  SITE_ADDRESS,
  type PageServer,
  startPageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { type ConnectProxy, startConnectProxy } from '../../../../test/fixtures/connect-proxy.js';
import { temporaryFolder } from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { makeCertificate } from '../../../../test/fixtures/storage/certificates.js';
import { LookupFailure } from '../../platform/names/name-lookups.js';
import { openOutbound } from '../../platform/outbound/outbound-proxy.js';
import type { ProxySettings } from '../../platform/outbound/outbound-settings.js';
import { createAddressPolicy } from './address-policy.js';
import { createGuardedFetch } from './guarded-fetch.js';
import { createHostResolvers } from './host-resolver.js';
import { rejectionReasonOf } from './rejections.js';

const NAMES: Readonly<Record<string, string>> = {
  'public.test': '93.184.215.14',
  'six.test': '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
  'private.test': '10.0.0.7',
  'intranet.test': '10.0.0.8',
  'metadata.test': '169.254.169.254',
  'both.test': '127.0.0.1 93.184.215.14',
};

let site: PageServer;
let proxy: ConnectProxy;
beforeEach(async () => {
  site = await startPageServer({ '/': 'a page' });
  proxy = await startConnectProxy(() => site.port, SITE_ADDRESS);
});
afterEach(() => Promise.all([site.close(), proxy.close()]));

function fetching(more: Partial<ProxySettings> = {}, allowed: readonly string[] = [], extraCaFile?: string) {
  const settings = { url: proxy.url, except: [], resolvesNames: false, ...more };
  const resolvers = createHostResolvers({
    isAllowed: createAddressPolicy(allowed),
    openLookups: () => ({
      lookUp: (name) => {
        const addresses = NAMES[name]?.split(' ');
        return addresses === undefined
          ? Promise.reject(new LookupFailure('notFound', 'ENOTFOUND'))
          : Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) })));
      },
      end: () => undefined,
    }),
    pauseFor: () => Promise.resolve(),
    outbound: openOutbound({ proxy: settings, extraCaFile }),
  });
  const fetchText = createGuardedFetch(resolvers);
  return (url: string) => fetchText(new URL(url), { maxBytes: 1_000, timeoutMs: 20_000 });
}
const authorities = () => proxy.requests.map(({ authority }) => authority);
const reasonFor = (work: Promise<unknown>) =>
  work.then(
    () => 'reached',
    (error: unknown) => rejectionReasonOf(error),
  );

test('asks the proxy for the checked address, never for the name', async () => {
  const get = fetching();
  expect(await get('http://public.test/')).toMatchObject({ status: 200, text: 'a page' });
  expect(await get('http://six.test:8080/')).toMatchObject({ text: 'a page' });
  expect(await get('http://93.184.215.14/')).toMatchObject({ text: 'a page' });
  expect(authorities()).toEqual([
    '93.184.215.14:80',
    '[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8080',
    '93.184.215.14:80',
  ]);
});

test.each(['http://private.test/', 'http://metadata.test/', 'http://10.0.0.7/', 'http://[::ffff:10.0.0.7]/'])(
  'never asks the proxy for %s, which leads to an address that is not public',
  async (url) => {
    expect(await reasonFor(fetching()(url))).toMatch(/^(?:nameNotPublic|notAllowed)$/u);
    expect(proxy.requests).toEqual([]);
  },
);

test.each([['*'], ['private.test'], ['.test'], ['10.0.0.0/8']])(
  'the exception %s from the proxy is no way past the guard',
  async (except) => {
    expect(await reasonFor(fetching({ except: [except] })('http://private.test/'))).toBe('nameNotPublic');
    expect(proxy.requests).toEqual([]);
  },
);

test.each([
  ['me:p%40ss%25', 'me:p@ss%'],
  [':p%40ss', ':p@ss'],
  ['me', 'me:'],
])('sends the proxy the user and password in its URL, decoded: %s as %s', async (inUrl, credentials) => {
  const url = proxy.url.replace('http://', `http://${inUrl}@`);
  await fetching({ url })('http://public.test/');
  expect(proxy.requests).toEqual([{ authority: '93.184.215.14:80', credentials }]);
});

test.each([
  [407, 'proxyRefused'],
  [403, 'proxyRefused'],
  [405, 'proxyRefused'],
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'connectionTimeout'],
])('if the proxy responds with the status %d, the reason of the rejection is %s', async (status, reason) => {
  proxy.status = status;
  expect(await reasonFor(fetching()('http://public.test/'))).toBe(reason);
});

test('if the proxy cannot be reached, the reason of the rejection is proxyUnreachable', async () => {
  await proxy.close();
  const failure: unknown = await fetching()('http://public.test/').catch((error: unknown) => error);
  expect(rejectionReasonOf(failure)).toBe('proxyUnreachable');
});

describe('with resolvesNames', () => {
  test('a proxy that resolves names gets those of pages, but addresses are checked as usual', async () => {
    const get = fetching({ resolvesNames: true });
    expect(await get('http://only-the-proxy-knows.test/')).toMatchObject({ text: 'a page' });
    expect(await reasonFor(get('http://10.0.0.7/'))).toBe('notAllowed');
    expect(await reasonFor(get('http://127.0.0.1:9/'))).toBe('notAllowed');
    expect(authorities()).toEqual(['only-the-proxy-knows.test:80']);
  });

  test.each(['http://localhost/', 'http://a.localhost./'])(
    'a proxy that resolves names is not asked for its own machine: %s',
    async (url) => {
      expect(await reasonFor(fetching({ resolvesNames: true })(url))).toBe('nameNotPublic');
      expect(proxy.requests).toEqual([]);
    },
  );

  test('a proxy that resolves names does not get excepted ones, which are resolved and checked here', async () => {
    const get = fetching({ resolvesNames: true, except: ['intranet.test'] });
    expect(await reasonFor(get('http://intranet.test/'))).toBe('nameNotPublic');
    expect(proxy.requests).toEqual([]);
  });
});

test('does not ask the proxy for its own machine if a name leads both there and elsewhere', async () => {
  const get = fetching({}, ['127.0.0.0/8']);
  expect(await get('http://both.test/')).toMatchObject({ text: 'a page' });
  expect(authorities()).toEqual(['93.184.215.14:80']);
});

test.each([
  ['localhost', 'localhost', 'reached'],
  ['127.0.0.1', '127.0.0.1', 'reached'],
  ['localhost', 'page.test', 'proxyUnreachable'],
  ['127.0.0.1', 'page.test', 'proxyUnreachable'],
  ['127.0.0.1', 'localhost', 'proxyUnreachable'],
])('with TLS, a proxy at %s that shows a certificate for %s leads to: %s', async (at, certified, outcome) => {
  const folder = await temporaryFolder();
  const files = await makeCertificate(folder.dataDir, 'proxy', { subject: 'Proxy', host: certified });
  const [cert, key] = [await readFile(files.cert, 'utf8'), await readFile(files.key, 'utf8')];
  const secure = await startConnectProxy(() => site.port, SITE_ADDRESS, { cert, key });
  const url = secure.url.replace('127.0.0.1', at);
  try {
    // The proxy resolves the page's name, which is not the name for which the proxy's certificate must be.
    const get = fetching({ url, resolvesNames: true }, [], files.cert);
    expect(await reasonFor(get('http://page.test/'))).toBe(outcome);
    expect(await reasonFor(get('http://93.184.215.14/'))).toBe(outcome);
  } finally {
    await Promise.all([secure.close(), folder.remove()]);
  }
});

test('reaches an allowed address of this machine without the proxy', async () => {
  const get = fetching({}, [SITE_ADDRESS]);
  expect(await get(site.url('/'))).toMatchObject({ text: 'a page' });
  expect(proxy.requests).toEqual([]);
});
