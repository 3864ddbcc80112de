import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { OPERATORS_PASSWORD } from '../fixtures/console-steps.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';

const REGISTERED = 'https://clinic.example/signed-in';

let app: ConsoleApp;
let operator: ConsoleClient;

beforeAll(async () => {
  app = await startConsoleApp();
  operator = await signInFirstOperator(app);
  const added = await operator.submit('/operator/return-urls', { name: 'Clinic', url: REGISTERED });
  expect(added.status).toBe(303);
});
afterAll(() => app.close());

const ask = (visitor: ConsoleClient, returnUrl: string) =>
  visitor.get(`/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`);

test.each([
  '',
  'clinic.example/signed-in',
  '//clinic.example/signed-in',
  '/signed-in',
  'http://clinic.example/signed-in',
  'https://clinic.example',
  'https://clinic.example/',
  'https://clinic.example/signed-in/',
  'https://clinic.example/Signed-in',
  'https://clinic.example/signed-in/../evil',
  'https://clinic.example/x/../signed-in',
  'https://clinic.example/%73igned-in',
  'https://clinic.example:8443/signed-in',
  'https://clinic.example.evil.example/signed-in',
  'https://evil.example/https://clinic.example/signed-in',
  'https://evil.example?https://clinic.example/signed-in',
  'https://evil.example#https://clinic.example/signed-in',
  'https://clinic.example@evil.example/signed-in',
  'https://user:password@clinic.example/signed-in',
  'https://clinic.example\\@evil.example/signed-in',
  'https:\\\\clinic.example\\signed-in',
  'https:/clinic.example/signed-in',
  'https:clinic.example/signed-in',
  'https://clinic.example/signed-in#fragment',
  'https://clinic.example/signed-in?token=planted',
  ' https://clinic.example/signed-in',
  'https://clinic.example/signed-in\r\nSet-Cookie: a=b',
  'https://clinic.example\t/signed-in',
  'https://clinic。example/signed-in',
  'https://xn--/signed-in',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'ftp://clinic.example/signed-in',
  `${REGISTERED}?${'a'.repeat(4_000)}`,
])('the return URL %j is rejected without a redirect, even if somebody is signed in', async (returnUrl) => {
  for (const visitor of [operator, new ConsoleClient(app.url)]) {
    const answer = await ask(visitor, returnUrl);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    const html = await answer.text();
    expect(html).not.toContain('<script>alert');
    expect(html).not.toMatch(/http-equiv/iu);
  }
  const posted = await operator.submit('/password', { returnUrl }, '/apilogin');
  expect([posted.status, posted.headers.get('location')]).toEqual([400, null]);
});

test('a registered return URL leads to the consent page, and gets a token appended to its query', async () => {
  const question = await ask(operator, `${REGISTERED}?state=a%20b`);
  expect(question.status).toBe(200);
  expect(question.headers.get('content-security-policy')).toContain(
    "form-action 'self' https://clinic.example",
  );
  const answer = await operator.submit('/password', { returnUrl: `${REGISTERED}?state=a%20b` }, '/apilogin');
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(
    /^https:\/\/clinic\.example\/signed-in\?state=a%20b&token=eyJ[\w.-]+$/u,
  );
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('a person without API access is not sent back to the site, and the page says why', async () => {
  const visitor = new ConsoleClient(app.url);
  await visitor.submit('/signup', { email: 'ada@example.org', name: '', password: OPERATORS_PASSWORD });
  for (const answer of [
    await ask(visitor, REGISTERED),
    await visitor.submit('/password', { returnUrl: REGISTERED }, '/apilogin'),
  ]) {
    expect(answer.headers.get('location')).toBeNull();
    expect(await answer.text()).toContain('API access');
  }
});
