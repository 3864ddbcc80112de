import { MAIN, ORIGIN, pageWith, url } from '../../../../test/fixtures/capture/page-with-credentials.js';
import { ProtocolSession } from '../browser/protocol/session.js';

const TOKEN = { name: 'X-Token', value: 'given' };
const headers = { [TOKEN.name]: TOKEN.value };

test('without credentials, holds no request', async () => {
  const { sent } = await pageWith({ userAgent: 'Example/1.0' });
  expect(sent).toEqual([]);
});

test('sends credentials to the whole origin and to no other', async () => {
  const { sent, ask } = await pageWith({ headers });
  expect(sent).toEqual([
    { method: 'Fetch.enable', params: { patterns: [{ urlPattern: 'https://site.test/*' }] } },
  ]);
  for (const own of ['https://site.test/', 'https://site.test:443/a', 'https://user:word@site.test/'])
    expect(await ask(own)).toEqual([TOKEN]);
  for (const other of [
    'http://site.test/',
    'https://site.test:444/',
    'https://www.site.test/',
    'https://site.test.evil.test/',
    'https://site.test@evil.test/',
    'https://evil.test/?https://site.test/',
    'data:text/html,',
  ])
    expect([other, await ask(other), await ask(other, { resourceType: 'Document' })]).toEqual([
      other,
      undefined,
      undefined,
    ]);
});

test('if a request has an Origin or Referer, sends credentials only if each of them names the origin of the page', async () => {
  const { ask, protocol } = await pageWith({ headers });
  await ask(url, { resourceType: 'Document' });
  protocol.emit('Page.frameAttached', { frameId: 'child', parentFrameId: MAIN });
  const isSent = async (said: Record<string, string>, more = {}) =>
    (await ask(url, { headers: said, frameId: 'child', ...more })) !== undefined;
  for (const more of [{}, { resourceType: 'Document' }, { resourceType: 'Document', frameId: MAIN }]) {
    expect(await isSent({ Referer: 'https://site.test/other' }, more)).toBe(true);
    expect(await isSent({ Origin: 'https://site.test' }, more)).toBe(true);
    expect(await isSent({ referer: 'https://evil.test/' }, more)).toBe(false);
    expect(await isSent({ Origin: 'https://site.test', Referer: 'https://evil.test/' }, more)).toBe(false);
    expect(await isSent({ Origin: 'null', Referer: 'https://site.test/' }, more)).toBe(false);
    expect(await isSent({ Origin: 'null' }, more)).toBe(false);
    expect(await isSent({ Origin: 'https://evil.test' }, more)).toBe(false);
  }
});

test('sends no credentials from inside frames of other origins', async () => {
  const { ask, protocol, origins } = await pageWith({ headers });
  origins['other'] = 'https://evil.test';
  protocol.emit('Page.frameAttached', { frameId: 'other', parentFrameId: MAIN });
  protocol.emit('Page.frameAttached', { frameId: 'inner', parentFrameId: 'other' });
  for (const resourceType of ['Document', 'Image'])
    for (const frameId of ['inner', 'unknown'])
      expect(await ask(url, { frameId, resourceType, headers: { Referer: url } })).toBeUndefined();
});

