import { Secret, TOTP } from 'otpauth';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { PASSWORD } from '../fixtures/console-steps.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

const PATH = '/account/second-factor';
const stepMs = 30_000;
const minuteMs = 60_000;

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

const codeOf = (secret: string, { now }: ConsoleApp) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() });

const secretOn = (html: string) => /id="second-factor-secret"[^>]*>([A-Z2-7]{32})</u.exec(html)?.[1] ?? '';

/**
 * Turns on the second factor of the signed-in account. Returns its secret, its recovery codes, the response's status,
 * and where the button on the page leads (undefined if there is none).
 */
async function turnOn(visitor: ConsoleClient, on = app, next = '') {
  const secret = secretOn(await (await visitor.get(PATH)).text());
  const answer = await visitor.submit(PATH, { code: codeOf(secret, on), next });
  const html = await answer.text();
  const codes = /id="recovery-codes"[^>]*>([^<]+)</u.exec(html)?.[1]?.split('\n') ?? [];
  on.pass(stepMs);
  return { secret, codes, status: answer.status, leadsTo: /class="button" href="([^"]+)"/u.exec(html)?.[1] };
}

/** Signs up an account with a second factor, and signs it out. */
async function withSecondFactor() {
  const { visitor, email } = await signUpNewcomer(app);
  const made = await turnOn(visitor);
  await visitor.submit('/overview', {}, '/signout');
  return { ...made, visitor, email };
}

test('a second factor is set up with a QR code or a typed secret, and its recovery codes are shown once', async () => {
  const { visitor } = await signUpNewcomer(app);
  const html = await (await visitor.get(PATH)).text();
  expect(html).toMatch(/<svg class="qr-code"[^>]*role="img"[^>]*><rect[^>]*><\/rect><path d="M\d/u);
  expect(html).not.toMatch(/ style=/u);
  const secret = secretOn(html);
  const wrong = await visitor.submit(PATH, { code: 'no code' });
  const again = await wrong.text();
  expect([wrong.status, secretOn(again)]).toEqual([401, secret]);
  expect(again).toContain('The code is wrong');
  const { codes, status, leadsTo } = await turnOn(visitor);
  expect([status, codes.length, leadsTo]).toEqual([200, 10, '/account']);
  const account = await (await visitor.get('/account')).text();
  expect(account).toContain('10 recovery codes are left');
  expect(account).not.toContain(codes[0]);
  expect(await (await visitor.get(PATH)).text()).not.toContain(secret);
});

test('setting up a second factor requires the password if it was entered ten minutes ago', async () => {
  const { visitor } = await signUpNewcomer(app);
  const secret = secretOn(await (await visitor.get(PATH)).text());
  const _csrf = await visitor.tokenOf(PATH);
  app.pass(10 * minuteMs);
  const late = [await visitor.get(PATH), await visitor.post(PATH, { _csrf, code: codeOf(secret, app) })];
  for (const answer of late)
    expect(answer.headers.get('location')).toBe('/confirm-password?next=%2Faccount%2Fsecond-factor');
  expect(await (await visitor.get('/account')).text()).not.toContain('recovery codes are left');
});

test('an account with a second factor is signed in only with both its password and a code', async () => {
  const { visitor, email, secret } = await withSecondFactor();
  const first = await visitor.submit('/signin', { email, password: PASSWORD, next: '/reference?x=1' });
  const codePage = first.headers.get('location') ?? '';
  expect([first.status, codePage]).toEqual([303, '/signin/code?next=%2Freference%3Fx%3D1']);
  for (const path of ['/overview', '/apikeys', '/account', PATH])
    expect((await visitor.get(path)).headers.get('location')).toBe(
      `/signin?next=${encodeURIComponent(path)}`,
    );
  const changed = await visitor.submit(
    codePage,
    { current: PASSWORD, next: 'another long one' },
    '/password',
  );
  expect(changed.status).toBe(403);
  expect((await visitor.submit(codePage, { code: 'no code' }, '/signin/code')).status).toBe(401);
  const code = codeOf(secret, app);
  const fields = { code, next: '/reference?x=1' };
  const second = await visitor.submit(codePage, fields, '/signin/code');
  expect([second.status, second.headers.get('location')]).toEqual([303, '/reference?x=1']);
  expect((await visitor.get('/overview')).status).toBe(200);

  const thief = new ConsoleClient(app.url);
  await thief.signIn(email, PASSWORD);
  expect((await thief.submit('/signin/code', { code })).status).toBe(401);
});

test('the page that asks for a code redirects to the overview if the next page is on another host', async () => {
  const { visitor, email, secret } = await withSecondFactor();
  await visitor.signIn(email, PASSWORD);
  const fields = { code: codeOf(secret, app), next: '//evil.example' };
  expect((await visitor.submit('/signin/code', fields)).headers.get('location')).toBe('/overview');
});

test('a code is rejected ten minutes after the password', async () => {
  const { visitor, email, secret } = await withSecondFactor();
  await visitor.signIn(email, PASSWORD);
  const form = await (await visitor.get('/signin/code')).text();
  const _csrf = /name="_csrf" value="([^"]+)"/u.exec(form)?.[1] ?? '';
  app.pass(10 * minuteMs);
  const late = await visitor.post('/signin/code', { _csrf, code: codeOf(secret, app) });
  expect(await late.text()).toContain('Your password comes first');
  expect((await visitor.get('/overview')).status).toBe(303);
  expect(await (await new ConsoleClient(app.url).get('/signin/code')).text()).toContain(
    'Your password comes first',
  );
});

