import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { countedClicks, PASSWORD } from '../fixtures/console-steps.js';

let app: ConsoleApp;
let browser: TestBrowser;
let ada: Person;

beforeAll(async () => {
  [app, browser] = await Promise.all([startConsoleApp(), startTestBrowser()]);
  ada = await browser.person(app.url);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

test('a newcomer gets from the front page to the result of a first lookup with at most four clicks', async () => {
  const { page } = ada;
  const { click, clicks } = countedClicks();
  await page.goto('/');
  await click(page.getByRole('link', { name: 'Create an account' }).first());
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByLabel('Password').fill(PASSWORD);
  await click(page.getByRole('button', { name: 'Create the account' }));
  await click(page.getByRole('button', { name: 'Make my key' }));
  await click(page.getByRole('button', { name: 'Send it from here' }));
  await page.getByRole('img', { name: /SW1A 1AA marked: Westminster/u }).waitFor();
  expect(clicks()).toBeLessThanOrEqual(4);
});

test('creating a key with a limit and an expiry date takes at most three clicks from the overview', async () => {
  const { page } = ada;
  const { click, clicks } = countedClicks();
  await page.goto('/overview');
  await click(page.getByRole('link', { name: 'Create a key for My first project' }));
  await page.getByLabel('Requests per minute').fill('2');
  await page.getByLabel('Ends at').fill('2099-01-31T08:00');
  await click(page.getByRole('button', { name: 'Create the key' }));
  await page.locator('#new-key').waitFor();
  expect(clicks()).toBeLessThanOrEqual(3);
  expect(await page.getByRole('main').innerText()).toContain('2 per minute');
});

test('the address that connects an assistant is copied with two clicks from the overview', async () => {
  const { page } = ada;
  const { click, clicks } = countedClicks();
  await page.goto('/overview');
  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assistants' }));
  await click(page.locator('button[data-copy="mcp-address"]'));
  await page.getByText('Copied.', { exact: true }).waitFor({ state: 'attached' });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${app.url}/mcp`);
  expect(clicks()).toBe(2);
});

test('two clicks tell why a request failed, and one more fills its form with what was sent', async () => {
  const { page } = ada;
  await page.goto('/reference/lookupPostcode');
  await page.locator('#field-postcode').fill('SW1A');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('#answer .status.danger').waitFor();
  // The server caches the usage for a while.
  app.pass(60_000);
  const { click, clicks } = countedClicks();
  await page.goto('/overview');
  await click(page.locator('a[href="/requests?outcome=failed"]'));
  await click(page.locator('a[href^="/requests/"]').first());
  await page.locator('.notice .cure').waitFor();
  expect(clicks()).toBe(2);
  expect(await page.locator('.notice').innerText()).toContain('SW1A');
  await click(page.getByRole('link', { name: 'Try again' }));
  await page.waitForURL(/postcode=SW1A/u);
  expect(await page.locator('#field-postcode').inputValue()).toBe('SW1A');
  expect(clicks()).toBe(3);
});

test('a password can be shown while it is typed, and is hidden on the page that rejects it', async () => {
  const { page } = ada;
  await page.goto('/password');
  const field = page.getByLabel('Current password');
  await field.fill('wrong');
  const button = page.getByRole('button', { name: 'Show what is typed: Current password' });
  await button.click();
  expect([await field.getAttribute('type'), await button.getAttribute('aria-pressed')]).toEqual([
    'text',
    'true',
  ]);
  await page
    .locator('form[action="/password"]')
    .evaluate((form: HTMLFormElement) => (form.noValidate = true));
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.locator('[role=alert]').waitFor();
  expect(await page.title()).toBe('Error: Change your password · Signpost');
  expect(await field.getAttribute('type')).toBe('password');
});

test('the message that a form was accepted has the focus on the next page, with and without scripts', async () => {
  const plain = await browser.person(app.url, { withoutScripts: true });
  await plain.context.addCookies(await ada.context.cookies());
  for (const { page } of [ada, plain]) {
    await page.goto('/account');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.waitForURL('**done=name');
    expect(await page.locator('[role=status]:focus').innerText()).toBe('Your name is changed.');
  }
  await plain.close();
});

test('on a phone, the header is less than 120 pixels high, and its menu unfolds', async () => {
  const { page } = ada;
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto('/overview');
  const header = page.locator('header.site');
  expect((await header.boundingBox())?.height).toBeLessThan(120);
  const usage = header.getByRole('link', { name: 'Usage' });
  expect(await usage.isVisible()).toBe(false);
  await header.getByText('Menu').click();
  await usage.click();
  await page.waitForURL('**/usage');
  await page.setViewportSize({ width: 1_280, height: 900 });
  expect(await usage.isVisible()).toBe(true);
  expect(await header.getByText('Menu').isVisible()).toBe(false);
});

test('outcomes in a chart differ in forced colours, and printed pages have no menu and fit the width of the paper', async () => {
  const { page } = ada;
  await page.goto('/usage');
  await page.emulateMedia({ forcedColors: 'active' });
  const looks = await page.locator('.chart-legend svg').evaluateAll((signs) =>
    signs.map((sign) => {
      const { fill, stroke } = getComputedStyle(sign.querySelector('rect') ?? sign);
      return `${fill} ${stroke} ${sign.innerHTML.replaceAll(/class="[^"]*"/gu, '')}`;
    }),
  );
  expect(new Set(looks).size).toBe(4);
  await page.emulateMedia({ forcedColors: 'none', media: 'print' });
  await page.setViewportSize({ width: 794, height: 1_123 });
  for (const path of ['/usage', '/overview', '/requests', '/account']) {
    await page.goto(path);
    const isCut = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect([path, isCut, await page.locator('header.site').isVisible()]).toEqual([path, false, false]);
  }
  await page.emulateMedia({ media: 'screen' });
});

test('the pages of these tests cause no errors in the browser', () => {
  expect(ada.troubles).toEqual([]);
});
