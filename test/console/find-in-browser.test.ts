import { keepScreenshot, startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { countedClicks, signInAsOperator, useEverything } from '../fixtures/console-steps.js';

let app: ConsoleApp;
let browser: TestBrowser;
let operator: Person;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '100', SIGNPOST_RATE_PER_DAY: '1000' }),
    startTestBrowser(),
  ]);
  operator = await browser.person(app.url, { withoutScripts: true });
  await signInAsOperator(operator.page, app);
  await useEverything(operator.page, app);
});
afterAll(async () => {
  await operator.close();
  await browser.close();
  await app.close();
});

test('an operator gets from the overview to the key with the most requests in two clicks', async () => {
  const { page } = operator;
  for (let count = 0; count < 5; count += 1) await app.get('/api/usage');
  await page.goto('/overview');
  const { click, clicks } = countedClicks();
  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Operator' }));
  const heaviest = page.getByRole('table', { name: 'Keys with the most requests in 24 hours' });
  await click(heaviest.locator('tbody tr').first().getByRole('link').first());
  await expect(page.getByRole('heading', { level: 1 }).innerText()).resolves.toContain(
    app.apiKey.slice(0, 16),
  );
  await expect(page.getByRole('table', { name: 'Requests' }).locator('tbody tr').count()).resolves.toBe(8);
  expect(clicks()).toBe(2);
});

test('usage is filtered by period and operation, and the log of a key by outcome', async () => {
  const { page } = operator;
  await page.goto('/usage');
  await page.getByRole('link', { name: '90 days' }).click();
  await page.getByLabel('Operation', { exact: true }).selectOption('Look up a postcode');
  await page.getByRole('button', { name: 'Filter' }).click();
  expect(new URL(page.url()).searchParams.get('period')).toBe('quarter');
  const operations = page.getByRole('table', { name: 'By operation' }).locator('tbody tr');
  await expect(operations.allInnerTexts()).resolves.toEqual([
    expect.stringMatching(/^Look up a postcode\s+6/u),
  ]);
  await page.getByRole('table', { name: 'By key' }).locator('tbody a').first().click();
  const requests = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
  const all = await requests.count();
  await page.getByLabel('Ended', { exact: true }).selectOption('Wrong (4xx)');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(requests.count()).resolves.toBe(1);
  expect(all).toBeGreaterThan(1);
});

test('without scripts, the search field in the header finds a project, and a click sorts a list', async () => {
  const { page } = operator;
  await page.goto('/reference');
  await page.getByRole('search', { name: 'Find' }).getByRole('searchbox').fill('weather');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Projects' }).innerText()).resolves.toContain('Weather map');
  await page.goto('/operator/accounts');
  const accounts = page.getByRole('table', { name: 'Accounts' });
  await accounts.getByRole('link', { name: 'Requests today' }).click();
  await expect(
    accounts.getByRole('columnheader', { name: 'Requests today' }).getAttribute('aria-sort'),
  ).resolves.toBe('descending');
  await expect(accounts.locator('tbody tr').first().innerText()).resolves.toContain(app.first.email);
});

test('a browser loads the overview with at most six requests', async () => {
  const asked: string[] = [];
  const note = (request: { url(): string }) => asked.push(request.url());
  const fresh = await browser.person(app.url);
  await signInAsOperator(fresh.page, app);
  const cookies = await fresh.context.cookies();
  const cold = await browser.person(app.url);
  await cold.context.addCookies(cookies);
  cold.page.on('request', note);
  await cold.page.goto('/overview', { waitUntil: 'networkidle' });
  expect(asked.length).toBeLessThanOrEqual(6);
  await Promise.all([fresh.close(), cold.close()]);
});

test('on a phone, a row of the list of keys is a card with labels, and the list is still a table for screen readers', async () => {
  const person = await browser.person(app.url, { width: 375 });
  const { page } = person;
  await signInAsOperator(page, app);
  await page.goto('/operator/keys');
  const table = page.getByRole('table', { name: 'Keys' });
  await expect(table.getByRole('columnheader', { name: 'Last used' }).count()).resolves.toBe(1);
  const row = table.getByRole('row').nth(1);
  const shape = await row.evaluate((element: HTMLElement) => ({
    width: element.getBoundingClientRect().right <= innerWidth,
    labels: [...element.querySelectorAll('td')].map((cell) =>
      getComputedStyle(cell, '::before').content.replaceAll('"', '').replace(' / ', ''),
    ),
  }));
  expect(shape.width).toBe(true);
  expect(shape.labels).toEqual(expect.arrayContaining(['Requests today', 'Last used', 'Project', 'Account']));
  await keepScreenshot(page, 'keys-as-cards');
  expect(person.troubles).toEqual([]);
  await person.close();
});

test('a printed list of keys has no menu and no buttons, and is not cut off', async () => {
  const { page } = operator;
  await page.goto('/operator/keys');
  await page.emulateMedia({ media: 'print' });
  // At the width of A4 paper, a list is still a table, and it fits.
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 794, height: 1_123 });
  await expect(
    page.locator('.table').evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth),
  ).resolves.toBe(0);
  await expect(
    page
      .locator('tbody tr')
      .first()
      .evaluate((row) => getComputedStyle(row).display),
  ).resolves.toBe('table-row');
  if (wide !== null) await page.setViewportSize(wide);
  await expect(page.locator('.site, main button, .filters').filter({ visible: true }).count()).resolves.toBe(
    0,
  );
  await expect(page.locator('.table').evaluate((table) => getComputedStyle(table).overflowX)).resolves.toBe(
    'visible',
  );
  await page.emulateMedia({ media: null });
});
