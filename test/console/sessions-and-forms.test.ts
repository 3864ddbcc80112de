import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { PASSWORD } from '../fixtures/console-steps.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

const ANOTHER = 'another long password';
const minuteMs = 60_000;
const dayMs = 86_400_000;

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

const client = () => new ConsoleClient(app.url);

const newcomer = () => signUpNewcomer(app);
const sessionOf = (visitor: ConsoleClient) => visitor.cookies.get('signpost');

test('a page that requires a sign-in leads to the sign-in and back, and never to another host', async () => {
  const { email, visitor: signedIn } = await newcomer();
  const visitor = client();
  const first = await visitor.get('/apikeys?x=1');
  expect(first.status).toBe(303);
  expect(first.headers.get('location')).toBe('/signin?next=%2Fapikeys%3Fx%3D1');
  const wrong = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ];
  for (const next of wrong) {
    const answer = await client().submit('/signin', { email, password: PASSWORD, next });
    expect([next, answer.headers.get('location')]).toEqual([next, '/overview']);
    const again = await signedIn.get(`/signin?next=${encodeURIComponent(next)}`);
    expect([next, again.headers.get('location')]).toEqual([next, '/overview']);
  }
  const answer = await visitor.submit('/signin', { email, password: PASSWORD, next: '/apikeys?x=1' });
  expect(answer.headers.get('location')).toBe('/apikeys?x=1');
});

test('a session that an attacker planted before the sign-in is worthless after it', async () => {
  const { email } = await newcomer();
  const victim = client();
  victim.cookies.set('signpost', 'planted-by-an-attacker');
  await victim.signIn(email, PASSWORD);
  expect(sessionOf(victim)).not.toBe('planted-by-an-attacker');
  const attacker = client();
  attacker.cookies.set('signpost', 'planted-by-an-attacker');
  expect((await attacker.get('/overview')).status).toBe(303);
});

test('signing in again ends the browser’s previous session', async () => {
  const { email, visitor } = await newcomer();
  const before = sessionOf(visitor) ?? '';
  await visitor.post('/signout', {});
  const second = client();
  second.cookies.set('signpost', before);
  expect((await second.get('/overview')).status).toBe(200);
  await second.post('/signin', {});
  const page = await second.get('/password');
  expect(page.status).toBe(200);
  const token = /name="_csrf" value="([^"]+)"/u.exec(await page.text())?.[1] ?? '';
  await second.post('/signin', { _csrf: token, email, password: PASSWORD });
  expect(sessionOf(second)).not.toBe(before);
  const old = client();
  old.cookies.set('signpost', before);
  expect((await old.get('/overview')).status).toBe(303);
});

test('signing out ends the session in the database, not only in the browser', async () => {
  const { visitor } = await newcomer();
  const session = sessionOf(visitor) ?? '';
  expect((await visitor.submit('/overview', {}, '/signout')).status).toBe(303);
  expect(sessionOf(visitor)).toBeUndefined();
  const thief = client();
  thief.cookies.set('signpost', session);
  expect((await thief.get('/overview')).status).toBe(303);
});

test('a session ends a week after it was last used', async () => {
  const { visitor } = await newcomer();
  app.pass(6 * dayMs);
  expect((await visitor.get('/overview')).status).toBe(200);
  app.pass(6 * dayMs);
  expect((await visitor.get('/overview')).status).toBe(200);
  app.pass(7 * dayMs + 1);
  expect((await visitor.get('/overview')).status).toBe(303);
});

test('the response to a form that is sent after its session ended links to the sign-in, and shows what was entered, except passwords', async () => {
  const { visitor } = await newcomer();
  const secrets = { password: 'a secret', current: 'a secret', next: 'a secret' };
  const fields = { _csrf: await visitor.tokenOf('/higher-limits'), reason: 'A <reason>', ...secrets };
  app.pass(7 * dayMs + 1);
  const send = async (by: ConsoleClient, from: string) =>
    (await by.post('/higher-limits', fields, { 'Sec-Fetch-Site': from })).text();
  const html = await send(visitor, 'same-origin');
  expect(html).toMatch(/href="\/signin\?next=%2Fhigher-limits".*A &lt;reason>/su);
  expect(html).not.toContain('a secret');
  expect(await send(client(), 'same-origin')).toContain('A &lt;reason>');
  expect(await send(client(), 'cross-site')).not.toContain('reason');
});

