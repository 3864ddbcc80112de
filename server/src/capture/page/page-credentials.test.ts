import { HeldRequests } from '../browser/held-requests.js';
import { MainDocument } from '../browser/main-document.js';
import { ProtocolSession } from '../browser/protocol/session.js';
import { sendCredentials } from './page-credentials.js';
import type { PageRequest } from './page-request.js';

const MAIN = 'main';
const url = 'https://site.test/start';

interface Sent {
  readonly method: string;
  readonly params: unknown;
}

/** A page of which nothing is real but what it is told. */
async function pageWith(options: Partial<PageRequest>) {
  const sent: Sent[] = [];
  const failures: string[] = [];
  const protocol: ProtocolSession = new ProtocolSession((_session, method, params) => {
    sent.push({ method, params });
    queueMicrotask(() => protocol.answer(sent.length, { result: {} }));
    return sent.length;
  });
  const page = {
    protocol,
    document: new MainDocument(protocol, MAIN),
    requests: new HeldRequests(protocol, undefined),
    close: () => Promise.resolve(),
  };
  await sendCredentials(page, { ...options, url }, (error) => failures.push(error.message));
  /** Holds a request; answers the headers that it is sent with, where these are not its own. */
  const ask = (address: string, { frameId = MAIN, resourceType = 'Image', headers = {} } = {}): unknown => {
    protocol.emit('Fetch.requestPaused', {
      requestId: 'held',
      frameId,
      resourceType,
      request: { url: address, headers },
    });
    const params = sent.at(-1)?.params;
    return typeof params === 'object' && params !== null && 'headers' in params ? params.headers : undefined;
  };
  return { protocol, sent, failures, ask };
}

const TOKEN = { name: 'X-Token', value: 'given' };
const headers = { [TOKEN.name]: TOKEN.value };

test('nothing is held where nothing was given', async () => {
  const { sent } = await pageWith({ userAgent: 'Example/1.0' });
  expect(sent).toEqual([]);
});

test('what was given goes to the whole origin, and to no other', async () => {
  const { sent, ask } = await pageWith({ headers });
  expect(sent).toEqual([
    {
      method: 'Fetch.enable',
      params: {
        patterns: [{ urlPattern: 'https://site.test/*' }, { urlPattern: '*', resourceType: 'Document' }],
      },
    },
  ]);
  for (const own of ['https://site.test/', 'https://site.test:443/a', 'https://user:word@site.test/'])
    expect(ask(own)).toEqual([TOKEN]);
  for (const other of [
    'http://site.test/',
    'https://site.test:444/',
    'https://www.site.test/',
    'https://site.test.evil.test/',
    'https://site.test@evil.test/',
    'https://evil.test/?https://site.test/',
    'data:text/html,',
  ])
    expect([other, ask(other), ask(other, { resourceType: 'Document', frameId: 'child' })]).toEqual([
      other,
      undefined,
      undefined,
    ]);
});

test('who asks is known by what the request says of itself', async () => {
  const { ask } = await pageWith({ headers });
  const asked = (said: Record<string, string>) =>
    ask(url, { headers: said, frameId: 'unknown' }) !== undefined;
  expect(asked({ Referer: 'https://site.test/other' })).toBe(true);
  expect(asked({ referer: 'https://evil.test/' })).toBe(false);
  expect(asked({ Origin: 'null', Referer: 'https://site.test/' })).toBe(false);
  expect(asked({ Origin: 'https://evil.test' })).toBe(false);
  expect(asked({})).toBe(false);
});

test('where it says nothing, by where its frame and those around it have been led', async () => {
  const { protocol, ask } = await pageWith({ headers });
  const asked = (frameId: string) => ask(url, { frameId }) !== undefined;
  const attach = (frameId: string, parentFrameId: string) =>
    protocol.emit('Page.frameAttached', { frameId, parentFrameId });
  const arrive = (id: string, address: string) =>
    protocol.emit('Page.frameNavigated', { frame: { id, url: address } });
  attach('child', MAIN);
  attach('grandchild', 'child');
  arrive('grandchild', 'about:srcdoc');
  expect([asked(MAIN), asked('child'), asked('grandchild')]).toEqual([true, true, true]);

  ask('https://evil.test/', { frameId: 'child', resourceType: 'Document' });
  expect([asked(MAIN), asked('child'), asked('grandchild')]).toEqual([true, false, false]);
  // Led back, but what is in the frame may still be of the other.
  ask(url, { frameId: 'child', resourceType: 'Document' });
  expect([asked('child'), asked('grandchild')]).toEqual([false, false]);
  arrive('child', url);
  expect([asked('child'), asked('grandchild')]).toEqual([true, true]);

  protocol.emit('Page.frameDetached', { frameId: 'child', reason: 'remove' });
  expect([asked('child'), asked('grandchild')]).toEqual([false, false]);
});

test('where the page has moved on to another origin, only what leads it back has what was given', async () => {
  const { protocol, ask } = await pageWith({ headers });
  protocol.emit('Page.frameNavigated', { frame: { id: MAIN, url: 'https://evil.test/' } });
  expect(ask(url)).toBeUndefined();
  expect(ask(url, { resourceType: 'Document', headers: { Referer: 'https://evil.test/' } })).toHaveLength(2);
});

test('given headers replace those of the browser, whatever their case, and basicAuth is UTF-8', async () => {
  const basicAuth = { username: 'Zoë', password: 'a:b' };
  const { ask } = await pageWith({ headers: { 'USER-AGENT': 'given' }, basicAuth });
  expect(ask(url, { headers: { Accept: '*/*', 'User-Agent': 'own', authorization: 'own' } })).toEqual([
    { name: 'Accept', value: '*/*' },
    { name: 'USER-AGENT', value: 'given' },
    { name: 'Authorization', value: 'Basic Wm/DqzphOmI=' },
  ]);
});

test('cookies go to their path, longest first, beside those that the site has set', async () => {
  const cookies = [
    { name: 'all', value: '1', path: '/' },
    { name: 'some', value: '2=2', path: '/a' },
    { name: 'few', value: '', path: '/a/b/' },
  ];
  const { ask } = await pageWith({ cookies });
  const cookieOf = (path: string, cookie?: string) =>
    ask(`https://site.test${path}`, { headers: cookie === undefined ? {} : { cookie } });
  const sentAs = (value: string) => [{ name: 'Cookie', value }];
  expect(cookieOf('/')).toEqual(sentAs('all=1'));
  expect(cookieOf('/ab')).toEqual(sentAs('all=1'));
  expect(cookieOf('/a?b')).toEqual(sentAs('some=2=2; all=1'));
  expect(cookieOf('/a/b/c')).toEqual(sentAs('few=; some=2=2; all=1'));
  expect(cookieOf('/a', 'all=own; more=3')).toEqual(sentAs('some=2=2; all=own; more=3'));
});

test('a page that asks without an end is refused', async () => {
  const { ask, failures } = await pageWith({ headers });
  for (let count = 0; count < 5_000; count += 1) ask(url);
  expect(failures).toEqual([]);
  for (let count = 0; count < 5_000; count += 1) ask(url);
  expect(failures).toEqual([
    expect.stringMatching(/^The page makes more than 5000 requests to its own origin/u),
  ]);
});