test('disabling an account ends a sign-in that waits for its code', async () => {
  const { visitor, email, secret } = await withSecondFactor();
  await visitor.signIn(email, PASSWORD);
  const operator = await signInFirstOperator(app);
  const list = await (await operator.get(`/operator/accounts?search=${email}`)).text();
  const path = /href="(\/operator\/accounts\/acc_\w+)"/u.exec(list)?.[1] ?? '';
  const form = await (await visitor.get('/signin/code')).text();
  const _csrf = /name="_csrf" value="([^"]+)"/u.exec(form)?.[1] ?? '';
  await operator.submit(`${path}/disable`, {});
  await visitor.post('/signin/code', { _csrf, code: codeOf(secret, app) });
  expect((await visitor.get('/overview')).status).toBe(303);
});

test('a recovery code signs in once', async () => {
  const { visitor, email, codes } = await withSecondFactor();
  const code = codes[0] ?? '';
  await visitor.signIn(email, PASSWORD);
  expect((await visitor.submit('/signin/code', { code })).headers.get('location')).toBe('/overview');
  expect(await (await visitor.get('/account')).text()).toContain('9 recovery codes are left');
  const other = new ConsoleClient(app.url);
  await other.signIn(email, PASSWORD);
  expect((await other.submit('/signin/code', { code })).status).toBe(401);
});

