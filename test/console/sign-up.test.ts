import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { PASSWORD } from '../fixtures/console-steps.js';
import { signUpNewcomer } from '../fixtures/newcomer.js';

const minuteMs = 60_000;

let app: ConsoleApp;

beforeAll(async () => {
  app = await startConsoleApp();
});
afterAll(() => app.close());

const client = () => new ConsoleClient(app.url);

const newcomer = () => signUpNewcomer(app);
test('signing up signs in, and the sign-in page then leads to the overview', async () => {
  const { visitor, email } = await newcomer();
  const overview = await visitor.get('/overview');
  expect(overview.status).toBe(200);
  expect(await (await visitor.get('/password')).text()).toContain(email);
  expect((await visitor.get('/signin')).headers.get('location')).toBe('/overview');
});

test('a password that is easy to guess creates no account, and its field says why', async () => {
  const visitor = client();
  const email = 'guessed@example.org';
  for (const password of ['password1234', 'aaaaaaaaaaaaaaa', email]) {
    const answer = await visitor.submit('/signup', { email, name: '', password });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toMatch(/id="password-problem">The password is easily guessed: it .* Choose another/u);
    expect(html).not.toContain('id="email-problem"');
  }
  expect((await visitor.signIn(email, 'password1234')).status).toBe(401);
});

test('the session cookie lasts a week; scripts cannot read it, and other sites can have it sent only by a link', async () => {
  const response = await client().submit('/signup', {
    email: 'cookies@example.org',
    name: '',
    password: PASSWORD,
  });
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^signpost=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/u);
});

test('with an https public address, the session cookie is Secure, even in the response to a request over http', async () => {
  const behindTls = await startConsoleApp({
    SIGNPOST_PUBLIC_URL: 'https://signpost.example',
    SIGNPOST_SIGNUP: 'open',
  });
  try {
    const visitor = new ConsoleClient(behindTls.url);
    const answer = await visitor.submit('/signup', {
      email: 'tls@example.org',
      name: '',
      password: PASSWORD,
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-signpost=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/u),
    ]);
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/u);
    expect((await visitor.get('/overview')).status).toBe(200);
  } finally {
    await behindTls.close();
  }
});

test('while sign-up is closed nobody can sign up, and the page says who creates accounts', async () => {
  const closed = await startConsoleApp({ SIGNPOST_SIGNUP: 'closed' });
  try {
    const visitor = new ConsoleClient(closed.url);
    const page = await visitor.get('/signup');
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('the operator makes the accounts');
    const fields = { email: 'ada@example.org', name: '', password: PASSWORD };
    expect((await visitor.submit('/signin', fields, '/signup')).status).toBe(403);
    expect((await visitor.signIn('ada@example.org', PASSWORD)).status).toBe(401);
  } finally {
    await closed.close();
  }
});

test('an account with twenty live keys cannot create another key', async () => {
  const { visitor } = await newcomer();
  await visitor.submit('/overview', { name: 'Many' }, '/projects');
  const path =
    /href="(\/projects\/[^"]+\/keys)"/u.exec(await (await visitor.get('/overview')).text())?.[1] ?? '';
  for (let index = 0; index < 20; index += 1) {
    expect((await visitor.submit('/password', {}, path)).status).toBe(200);
  }
  const refused = await visitor.submit('/password', {}, path);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('You have 20 live keys');
});

test('after 20 sign-ups from one network address, the next gets 429 and how long to wait', async () => {
  app.pass(60 * minuteMs);
  const answers: Response[] = [];
  for (let index = 0; index < 21; index += 1) {
    const fields = { email: `flood-${index}@example.org`, name: '', password: PASSWORD };
    answers.push(await client().submit('/signup', fields));
  }
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([...Array<number>(20).fill(303), 429]);
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  app.pass(60 * minuteMs);
});
