import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { PASSWORD } from '../fixtures/console-steps.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

const accountOf = async (visitor: ConsoleClient) => (await visitor.get('/account')).text();

test('the account page of a new account has seven headings in a fixed order', async () => {
  const { visitor } = await signUpNewcomer(app);
  const headings = [...(await accountOf(visitor)).matchAll(/<h2[^>]*>([^<]+)</gu)].map(([, words]) => words);
  expect(headings).toEqual([
    'Name',
    'E-mail',
    'Password',
    'Second factor',
    'Where you are signed in',
    'Log of requests',
    'Delete the account',
  ]);
  const moved = await visitor.get('/account/connections');
  expect(moved.headers.get('location')).toBe('/assistants');
});

test('the name of an account can be changed and removed, and one that is too long is reported at its field', async () => {
  const { visitor, email } = await signUpNewcomer(app);
  const changed = await visitor.submit('/account', { name: 'Ada 👩‍💻' }, '/account/name');
  expect(changed.headers.get('location')).toBe('/account?done=name');
  expect(await accountOf(visitor)).toContain('Ada 👩‍💻');
  const refused = await visitor.submit('/account', { name: 'x'.repeat(101) }, '/account/name');
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('id="name-problem"')]);
  await visitor.submit('/account', { name: ' ' }, '/account/name');
  expect(await accountOf(visitor)).toMatch(new RegExp(`Your account: </span>${email}`, 'u'));
});

test('the e-mail can be changed only with the password, and the next sign-in needs the new e-mail', async () => {
  const { visitor, email } = await signUpNewcomer(app);
  const next = `moved-${email}`;
  const wrong = await visitor.submit('/account', { email: next, current: 'wrong' }, '/account/email');
  expect([wrong.status, await wrong.text()]).toEqual([
    401,
    expect.stringMatching(/The current password is wrong\..*value="moved-/su),
  ]);
  const none = await visitor.submit('/account', { email: 'none', current: PASSWORD }, '/account/email');
  expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('id="email-problem"')]);
  const changed = await visitor.submit('/account', { email: next, current: PASSWORD }, '/account/email');
  expect(changed.headers.get('location')).toBe('/account?done=email');
  expect(await accountOf(visitor)).toContain(`<strong>${next}</strong>`);
  const again = new ConsoleClient(app.url);
  expect((await again.signIn(email, PASSWORD)).status).toBe(401);
  expect((await again.signIn(next, PASSWORD)).status).toBe(303);
  expect(await (await visitor.get('/account/activity')).text()).toContain('E-mail of an account changed');
});

test('an account that signs in often has at most 50 sessions, shown ten to a page', async () => {
  const { visitor, email } = await signUpNewcomer(app);
  for (let nth = 0; nth < 55; nth += 1) await new ConsoleClient(app.url).signIn(email, PASSWORD);
  const again = new ConsoleClient(app.url);
  expect((await again.signIn(email, PASSWORD)).status).toBe(303);
  const rowsOf = (html: string) => html.split('action="/account/sessions/end"').length - 1;
  const first = await accountOf(again);
  expect(first).toContain('1 to 10 of 50');
  expect(rowsOf(first) + (first.includes('This one') ? 1 : 0)).toBe(10);
  expect(first).toContain('href="/account?sessions=2#sessions"');
  const last = await (await again.get('/account?sessions=5')).text();
  expect(last).toContain('41 to 50 of 50');
  expect((await visitor.get('/account')).headers.get('location')).toMatch(/^\/signin/u);
});