test('after ten wrong codes in several sign-ins of an account, a right one gets 429 and how long to wait', async () => {
  const { visitor, email, secret } = await withSecondFactor();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await visitor.signIn(email, PASSWORD);
    expect((await visitor.submit('/signin/code', { code: 'no code' })).status).toBe(401);
  }
  await visitor.signIn(email, PASSWORD);
  const refused = await visitor.submit('/signin/code', { code: codeOf(secret, app) });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('turning off a second factor requires both the password and a code', async () => {
  const { visitor, email, secret } = await withSecondFactor();
  await visitor.signIn(email, PASSWORD);
  await visitor.submit('/signin/code', { code: codeOf(secret, app) });
  app.pass(stepMs);
  const off = (password: string, code: string) => visitor.submit(PATH, { password, code }, `${PATH}/off`);
  expect((await off('not the right one', codeOf(secret, app))).status).toBe(401);
  expect((await off(PASSWORD, 'no code')).status).toBe(401);
  const done = await off(PASSWORD, codeOf(secret, app));
  expect(done.headers.get('location')).toBe('/account?done=second-factor-off');
  expect((await new ConsoleClient(app.url).signIn(email, PASSWORD)).headers.get('location')).toBe(
    '/overview',
  );
});

test('new recovery codes require a code and a recent password, and replace the old ones', async () => {
  const codesPath = `${PATH}/codes`;
  const { visitor, email } = await signUpNewcomer(app);
  expect(await (await visitor.get(codesPath)).text()).toContain('There are no recovery codes');
  const { secret, codes } = await turnOn(visitor);
  const wrong = await visitor.submit(codesPath, { code: 'no code' });
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('The code is wrong')]);
  const made = await visitor.submit(codesPath, { code: codeOf(secret, app) });
  const html = await made.text();
  const renewed = /id="recovery-codes"[^>]*>([^<]+)</u.exec(html)?.[1]?.split('\n') ?? [];
  expect([made.status, renewed.length, renewed.filter((code) => codes.includes(code))]).toEqual([
    200,
    10,
    [],
  ]);
  const _csrf = await visitor.tokenOf(codesPath);
  app.pass(10 * minuteMs);
  const late = await visitor.post(codesPath, { _csrf, code: codeOf(secret, app) });
  for (const answer of [await visitor.get(codesPath), late])
    expect(answer.headers.get('location')).toBe('/confirm-password?next=%2Faccount%2Fsecond-factor%2Fcodes');
  await visitor.submit('/overview', {}, '/signout');
  await visitor.signIn(email, PASSWORD);
  const signInWith = (code = '') => visitor.submit('/signin/code', { code });
  expect((await signInWith(codes[0])).status).toBe(401);
  expect((await signInWith(renewed[0])).headers.get('location')).toBe('/overview');
});

describe('if operators must have a second factor', () => {
  let strict: ConsoleApp;
  let operator: ConsoleClient;
  const setUp = `${PATH}?next=%2Foperator%2Faccounts`;

  beforeAll(async () => {
    strict = await startConsoleApp({ SIGNPOST_OPERATOR_SECOND_FACTOR: 'required' });
    operator = await signInFirstOperator(strict);
  });
  afterAll(() => strict.close());

  test('an operator without a second factor is redirected from an operator page to the set-up of one', async () => {
    expect((await operator.get('/operator/accounts')).headers.get('location')).toBe(setUp);
    expect(await (await operator.get(setUp)).text()).toContain('operators need a second factor');
    expect((await operator.get('/overview')).status).toBe(200);
  });

  test('an operator without a second factor cannot create accounts', async () => {
    const fields = { email: 'x@example.org', name: '' };
    const made = await operator.submit('/overview', fields, '/operator/accounts');
    expect(made.headers.get('location')).toBe(setUp);
  });

  test('accounts that are no operators need no second factor', async () => {
    const { visitor } = await signUpNewcomer(strict);
    expect((await visitor.get('/overview')).status).toBe(200);
  });

  describe('if operators must have a second factor, and one has set it up', () => {
    let made: Awaited<ReturnType<typeof turnOn>>;

    beforeAll(async () => {
      made = await turnOn(operator, strict, '/operator/accounts');
    });

    test('the set-up of a second factor leads back to the page that required it, which now opens', async () => {
      expect(made.leadsTo).toBe('/operator/accounts');
      expect((await operator.get('/operator/accounts')).status).toBe(200);
    });

    test('an operator can turn off the second factor of another account', async () => {
      const { visitor, email } = await signUpNewcomer(strict);
      expect((await turnOn(visitor, strict)).secret).not.toBe(made.secret);
      const list = await (await operator.get(`/operator/accounts?search=${email}`)).text();
      const path = /href="(\/operator\/accounts\/acc_\w+)"/u.exec(list)?.[1] ?? '';
      expect(await (await operator.get(path)).text()).toContain('on: the sign-in asks for a code, too');
      const off = await operator.submit(`${path}/second-factor-off`, {});
      expect(off.headers.get('location')).toBe(`${path}?done=second-factor-off`);
      const again = await new ConsoleClient(strict.url).signIn(email, PASSWORD);
      expect(again.headers.get('location')).toBe('/overview');
    });
  });
});
