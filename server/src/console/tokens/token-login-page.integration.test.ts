import { Command } from 'commander';
import { commandLine } from '../../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';

const PASSWORD = 'a long enough password';
const REGISTERED = 'https://app.example:8443/signed-in';
const EMAIL = 'ada@example.org';

let app: ConsoleApp;
let ada: ConsoleClient;
let grace: ConsoleClient;
let kay: ConsoleClient;

const pathFor = (returnUrl: string) => `/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`;
const statusAndLocation = ({ status, headers }: Response) => [status, headers.get('Location')];

async function signUp(email: string): Promise<ConsoleClient> {
  const client = new ConsoleClient(app.url);
  await client.submit('/signup', { email, name: 'Somebody', password: PASSWORD });
  return client;
}

beforeAll(async () => {
  app = await startConsoleApp();
  ada = await signUp(EMAIL);
  grace = await signUp('grace@example.org');
  kay = await signUp('kay@example.org');
  const cli = commandLine(app.dataDir, () => new Command('signpost'));
  await cli.json('account', 'api-access', 'on', '--email', EMAIL);
  await cli.json('account', 'api-access', 'on', '--email', 'kay@example.org');
  await cli.json('return-url', 'add', REGISTERED, '--name', 'Example <app>');
});
afterAll(() => app.close());

const REFUSED = [
  '',
  'app.example:8443/signed-in',
  'javascript:alert(1)//app.example:8443/signed-in',
  'http://app.example:8443/signed-in',
  'https://app.example/signed-in',
  'https://app.example:8444/signed-in',
  'https://www.app.example:8443/signed-in',
  'https://app.example.evil.example:8443/signed-in',
  'https://app.example:8443@evil.example/signed-in',
  'https://evil.example\\@app.example:8443/signed-in',
  'https://ada@app.example:8443/signed-in',
  `${REGISTERED}/`,
  `${REGISTERED}#part`,
  `${REGISTERED}/../signed-in`,
  `${REGISTERED}?token=mine`,
  `${REGISTERED}\r\nLocation: https://evil.example`,
  'https://app.example:8443/Signed-In',
  'https://app.example:8443/signed-in;x',
];

test.each(REFUSED)(
  'the return URL %j, which is not registered, gets an error page and no redirect, by GET and by POST',
  async (returnUrl) => {
    const strangers = new ConsoleClient(app.url);
    for (const client of [strangers, ada, grace]) {
      expect(statusAndLocation(await client.get(pathFor(returnUrl)))).toEqual([400, null]);
    }
    for (const action of ['/apilogin', '/apilogin/other-account']) {
      const answer = await ada.submit(pathFor(REGISTERED), { returnUrl }, action);
      expect(statusAndLocation(answer)).toEqual([400, null]);
    }
  },
);

test('rejects a missing return URL, and two return URLs of which one is unknown', async () => {
  expect(statusAndLocation(await ada.get('/apilogin'))).toEqual([400, null]);
  const two = `${pathFor(REGISTERED)}&returnUrl=${encodeURIComponent('https://evil.example/')}`;
  expect(statusAndLocation(await ada.get(two))).toEqual([400, null]);
});

test('a long unregistered return URL is shown as text, and cut', async () => {
  const page = await (await ada.get(pathFor(`https://evil.example/<b>${'a'.repeat(500)}`))).text();
  expect(page).toContain('https://evil.example/&lt;b>aaa');
  expect(page).toContain('… (cut; it has 524 characters)');
  expect(page).not.toContain('<b>');
  expect(page).not.toMatch(/="https:/u);
});

test('a signed-out visitor sees which site asks, and returns to /apilogin even after creating an account', async () => {
  const client = new ConsoleClient(app.url);
  const signIn = (await client.get(pathFor(REGISTERED))).headers.get('Location') ?? '';
  const asked = await (await client.get(signIn)).text();
  expect(asked).toContain('Example &lt;app></strong>');
  expect(asked).toContain('app.example:8443');
  const signUpPath = /href="(\/signup\?next=[^"]+)"/u.exec(asked)?.[1] ?? '';
  const form = await (await client.get(signUpPath)).text();
  expect(form).toContain('app.example:8443');
  expect(form).toContain(`href="${signIn}"`);
  const next = pathFor(REGISTERED);
  const refused = await client.submit(
    signUpPath,
    { email: 'lin@example.org', password: 'short', next },
    '/signup',
  );
  expect(await refused.text()).toContain('app.example:8443');
  const made = await client.submit(
    signUpPath,
    { email: 'lin@example.org', password: PASSWORD, next },
    '/signup',
  );
  expect(statusAndLocation(made)).toEqual([303, next]);
  expect((await client.get(next)).status).toBe(403);
});