test('if a request names no origin, sends credentials only if the document of its frame has the origin of the page', async () => {
  const { ask, origins, protocol } = await pageWith({ headers });
  const isSent = async (frameId: string) => (await ask(url, { frameId })) !== undefined;
  Object.assign(origins, { own: ORIGIN, sandbox: 'null', other: 'https://evil.test' });
  for (const frameId of ['own', 'sandbox', 'other'])
    protocol.emit('Page.frameAttached', { frameId, parentFrameId: MAIN });
  expect(await Promise.all([MAIN, 'own', 'sandbox', 'other', 'unknown'].map(isSent))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("sends no credentials if the frame's document is replaced while its origin is determined", async () => {
  const { protocol, ask } = await pageWith({ headers });
  const asked = ask(url);
  protocol.emit('Page.frameNavigated', { frame: { id: MAIN, loaderId: 'next' } });
  expect(await asked).toBeUndefined();
});

test('when an unknown document navigates a loaded frame, sends credentials only if the frame and all frames around it have the origin of the page', async () => {
  const { protocol, ask, origins } = await pageWith({ headers });
  const isSent = async (frameId: string) =>
    (await ask(url, { frameId, resourceType: 'Document' })) !== undefined;
  const attach = (frameId: string, parentFrameId: string) =>
    protocol.emit('Page.frameAttached', { frameId, parentFrameId });
  const arrive = (id: string, address = url) =>
    protocol.emit('Page.frameNavigated', { frame: { id, loaderId: id, url: address } });
  attach('child', MAIN);
  attach('grandchild', 'child');
  Object.assign(origins, { child: ORIGIN, grandchild: 'null' });
  // The first navigation of the page.
  expect(await isSent(MAIN)).toBe(true);
  // Only the frames around a frame can navigate it while it still has its initial document.
  expect([await isSent('child'), await isSent('grandchild')]).toEqual([true, true]);
  arrive('grandchild');
  expect(await isSent('grandchild')).toBe(false);

  origins['grandchild'] = ORIGIN;
  origins['child'] = 'https://evil.test';
  arrive('child');
  // Any frame in the page may have navigated the page itself.
  expect([await isSent(MAIN), await isSent('child'), await isSent('grandchild')]).toEqual([
    false,
    false,
    false,
  ]);

  origins[MAIN] = 'https://evil.test';
  arrive(MAIN);
  origins['child'] = ORIGIN;
  expect([await isSent(MAIN), await isSent('child'), await isSent('grandchild')]).toEqual([
    false,
    false,
    false,
  ]);

  protocol.emit('Page.frameDetached', { frameId: 'child', reason: 'remove' });
  expect(await isSent('child')).toBe(false);
});

test('when an unknown document navigates the page, sends credentials only if every frame in the page has the origin of the page', async () => {
  const { protocol, ask, origins } = await pageWith({ headers });
  const isSent = async (said = {}) =>
    (await ask(url, { resourceType: 'Document', headers: said })) !== undefined;
  const arrive = (id: string, address: string) =>
    protocol.emit('Page.frameNavigated', { frame: { id, loaderId: address, url: address } });
  expect(await isSent()).toBe(true);
  arrive(MAIN, url);
  protocol.emit('Page.frameAttached', { frameId: 'child', parentFrameId: MAIN });
  origins['child'] = ORIGIN;
  expect(await isSent()).toBe(true);

  origins['child'] = 'null';
  expect(await isSent()).toBe(false);
  expect(await isSent({ Referer: url })).toBe(true);

  // The frame that has navigated the page may already be gone.
  arrive('child', 'https://evil.test/');
  protocol.emit('Page.frameDetached', { frameId: 'child', reason: 'remove' });
  expect(await isSent()).toBe(false);
  arrive(MAIN, `${ORIGIN}/next`);
  expect(await isSent()).toBe(true);
});

test('sends no credentials if an unknown document navigates a frame with its own process', async () => {
  const { protocol, sessions, ask } = await pageWith({ headers });
  protocol.emit('Page.frameAttached', { frameId: 'child', parentFrameId: MAIN });
  const navigation = { frameId: 'child', resourceType: 'Document' };
  expect(await ask(url, navigation)).toEqual([TOKEN]);

  const continuedWith = await new Promise((resolve) => {
    const frame = new ProtocolSession((_session, method, params) => {
      if (method === 'Fetch.continueRequest') resolve(params);
      return 1;
    });
    sessions.add({ session: frame, frameId: 'child', parentFrameId: MAIN });
    frame.emit('Fetch.requestPaused', { ...navigation, requestId: 'held', request: { url, headers: {} } });
  });
  expect(continuedWith).toEqual({ requestId: 'held' });
});

test('sends credentials after a redirect only if the redirected request had them', async () => {
  const { ask } = await pageWith({ headers });
  const own = { Referer: url };
  expect(await ask(url, { requestId: '1.0', headers: own })).toBeDefined();
  expect(
    await ask(url, { requestId: '1.1', redirectedRequestId: '1.0', headers: own, resourceType: 'Document' }),
  ).toBeDefined();
  // The redirect comes from another origin, whose requests are not held.
  expect(await ask(url, { requestId: '1.3', redirectedRequestId: '1.2', headers: own })).toBeUndefined();
  expect(await ask(url, { requestId: '1.4', redirectedRequestId: '1.3', headers: own })).toBeUndefined();
});

test("requests of a frame with a data: worker get credentials only if they name the page's origin", async () => {
  const { ask, origins, protocol, startWorker } = await pageWith({ headers });
  origins['frame'] = ORIGIN;
  protocol.emit('Page.frameAttached', { frameId: 'frame', parentFrameId: MAIN });
  const isSent = async (frameId: string, said = {}) =>
    (await ask(url, { frameId, headers: said })) !== undefined;
  startWorker({ url: 'blob:https://site.test/1', parentFrameId: MAIN });
  expect(await isSent(MAIN)).toBe(true);
  startWorker({ url: 'data:text/javascript,', parentFrameId: MAIN });
  expect([await isSent(MAIN), await isSent(MAIN, { Referer: url }), await isSent('frame')]).toEqual([
    false,
    true,
    true,
  ]);
  // An older browser, which does not say which frame the worker belongs to.
  startWorker({ url: 'data:text/javascript,' });
  expect(await isSent('frame')).toBe(false);
});

test("given headers replace the browser's even if their case differs, and basicAuth is sent in UTF-8", async () => {
  const basicAuth = { username: 'Zoë', password: 'a:b' };
  const { ask } = await pageWith({ headers: { 'USER-AGENT': 'given' }, basicAuth });
  expect(await ask(url, { headers: { Accept: '*/*', 'User-Agent': 'own', authorization: 'own' } })).toEqual([
    { name: 'Accept', value: '*/*' },
    { name: 'USER-AGENT', value: 'given' },
    { name: 'Authorization', value: 'Basic Wm/DqzphOmI=' },
  ]);
});

test('sends cookies for their path, longest path first, beside cookies that the site has set', async () => {
  const cookies = [
    { name: 'all', value: '1', path: '/' },
    { name: 'some', value: '2=2', path: '/a' },
    { name: 'few', value: '', path: '/a/b/' },
  ];
  const { ask } = await pageWith({ cookies });
  const cookieOf = (path: string, cookie?: string) =>
    ask(`https://site.test${path}`, { headers: cookie === undefined ? {} : { cookie } });
  const sentAs = (value: string) => [{ name: 'Cookie', value }];
  expect(await cookieOf('/')).toEqual(sentAs('all=1'));
  expect(await cookieOf('/ab')).toEqual(sentAs('all=1'));
  expect(await cookieOf('/a?b')).toEqual(sentAs('some=2=2; all=1'));
  expect(await cookieOf('/a/b/c')).toEqual(sentAs('few=; some=2=2; all=1'));
  expect(await cookieOf('/a', 'all=own; more=3')).toEqual(sentAs('some=2=2; all=own; more=3'));
});

test('rejects a page that makes more than 5,000 requests to its own origin', async () => {
  const { ask, failures } = await pageWith({ headers });
  for (let count = 0; count < 5_000; count += 1) await ask(url);
  expect(failures).toEqual([]);
  for (let count = 0; count < 5_000; count += 1) await ask(url);
  expect(failures).toEqual([
    expect.stringMatching(/^The page makes more than 5000 requests to its own origin/u),
  ]);
});