test('a session ends 30 days after it began, even if it is used every day', async () => {
  const { visitor } = await newcomer();
  for (let day = 1; day < 30; day += 1) {
    app.pass(dayMs);
    expect([day, (await visitor.get('/overview')).status]).toEqual([day, 200]);
  }
  app.pass(dayMs + 1);
  expect((await visitor.get('/overview')).status).toBe(303);
});

/**
 * Signs an account up, and in again with a second client, `thief`, as Firefox on Linux. `html` is the account page, on
 * which `key` names the thief's session.
 */
async function signedInTwice() {
  const { visitor, email } = await newcomer();
  const thief = client();
  await thief.submit('/signin', { email, password: PASSWORD }, '/signin', {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  const html = await (await visitor.get('/account')).text();
  return { visitor, thief, html, key: /name="session" value="([^"]+)"/u.exec(html)?.[1] ?? '' };
}

test('the account page lists the sessions of the account, but does not contain their cookies', async () => {
  const { visitor, thief, html } = await signedInTwice();
  expect(html).toMatch(/<th scope="row"[^>]*>Firefox on Linux<\/th><td[^>]*>127\.0\.0\.1</u);
  expect(html.match(/This one/gu)).toHaveLength(1);
  expect(html).not.toContain(sessionOf(visitor));
  expect(html).not.toContain(sessionOf(thief));
});

test('the account page can sign out another session of the account, but no session of another account', async () => {
  const { visitor, thief, key } = await signedInTwice();
  const other = await newcomer();
  await other.visitor.submit('/account', { session: key }, '/account/sessions/end');
  expect((await thief.get('/overview')).status).toBe(200);
  const ended = await visitor.submit('/account', { session: key }, '/account/sessions/end');
  expect(ended.headers.get('location')).toBe('/account?done=session-ended');
  expect((await thief.get('/overview')).status).toBe(303);
  expect((await visitor.get('/overview')).status).toBe(200);
});

test('signing out everywhere else ends every other session of the account, and no session of another account', async () => {
  const { visitor, email } = await newcomer();
  const others = [client(), client()];
  for (const other of others) await other.signIn(email, PASSWORD);
  const stranger = await newcomer();
  await visitor.submit('/account', {}, '/account/sessions/end-others');
  for (const other of others) expect((await other.get('/overview')).status).toBe(303);
  expect((await visitor.get('/overview')).status).toBe(200);
  expect((await stranger.visitor.get('/overview')).status).toBe(200);
});

test('neither a session nor a password is stored in plain text', async () => {
  const { visitor } = await newcomer();
  const stored = await app.storedBytes();
  expect(stored.includes(sessionOf(visitor) ?? '?')).toBe(false);
  expect(stored.includes(PASSWORD)).toBe(false);
});

test('a form without its CSRF token is rejected with 403 and changes nothing', async () => {
  const { visitor, email } = await newcomer();
  const other = await newcomer();
  const fields = { current: PASSWORD, next: ANOTHER };
  const token = /name="_csrf" value="([^"]+)"/u.exec(
    await (await other.visitor.get('/password')).text(),
  )?.[1];
  for (const sent of [fields, { ...fields, _csrf: '' }, { ...fields, _csrf: token ?? '' }]) {
    const answer = await visitor.post('/password', sent, { Origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('This form was not accepted');
  }
  expect((await client().signIn(email, PASSWORD)).status).toBe(303);
});

test('an unknown e-mail and a wrong password get the same error', async () => {
  const { email } = await newcomer();
  const unknown = 'nobody@example.org';
  const answers = await Promise.all(
    [email, unknown].map(async (typed) => {
      const answer = await client().signIn(typed, 'not the right one');
      const text = await answer.text();
      const withoutTypedText = text.replaceAll(typed, '').replace(/name="_csrf" value="[^"]+"/u, '');
      return { status: answer.status, withoutTypedText };
    }),
  );
  expect(answers[0]?.status).toBe(401);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]?.withoutTypedText).toContain('The e-mail or the password is wrong.');
});