test('a sign-in does not name an unregistered site, and a sign-up does not lead to one', async () => {
  const client = new ConsoleClient(app.url);
  const next = encodeURIComponent(pathFor('https://evil.example/'));
  expect(await (await client.get(`/signin?next=${next}`)).text()).not.toContain('evil.example</strong>');
  const elsewhere = { email: 'mo@example.org', password: PASSWORD, next: 'https://evil.example/' };
  const answer = await client.submit('/signup', elsewhere);
  expect(statusAndLocation(answer)).toEqual([303, '/welcome']);
});

test('a signed-out visitor signs in and returns to the same address of /apilogin', async () => {
  const client = new ConsoleClient(app.url);
  const path = pathFor(`${REGISTERED}?state=a%26b&x`);
  const toSignIn = (await client.get(path)).headers.get('Location') ?? '';
  const next = new URL(toSignIn, app.url).searchParams.get('next') ?? '';
  const signedIn = await client.submit(toSignIn, { email: EMAIL, password: PASSWORD, next });
  expect(statusAndLocation(signedIn)).toEqual([303, path]);
  expect((await client.get(path)).status).toBe(200);
});

test('the page /apilogin names the site and the account, and its forms may lead only to this server and that site', async () => {
  const answer = await ada.get(pathFor(`${REGISTERED}?state=1`));
  const page = await answer.text();
  for (const words of ['Continue to Example &lt;app>', 'app.example:8443', EMAIL, '180 minutes'])
    expect(page).toContain(words);
  expect(answer.headers.get('Content-Security-Policy')).toContain(
    "form-action 'self' https://app.example:8443;",
  );
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
});

describe('agreeing at /apilogin', () => {
  const returnUrl = `${REGISTERED}?state=a%26b&x`;
  let answer: Response;
  let location: string;
  let token: string;
  beforeAll(async () => {
    answer = await kay.submit(pathFor(returnUrl), { returnUrl }, '/apilogin');
    location = answer.headers.get('Location') ?? '';
    token = new URL(location).searchParams.get('token') ?? '';
  });

  test('continuing to a registered site sends a valid token after the query of the return URL', async () => {
    expect(answer.status).toBe(303);
    expect(location.startsWith(`${returnUrl}&token=`)).toBe(true);
    const status = await fetch(`${app.url}/api/token/status`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await status.json()).toMatchObject({
      result: 'success',
      identity: { email: 'kay@example.org' },
    });
  });

  test('the token sent to a registered site is not cached, logged, stored or sent as a referrer', async () => {
    expect(token).not.toBe('');
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(app.log()).not.toContain(token);
    expect(app.log()).not.toContain('state=a');
    expect((await app.storedBytes()).includes(token)).toBe(false);
  });
});

test('rejects continuing to a registered site without the form token of the visitor', async () => {
  const answer = await ada.post('/apilogin', { returnUrl: REGISTERED });
  expect(statusAndLocation(answer)).toEqual([403, null]);
});

test('an account without API access gets an explanation and no token', async () => {
  for (const answer of [
    await grace.get(pathFor(REGISTERED)),
    await grace.submit(pathFor(REGISTERED), { returnUrl: REGISTERED }, '/apilogin'),
  ]) {
    expect(statusAndLocation(answer)).toEqual([403, null]);
    expect(await answer.text()).toContain('Ask for API access');
  }
});

test('signing in as somebody else at /apilogin ends the session, and leads to a sign-in that returns to /apilogin', async () => {
  const client = new ConsoleClient(app.url);
  await client.signIn(EMAIL, PASSWORD);
  const session = client.cookies.get('signpost') ?? '';
  const answer = await client.submit(
    pathFor(REGISTERED),
    { returnUrl: REGISTERED },
    '/apilogin/other-account',
  );
  const next = encodeURIComponent(pathFor(REGISTERED));
  expect(statusAndLocation(answer)).toEqual([303, `/signin?next=${next}`]);
  client.cookies.set('signpost', session);
  expect(statusAndLocation(await client.get('/apikeys'))).toEqual([303, '/signin?next=%2Fapikeys']);
});

test('a generated password must be changed before /apilogin asks to continue to a site', async () => {
  const client = new ConsoleClient(app.url);
  await client.signIn(app.first.email, app.first.password);
  expect(statusAndLocation(await client.get(pathFor(REGISTERED)))).toEqual([
    303,
    `/password?next=${encodeURIComponent(pathFor(REGISTERED))}`,
  ]);
});

test('the link Cancel of /apilogin leads back to the site with an error after the query, and without a token', async () => {
  const page = await (await ada.get(pathFor(`${REGISTERED}?state=a%26b&x`))).text();
  const [, href = ''] = /<a class="button secondary" href="([^"]+)">\s*Cancel/u.exec(page) ?? [];
  expect(href.replaceAll('&amp;', '&')).toBe(`${REGISTERED}?state=a%26b&x&error=access_denied`);
});
