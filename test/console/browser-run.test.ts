import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { PASSWORD, signInAsOperator, signUp } from '../fixtures/console-steps.js';
import { startExampleReceiver, type ExampleReceiver } from '../fixtures/example-receiver.js';

const ADA = 'ada@example.org';
const lifetimeMs = 180 * 60_000;

let app: ConsoleApp;
let browser: TestBrowser;
let receiver: ExampleReceiver;
let ada: Person;
let operator: Person;
let clicksOfAda: () => Promise<number>;
/** Secrets that were shown or entered, each with its description. */
const secrets = new Map<string, string>();

beforeAll(async () => {
  [app, browser] = await Promise.all([startConsoleApp(), startTestBrowser()]);
  receiver = await startExampleReceiver(app.url);
  [ada, operator] = await Promise.all([browser.person(app.url), browser.person(app.url)]);
  clicksOfAda = await countClicks(ada);
});
afterAll(async () => {
  await browser.close();
  await receiver.close();
  await app.close();
});

const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(app.url + path, init);
  const body: unknown = await response.json();
  return { status: response.status, body };
};
const status = (accessToken: string) =>
  call('/api/token/status', { headers: { Authorization: `Bearer ${accessToken}` } });
const refresh = (refreshToken: string) =>
  call('/api/token/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
  });

/** Presses the button that copies the value with this id, and returns the copied text. */
async function copy({ page }: Person, id: string): Promise<string> {
  const button = page.locator(`button[data-copy="${id}"]`);
  await button.click();
  await button.getByText('Copied').waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

async function showTokens(person: Person) {
  await person.page.goto('/apikeys');
  const accessToken = await copy(person, 'access-token');
  const refreshToken = await copy(person, 'refresh-token');
  secrets.set(accessToken, 'access token').set(refreshToken, 'refresh token');
  return { accessToken, refreshToken };
}

/** Counts a person's clicks on all pages from now on. Resolves to a function that reads the count. */
async function countClicks({ context, page }: Person) {
  await context.addInitScript(() => {
    addEventListener('click', () =>
      localStorage.setItem('clicks', `${Number(localStorage.getItem('clicks')) + 1}`),
    );
  });
  return async () => Number(await page.evaluate<string>("localStorage.getItem('clicks')"));
}

test('a person who signs up has a key after three clicks, and sees the first request in the chart after four', async () => {
  const { page } = ada;
  await signUp(page, ADA, 'Ada Lovelace');
  await page.getByRole('heading', { name: 'Welcome, Ada Lovelace' }).waitFor();
  expect(await clicksOfAda()).toBe(2);
  await page.getByRole('button', { name: 'Make my key' }).click();
  const shown = await page.locator('#new-key').innerText();
  expect(await clicksOfAda()).toBe(3);
  await page.getByText('Waiting for your first request…').waitFor();
  await page.getByRole('button', { name: 'Send it from here' }).click();
  await page.getByRole('img', { name: /1 request/u }).waitFor();
  expect(await clicksOfAda()).toBe(4);
  expect(await page.locator('#new-key').innerText()).toBe(shown);
  const key = await copy(ada, 'new-key');
  expect(key).toBe(shown);
  secrets.set(key, 'API key').set(PASSWORD, 'password');

  await page.clock.install();
  await page.goto('/welcome');
  const answer = await call('/api/postcode/lookup', {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ postcode: 'SW1A 1AA' }),
  });
  expect(answer).toMatchObject({ status: 200, body: { result: { postcode: 'SW1A 1AA' } } });
  await page.clock.runFor(5_000);
  await page.getByRole('img', { name: /2 requests/u }).waitFor();
  await page.clock.resume();
  expect(await page.content()).not.toContain(key);
});

test('without API access, the tokens page offers to ask the operator for it', async () => {
  await ada.page.goto('/apikeys');
  await ada.page.getByRole('button', { name: 'Ask for API access' }).click();
  await ada.page.getByText('The operator has your request').waitFor();
  const words = await ada.page.getByRole('main').innerText();
  expect(words).toContain(ADA);
  expect(words).not.toMatch(/eyJ|rt_/u);
});

