import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { OPERATORS_PASSWORD, signInAsOperator } from '../fixtures/console-steps.js';
import { servePages, type Pages } from '../fixtures/pages.js';

let app: ConsoleApp;
let browser: TestBrowser;
let pages: Pages;
let operator: Person;

beforeAll(async () => {
  [app, browser, pages] = await Promise.all([startConsoleApp(), startTestBrowser(), servePages()]);
  operator = await browser.person(app.url);
  await signInAsOperator(operator.page, app);
  const client = new ConsoleClient(app.url);
  await client.signIn(app.first.email, OPERATORS_PASSWORD);
  const site = { name: 'Example app', url: `${pages.url}/callback` };
  await client.submit('/operator/return-urls', site);
});
afterAll(async () => {
  await operator.close();
  await browser.close();
  await pages.close();
  await app.close();
});

test('after one consent a site gets tokens until the consent is withdrawn, even if the person signs in to Signpost again; Cancel sends none', async () => {
  const { page, troubles } = operator;
  const returnUrl = `${pages.url}/callback?state=1`;
  const start = `${app.url}/apilogin?returnUrl=${encodeURIComponent(returnUrl)}`;
  const arrived = async () => {
    await page.waitForURL(`${pages.url}/callback?*`);
    const { searchParams } = new URL(page.url());
    return [searchParams.get('state'), searchParams.has('token'), searchParams.get('error')];
  };

  await page.goto(start);
  await page.getByRole('link', { name: 'Cancel' }).click();
  expect(await arrived()).toEqual(['1', false, 'access_denied']);

  await page.goto(start);
  await page.getByRole('button', { name: 'Continue to Example app' }).click();
  expect(await arrived()).toEqual(['1', true, null]);

  await page.goto(start);
  expect(await arrived()).toEqual(['1', true, null]);

  await page.context().clearCookies();
  await page.goto(start);
  await page.getByLabel('E-mail').fill(app.first.email);
  await page.getByLabel('Password').fill(OPERATORS_PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  expect(await arrived()).toEqual(['1', true, null]);

  await page.goto(`${app.url}/account`);
  await page
    .getByRole('row', { name: /Example app/u })
    .getByRole('button')
    .click();
  await page.getByText('You will be asked before that site gets a token again.').waitFor();
  await page.goto(start);
  await page.getByRole('heading', { name: 'Continue to Example app?' }).waitFor();
  expect(troubles).toEqual([]);
});
