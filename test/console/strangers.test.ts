import { type ConsoleApp, startConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';

let app: ConsoleApp;
let person: ConsoleClient;

beforeAll(async () => {
  const settings = { SIGNPOST_TRUST_PROXY: '127.0.0.1/32', SIGNPOST_SIGNUP: 'open' };
  // The clock stands still, so that budgets only refill when the test advances it.
  app = await startConsoleApp(settings, undefined, () => 0);
  person = new ConsoleClient(app.url);
  await person.submit('/signup', {
    email: 'ada@example.org',
    name: 'Ada',
    password: 'a long enough password',
  });
}, 60_000);
afterAll(() => app.close());

const BURST = 600;

const read = (path: string, from: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers: { 'X-Forwarded-For': from, ...headers }, redirect: 'manual' });

/** Uses up the budget of an address with cheap requests. */
async function useUp(from: string): Promise<void> {
  for (let sent = 0; sent < BURST; sent += 1) {
    const response = await read('/.well-known/oauth-protected-resource', from);
    if (response.status === 429) return;
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
}

describe('an address that used up its budget for requests without a key or a session', () => {
  const from = '203.0.113.1';
  beforeAll(async () => {
    await useUp(from);
  });

  test.each([
    '/',
    '/reference',
    '/reference?q=postcode',
    '/docs/mcp',
    '/docs?q=backup',
    '/signin',
    '/overview',
    '/openapi.json',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
    '/files/none',
  ])('a stranger who used up the budget gets 429 and Retry-After from %s', async (path) => {
    const response = await read(path, from);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a made-up session cookie does not bypass the budget for pages, their files and unknown addresses', async () => {
    const page = await (await read('/reference', '203.0.113.6')).text();
    const [asset = 'none'] = /\/assets\/[^"]+\/console\.css/u.exec(page) ?? [];
    const madeUp = { Cookie: 'signpost=made-up', Accept: 'text/html' };
    for (const path of ['/reference', asset, '/favicon.ico', '/docs/files/LICENSE', '/none'])
      expect([path, (await read(path, from, madeUp)).status]).toEqual([path, 429]);
    for (const path of [asset, '/favicon.ico'])
      expect((await person.get(path, { 'X-Forwarded-For': from })).status).toBe(200);
  });

  test.each(['/healthz', '/readyz'])('a stranger who used up the budget still gets %s', async (path) => {
    expect((await read(path, from)).status).not.toBe(429);
  });

  test('people with a session and callers with a key are served even if strangers used up the budget of their address', async () => {
    for (const path of ['/overview', '/reference'])
      expect((await person.get(path, { 'X-Forwarded-For': from })).status).toBe(200);
    const usage = await read('/api/usage', from, { 'X-Api-Key': app.apiKey });
    expect(usage.status).toBe(200);
  });

  test('the budget of strangers is separate for each network address', async () => {
    expect((await read('/reference', '203.0.113.2')).status).toBe(200);
  });

  test('strangers are served again a minute after they used up their budget', async () => {
    app.pass(60_000);
    expect((await read('/reference', from)).status).toBe(200);
  });
});

describe('the cached reference', () => {
  const page = async (response: Promise<Response>) => (await response).text();

  test('a stranger gets the same cached reference without compression, with br and with gzip', async () => {
    const plain = await page(read('/reference', '203.0.113.3', { 'Accept-Encoding': 'identity' }));
    for (const encoding of ['br', 'gzip']) {
      const response = await read('/reference', '203.0.113.3', { 'Accept-Encoding': encoding });
      expect(response.headers.get('content-encoding')).toBe(encoding);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await response.text()).toBe(plain);
    }
    expect(plain).toContain('Sign in');
  });

  test('the cached reference shows nothing of a person or a key to anybody else', async () => {
    const { id, prefix } = { id: '1', prefix: app.apiKey.slice(0, 16) };
    const operator = new ConsoleClient(app.url);
    await operator.signIn(app.first.email, app.first.password);
    await operator.submit('/password', {
      current: app.first.password,
      password: 'a password of the operator',
    });
    const own = await page(operator.get(`/reference/lookupPostcode?key=${id}`));
    const others = await page(person.get(`/reference/lookupPostcode?key=${id}`));
    const strangers = await page(read(`/reference/lookupPostcode?key=${id}`, '203.0.113.4'));
    for (const other of [others, strangers, await page(read('/reference/lookupPostcode', '203.0.113.4'))]) {
      expect(other).not.toContain(prefix);
      expect(other).not.toContain(app.first.email);
    }
    expect(others).toContain('Ada');
    expect(strangers).not.toContain('Ada');
    expect(own).toContain(`KEY=&#39;${prefix}`.replaceAll('&#39;', "'"));
  });

  test('the cached reference leads strangers to the sign-up while sign-up is open', async () => {
    expect(await page(read('/reference', '203.0.113.5'))).toContain('href="/signup"');
  });
});