test('after the operator grants API access, a token is copied with two clicks; the access token is rejected after 180 minutes, and a refresh returns a new one', async () => {
  await signInAsOperator(operator.page, app);
  secrets.set(app.first.password, 'made password').set(app.first.key, 'first key');
  await operator.page.goto('/operator/inbox');
  await operator.page.getByRole('button', { name: `Turn API access on for ${ADA}` }).click();
  await operator.page.getByText('API access is on.').waitFor();

  // From the overview, an owner copies a token with two clicks.
  await ada.page.goto('/overview');
  const clicksBefore = await clicksOfAda();
  await ada.page.getByRole('link', { name: 'Tokens', exact: true }).click();
  secrets.set(await copy(ada, 'access-token'), 'access token');
  expect((await clicksOfAda()) - clicksBefore).toBe(2);

  const { accessToken, refreshToken } = await showTokens(ada);
  expect(await status(accessToken)).toMatchObject({
    status: 200,
    body: { result: 'success', identity: { email: ADA, name: 'Ada Lovelace' } },
  });
  app.pass(lifetimeMs);
  expect(await status(accessToken)).toEqual({ status: 401, body: { error: expect.any(String) } });
  const refreshed = await refresh(refreshToken);
  expect(refreshed).toMatchObject({ status: 200, body: { result: 'success', refresh_token: refreshToken } });
  const renewed = JSON.stringify(refreshed.body).match(/"access_token":"([^"]+)"/u)?.[1] ?? '';
  secrets.set(renewed, 'renewed access token');
  expect((await status(renewed)).status).toBe(200);
});

test('three hours after the sign-up, the tokens page asks for the password, and hides the refresh token until a click', async () => {
  const { page } = ada;
  await page.goto('/apikeys');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL('**/apikeys');
  expect(await page.locator('#refresh-token').isVisible()).toBe(false);
  await page.getByText('Show refresh token').click();
  expect(await page.locator('#refresh-token').isVisible()).toBe(true);
  secrets.set(await page.locator('#access-token').textContent().then(String), 'access token');
});

test('regenerating the tokens asks for confirmation, and the old refresh token is rejected afterwards', async () => {
  const { page } = ada;
  const { refreshToken: old } = await showTokens(ada);
  await page.getByRole('link', { name: /Regenerate/u }).click();
  await page.getByRole('button', { name: /Regenerate/u }).click();
  await page.waitForURL('**/apikeys?done=*');
  const { refreshToken } = await showTokens(ada);
  expect(refreshToken).not.toBe(old);
  expect(await refresh(old)).toEqual({ status: 401, body: { error: expect.any(String) } });
  expect((await refresh(refreshToken)).status).toBe(200);
});

test('a registered site signs a person in, and its page has no token in the address', async () => {
  await operator.page.goto('/operator/return-urls');
  await operator.page.getByLabel('Name').fill('Example clinic');
  await operator.page.getByLabel('Address', { exact: true }).fill(receiver.returnUrl);
  await operator.page.getByRole('button', { name: 'Register the address' }).click();

  const visitor = await browser.person(app.url);
  const { page } = visitor;
  const tokens: string[] = [];
  page.on('request', (request) => {
    const token = new URL(request.url()).searchParams.get('token');
    if (token !== null) tokens.push(token);
  });
  await page.goto(receiver.url);
  await page.getByRole('link', { name: 'Sign in with Signpost' }).click();
  await page.getByLabel('E-mail').fill(ADA);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Continue to Example clinic?' }).waitFor();
  await page.getByRole('button', { name: 'Continue to Example clinic' }).click();
  await page.getByText('Signed in as Ada Lovelace').waitFor();

  expect(tokens).toHaveLength(1);
  secrets.set(tokens[0] ?? '', 'token in the return URL');
  expect((await status(tokens[0] ?? '')).status).toBe(200);
  expect(page.url()).toBe(`${receiver.url}/`);
  await page.goBack();
  expect(page.url()).not.toContain('token=');
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});

test('a new person sent by a site is told which site it is, signs up, gets API access and is asked whether to continue there', async () => {
  const { page, troubles, close } = await browser.person(app.url);
  await page.goto(receiver.url);
  await page.getByRole('link', { name: 'Sign in with Signpost' }).click();
  await page.getByText(/Example clinic at \S+ sent you here/u).waitFor();
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByLabel('E-mail').fill('grace@example.org');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('heading', { name: 'Example clinic cannot be given a token' }).waitFor();
  await page.getByRole('button', { name: 'Ask for API access' }).click();
  await page.getByText('The operator has your request').waitFor();
  await operator.page.goto('/operator/inbox');
  await operator.page.getByRole('button', { name: 'Turn API access on for grace@example.org' }).click();
  await operator.page.getByText('API access is on.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Continue to Example clinic?' }).waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('the browsers report no errors and contact no other host', () => {
  expect([...ada.troubles, ...operator.troubles]).toEqual([]);
});

test('no secret of these tests is in the log, in plain text in the database, or in the output of the receiver', async () => {
  expect(secrets.size).toBeGreaterThan(8);
  const stored = await app.storedBytes();
  for (const [secret, what] of secrets) {
    expect([what, app.log().includes(secret)]).toEqual([what, false]);
    expect([what, stored.includes(secret)]).toEqual([what, false]);
    expect([what, receiver.output().includes(secret)]).toEqual([what, false]);
  }
});
