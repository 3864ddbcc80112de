import { Command } from 'commander';
import { z } from 'zod';
import { commandLine } from '../../../../test/fixtures/command-line.js';
import { startConsoleApp, type ConsoleApp } from '../../../../test/fixtures/console-app.js';
import { ConsoleClient } from '../../../../test/fixtures/console-client.js';

const PASSWORD = 'a long enough password';
const REGISTERED = 'https://app.example:8443/signed-in';
const auditEntries = z.array(z.object({ kind: z.string(), detail: z.string().nullable() }));

let app: ConsoleApp;
let ada: ConsoleClient;

const pathFor = (returnUrl: string) => `/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`;
const statusAndLocation = ({ status, headers }: Response) => [status, headers.get('Location')];

async function signUp(email: string): Promise<ConsoleClient> {
  const client = new ConsoleClient(app.url);
  await client.submit('/signup', { email, name: 'Somebody', password: PASSWORD });
  await cli.json('account', 'api-access', 'on', '--email', email);
  return client;
}

let cli: ReturnType<typeof commandLine>;
const OTHER = 'https://other.example/back';
const agree = (client: ConsoleClient, returnUrl: string) =>
  client.submit(pathFor(returnUrl), { returnUrl }, '/apilogin');
const isAsked = async (client: ConsoleClient, returnUrl = OTHER) => {
  const answer = await client.get(pathFor(returnUrl));
  if (answer.status === 200) return true;
  expect(answer.status).toBe(303);
  expect(answer.headers.get('Location')).toMatch(/[?&]token=[^&]+$/u);
  return false;
};
/** The kinds of the audit entries whose detail is the return URL `OTHER`. */
const audited = async () => {
  const entries = auditEntries.parse(await cli.json('audit'));
  return entries.filter(({ detail }) => detail === OTHER).map(({ kind }) => kind);
};
let bob: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  cli = commandLine(app.dataDir, () => new Command('signpost'));
  ada = await signUp('ada@example.org');
  bob = await signUp('bob@example.org');
  await cli.json('return-url', 'add', REGISTERED, '--name', 'Example app');
});
afterAll(() => app.close());
beforeEach(async () => {
  await cli.json('return-url', 'add', OTHER, '--name', 'Other app');
});
afterEach(async () => {
  await cli.json('return-url', 'remove', OTHER);
});

test('after consent to a return URL, a visitor returns to it at once with a token, which is not logged, cached or sent as a referrer', async () => {
  expect(await isAsked(bob)).toBe(true);
  expect((await agree(bob, OTHER)).status).toBe(303);
  const returnUrl = `${OTHER}?state=a%26b&x`;
  const answer = await bob.get(pathFor(returnUrl));
  const location = answer.headers.get('Location') ?? '';
  expect([answer.status, location.startsWith(`${returnUrl}&token=`)]).toEqual([303, true]);
  expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(app.log()).not.toContain(new URL(location).searchParams.get('token'));
  const kinds = await audited();
  expect(kinds.filter((kind) => kind === 'site.allowed')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'token.returned')).toHaveLength(2);
});

test('the consent of one account to one return URL does not apply to another account or another return URL', async () => {
  await agree(bob, OTHER);
  expect(await isAsked(bob)).toBe(false);
  expect(await isAsked(ada)).toBe(true);
  expect(await isAsked(bob, REGISTERED)).toBe(true);
});

test('a frame, an image, a prefetch and a HEAD request get no token despite consent to the return URL', async () => {
  await agree(bob, OTHER);
  const Cookie = `signpost=${bob.cookies.get('signpost')}`;
  const ask = (headers: Readonly<Record<string, string>>, method = 'GET') =>
    fetch(app.url + pathFor(OTHER), { method, redirect: 'manual', headers: { Cookie, ...headers } });
  for (const answer of [
    await ask({ 'Sec-Fetch-Dest': 'iframe' }),
    await ask({ 'Sec-Fetch-Dest': 'image' }),
    await ask({ 'Sec-Fetch-Dest': 'document', 'Sec-Purpose': 'prefetch' }),
    await ask({}, 'HEAD'),
  ])
    expect(statusAndLocation(answer)).toEqual([200, null]);
  expect((await ask({ 'Sec-Fetch-Dest': 'document' })).status).toBe(303);
});

test('a visitor can withdraw consent to a return URL on the account page, and another account cannot', async () => {
  await agree(bob, OTHER);
  const page = await (await bob.get('/account')).text();
  expect(page).toContain('Other app');
  const site = /name="site" value="([^"]+)"/u.exec(page)?.[1] ?? '';
  await ada.submit('/account', { site }, '/account/sites');
  expect(await isAsked(bob)).toBe(false);
  const answer = await bob.submit('/account', { site }, '/account/sites');
  expect(statusAndLocation(answer)).toEqual([303, '/account?done=site-withdrawn']);
  expect(await isAsked(bob)).toBe(true);
  expect(await (await bob.get('/account')).text()).not.toContain('Other app');
  expect(await audited()).toContain('site.withdrawn');
});

test('removing a return URL ends the consent to it, and registering the URL again does not restore the consent', async () => {
  await agree(bob, OTHER);
  await cli.json('return-url', 'remove', OTHER);
  expect(statusAndLocation(await bob.get(pathFor(OTHER)))).toEqual([400, null]);
  await cli.json('return-url', 'add', OTHER, '--name', 'Other app');
  expect(await isAsked(bob)).toBe(true);
});

test.each([
  ['loses API access', ['api-access', 'off'], ['api-access', 'on']],
  ['is disabled', ['disable'], ['enable']],
])('consent to a return URL ends when the account %s', async (_what, end, restore) => {
  await agree(bob, OTHER);
  const email = ['--email', 'bob@example.org'];
  await cli.json('account', ...end, ...email);
  expect([200, 303, 403]).toContain((await bob.get(pathFor(OTHER))).status);
  await cli.json('account', ...restore, ...email);
  bob = new ConsoleClient(app.url);
  await bob.signIn('bob@example.org', PASSWORD);
  expect(await isAsked(bob)).toBe(true);
});

test('the sign-in and password forms may lead to the site of the next return URL; without one the password form may not', async () => {
  await agree(bob, OTHER);
  const visitor = new ConsoleClient(app.url);
  const toSignIn = (await visitor.get(pathFor(OTHER))).headers.get('Location') ?? '';
  const form = await visitor.get(toSignIn);
  expect(form.headers.get('Content-Security-Policy')).toContain("form-action 'self' https://other.example;");
  const next = pathFor(OTHER);
  const signedIn = await visitor.submit(toSignIn, { email: 'bob@example.org', password: PASSWORD, next });
  expect(statusAndLocation(signedIn)).toEqual([303, next]);
  expect(await isAsked(visitor)).toBe(false);
  const forced = await bob.get(`/password?next=${encodeURIComponent(next)}`);
  expect(forced.headers.get('Content-Security-Policy')).toContain('https://other.example;');
  const elsewhere = await visitor.get('/password?next=%2Foverview');
  expect(elsewhere.headers.get('Content-Security-Policy')).not.toContain('other.example');
});
