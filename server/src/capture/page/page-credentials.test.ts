import { MAIN, ORIGIN, pageWith, url } from '../../../../test/fixtures/capture/page-with-credentials.js';
import { ProtocolSession } from '../browser/protocol/session.js';

const TOKEN = { name: 'X-Token', value: 'given' };
const headers = { [TOKEN.name]: TOKEN.value };

test('holds no request if there are no credentials', async () => {
  const { sent } = await pageWith({ userAgent: 'Example/1.0' });
  expect(sent).toEqual([]);
});

test('sends credentials to the whole origin, and to no other', async () => {
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

test("trusts a request's own statements about its origin only if they all name it", async () => {
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

test('sends none from inside frames of other origins', async () => {
  const { ask, protocol, origins } = await pageWith({ headers });
  origins['other'] = 'https://evil.test';
  protocol.emit('Page.frameAttached', { frameId: 'other', parentFrameId: MAIN });
  protocol.emit('Page.frameAttached', { frameId: 'inner', parentFrameId: 'other' });
  for (const resourceType of ['Document', 'Image'])
    for (const frameId of ['inner', 'unknown'])
      expect(await ask(url, { frameId, resourceType, headers: { Referer: url } })).toBeUndefined();
});

test('if it says nothing, asks the document of its frame', async () => {
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

test('sends none if another document came into the frame meanwhile', async () => {
  const { protocol, ask } = await pageWith({ headers });
  const asked = ask(url);
  protocol.emit('Page.frameNavigated', { frame: { id: MAIN, loaderId: 'next' } });
  expect(await asked).toBeUndefined();
});

test('a frame that was led somewhere, by whom nobody says, and those around it must all be of the origin', async () => {
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
  // A frame that is still as it was made was led by those around it.
  expect([await isSent('child'), await isSent('grandchild')]).toEqual([true, true]);
  arrive('grandchild');
  expect(await isSent('grandchild')).toBe(false);

  origins['grandchild'] = ORIGIN;
  origins['child'] = 'https://evil.test';
  arrive('child');
  // The page itself may have been led by any frame in it.
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

test('a page that is led somewhere, by whom nobody says, is sent with them only if every frame in it is its own', async () => {
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

  // A frame that has led the page away may be gone by now.
  arrive('child', 'https://evil.test/');
  protocol.emit('Page.frameDetached', { frameId: 'child', reason: 'remove' });
  expect(await isSent()).toBe(false);
  arrive(MAIN, `${ORIGIN}/next`);
  expect(await isSent()).toBe(true);
});

test('a navigation by an unknown document in a process of its own is sent without them', async () => {
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

test('a redirect is sent with credentials only from a request that was', async () => {
  const { ask } = await pageWith({ headers });
  const own = { Referer: url };
  expect(await ask(url, { requestId: '1.0', headers: own })).toBeDefined();
  expect(
    await ask(url, { requestId: '1.1', redirectedRequestId: '1.0', headers: own, resourceType: 'Document' }),
  ).toBeDefined();
  // From another origin, the requests to which are not held.
  expect(await ask(url, { requestId: '1.3', redirectedRequestId: '1.2', headers: own })).toBeUndefined();
  expect(await ask(url, { requestId: '1.4', redirectedRequestId: '1.3', headers: own })).toBeUndefined();
});

test('a worker from a data: address makes its frame ambiguous: only requests that say more are sent with them', async () => {
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
  // An older browser does not name the frame.
  startWorker({ url: 'data:text/javascript,' });
  expect(await isSent('frame')).toBe(false);
});

test('given headers replace those of the browser, whatever their case, and basicAuth is UTF-8', async () => {
  const basicAuth = { username: 'Zoë', password: 'a:b' };
  const { ask } = await pageWith({ headers: { 'USER-AGENT': 'given' }, basicAuth });
  expect(await ask(url, { headers: { Accept: '*/*', 'User-Agent': 'own', authorization: 'own' } })).toEqual([
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
  expect(await cookieOf('/')).toEqual(sentAs('all=1'));
  expect(await cookieOf('/ab')).toEqual(sentAs('all=1'));
  expect(await cookieOf('/a?b')).toEqual(sentAs('some=2=2; all=1'));
  expect(await cookieOf('/a/b/c')).toEqual(sentAs('few=; some=2=2; all=1'));
  expect(await cookieOf('/a', 'all=own; more=3')).toEqual(sentAs('some=2=2; all=own; more=3'));
});

test('a page that makes endless requests is rejected', async () => {
  const { ask, failures } = await pageWith({ headers });
  for (let count = 0; count < 5_000; count += 1) await ask(url);
  expect(failures).toEqual([]);
  for (let count = 0; count < 5_000; count += 1) await ask(url);
  expect(failures).toEqual([
    expect.stringMatching(/^The page makes more than 5000 requests to its own origin/u),
  ]);
});