test('ten wrong passwords block the sign-in of an account for at most 15 minutes, and the response says how long', async () => {
  const { email } = await newcomer();
  for (let attempt = 0; attempt < 10; attempt += 1) await client().signIn(email, `wrong password ${attempt}`);
  const refused = await client().signIn(email, PASSWORD);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  app.pass(15 * minuteMs);
  expect((await client().signIn(email, PASSWORD)).status).toBe(303);
});

test('a rejected form keeps the input except passwords, and names each invalid field', async () => {
  const answer = await client().submit('/signup', {
    email: 'no address',
    name: 'Ada <b>',
    password: 'short',
  });
  expect(answer.status).toBe(400);
  const html = await answer.text();
  expect(html).toContain('value="no address"');
  expect(html).toContain('value="Ada &lt;b>"');
  expect(html).not.toContain('value="short"');
  expect(html).toContain('id="email-problem"');
  expect(html).toContain('id="password-problem"');
  expect(html).toContain('is not an e-mail address');
});

test('a changed password ends the other sessions, and gives the one that changed it a new cookie', async () => {
  const { visitor, email } = await newcomer();
  const elsewhere = client();
  await elsewhere.signIn(email, PASSWORD);
  const before = sessionOf(visitor);
  const answer = await visitor.submit('/password', { current: PASSWORD, next: ANOTHER });
  expect(answer.status).toBe(303);
  expect(sessionOf(visitor)).not.toBe(before);
  expect((await visitor.get('/overview')).status).toBe(200);
  expect((await elsewhere.get('/overview')).status).toBe(303);
  expect((await client().signIn(email, PASSWORD)).status).toBe(401);
  expect((await client().signIn(email, ANOTHER)).status).toBe(303);
});

test('a generated password must be changed before anything else', async () => {
  const operator = client();
  expect((await operator.signIn(app.first.email, app.first.password)).status).toBe(303);
  expect((await operator.get('/overview')).headers.get('location')).toBe('/password?next=%2Foverview');
  const detour = (await operator.get('/apikeys?x=1')).headers.get('location') ?? '';
  expect(detour).toBe('/password?next=%2Fapikeys%3Fx%3D1');
  const afterwards = /name="afterwards" value="([^"]+)"/u.exec(
    await (await operator.get(detour)).text(),
  )?.[1];
  const fields = { current: app.first.password, next: ANOTHER, afterwards: afterwards ?? '' };
  const changed = await operator.submit('/password', fields);
  expect(changed.headers.get('location')).toBe('/apikeys?x=1');
  expect((await operator.get('/overview')).status).toBe(200);
});

test('a form without its CSRF token is rejected with JSON if the client accepts JSON', async () => {
  const { visitor } = await newcomer();
  const answer = await visitor.post(
    '/reference/captureScreenshot',
    { url: 'x' },
    { Accept: 'application/json' },
  );
  expect([answer.status, await answer.json()]).toEqual([
    403,
    { error: expect.stringContaining('Open the page') },
  ]);
});

test('an unknown path gets 404, an address with a NUL 400, PUT 405, GET of a path that takes only POST 303, and a long body 413', async () => {
  const { visitor } = await newcomer();
  const assets = /href="(\/assets\/[^/]+\/)/u.exec(await (await visitor.get('/')).text())?.[1] ?? '';
  const put = await fetch(`${app.url}/signin`, { method: 'PUT' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
  const odd = [`${assets}%2e%2e%2fx.js`, `${assets}none.js`, '/keys/x'];
  for (const path of odd) expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  for (const path of ['/keys/1%00', '/signin?next=%00']) {
    const refused = await visitor.get(path);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await refused.text()).toContain('The address has a NUL character (%00). Remove it.');
  }
  for (const path of ['/signout', '/keys/x/enable']) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 303]);
  }
  const long = await visitor.post('/signin', { email: 'x'.repeat(2_000_000) });
  expect(long.status).toBe(413);
});

test('a disabled account is signed out at once, and cannot sign in', async () => {
  const { visitor, email } = await newcomer();
  const operator = client();
  await operator.signIn(app.first.email, ANOTHER);
  const list = await (await operator.get(`/operator/accounts?search=${email}`)).text();
  const path = /href="(\/operator\/accounts\/acc_\w+)"/u.exec(list)?.[1] ?? '';
  await operator.submit(`${path}/disable`, {});
  expect((await visitor.get('/overview')).status).toBe(303);
  const refused = await client().signIn(email, PASSWORD);
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('disabled');
});
