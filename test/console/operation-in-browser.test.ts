import { inBrowser, startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { keepScreenshot, startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { signUp } from '../fixtures/console-steps.js';

let app: ConsoleApp;
let browser: TestBrowser;
let ada: Person;
let apiKey: string;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '100', SIGNPOST_RATE_PER_DAY: '100' }, inBrowser),
    startTestBrowser(),
  ]);
  ada = await browser.person(app.url);
  await signUp(ada.page, 'ada@example.org', 'Ada Lovelace');
  await ada.page.getByRole('button', { name: 'Make my key' }).click();
  apiKey = await ada.page.locator('#new-key').innerText();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const send = ({ page }: Person) => page.getByRole('button', { name: 'Send', exact: true }).click();
const codeIn = async ({ page }: Person, language: string) => {
  await page.getByRole('radio', { name: language, exact: true }).check();
  return page.locator(`#call-${language.toLowerCase()}`).innerText();
};

test('a capture appears beside its form; its options are in the code and, except secrets, in the address', async () => {
  const { page } = ada;
  await page.goto('/reference/captureScreenshot');
  await page.locator('#field-url').fill(`${app.url}/`);
  await page.getByText('Picture', { exact: true }).click();
  await page.locator('#field-width').fill('640');
  await page.getByText('Sign-in, cookies and headers').click();
  await page.locator('#field-cookies').fill('session=canary');
  await page.waitForURL(/width=640&without=cookies$/u);
  for (const language of ['curl', 'JavaScript', 'Python', 'n8n', 'MCP'])
    expect([language, await codeIn(ada, language)]).toEqual([
      language,
      expect.stringMatching(/640[^]*session/u),
    ]);
  expect(page.url()).not.toContain('canary');

  await send(ada);
  await page.locator('#answer a[download]').waitFor();
  const picture = "document.querySelector('#answer img')";
  expect(await page.evaluate<number>(`${picture}.decode().then(() => ${picture}.naturalWidth)`)).toBe(640);
  await keepScreenshot(page, 'operation-capture');
  expect(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).not.toContain('canary');

  await page.locator('#field-cookies').fill('');
  await page.getByRole('button', { name: 'Make a link to this picture' }).click();
  await page.locator('#made-link').waitFor();
  expect(await page.locator('#answer img').count()).toBe(0);
  await send(ada);
  await page.locator('#answer a[download]').waitFor();
  await page.getByRole('button', { name: 'Make a link to this picture' }).click();
  const made = page.locator('#made-link');
  await made.waitFor();
  expect(await made.innerText()).toMatch(new RegExp(`^${app.url}/c/`, 'u'));
  expect(await page.getByRole('button', { name: 'Copy the link' }).isVisible()).toBe(true);
  await keepScreenshot(page, 'operation-link');
  expect(await page.evaluate<number>(`${picture}.decode().then(() => ${picture}.naturalWidth)`)).toBe(640);
});

test('postcodes are suggested while typing and chosen by keyboard, and a click on the map finds the nearest ones', async () => {
  const { page } = ada;
  await page.goto('/reference/lookupPostcode');
  await page.getByRole('combobox', { name: 'Postcode' }).pressSequentially('sw1a 1');
  await page.getByRole('option', { name: 'SW1A 1AA' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('combobox', { name: 'Postcode' }).inputValue()).toBe('SW1A 1AA');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: /SW1A 1AA marked: Westminster/u }).waitFor();

  const map = page.locator('svg.country-map');
  await page.getByRole('button', { name: 'Nearer' }).click();
  await page.getByRole('button', { name: 'Nearer' }).press('ArrowDown');
  const [x, y, width] = (await map.getAttribute('viewBox'))?.split(' ').map(Number) ?? [];
  expect([width, (x ?? 0) > 0, (y ?? 0) > 0]).toEqual([expect.any(Number), true, true]);
  await page.getByRole('button', { name: 'Whole map' }).click();
  expect(await map.getAttribute('viewBox')).toMatch(/^0 0 /u);
  // A point in London, next to the postcode's mark.
  const mark = await map.locator('.map-dot').first().boundingBox();
  await page.mouse.click((mark?.x ?? 0) + 40, mark?.y ?? 0);
  await page.getByRole('heading', { name: 'Find the nearest postcodes' }).waitFor();
  await page.locator('#answer .status').waitFor();
  await page.waitForURL(/findNearestPostcodes/u);
  expect(Number(new URL(page.url()).searchParams.get('longitude'))).toBeGreaterThan(-0.14);
  await page.goBack();
  await page.getByRole('heading', { name: 'Look up a postcode' }).waitFor();
});

test('table rows and map points highlight each other', async () => {
  const { page } = ada;
  await page.setViewportSize({ width: 1280, height: 2_000 });
  await page.goto('/reference/findNearestPostcodes?postcode=SW1A+1AA&limit=3');
  await send(ada);
  await page.locator('tr[data-row="1"]').hover();
  expect(await page.locator('svg .joined').count()).toBeGreaterThan(0);
  await page.locator('svg [data-row="2"]').last().click();
  expect(await page.locator('tr.joined').getAttribute('data-row')).toBe('2');
  await keepScreenshot(page, 'operation-nearest');
});

test('choosing an example fills in its options, keeps the other input, and puts all but secrets into the address', async () => {
  const { page } = ada;
  await page.goto('/reference/captureScreenshot');
  await page.locator('#field-url').fill('https://shop.example/cart');
  await page.evaluate(() => document.querySelectorAll('details').forEach((group) => (group.open = true)));
  await page.locator('#field-cookies').fill('session=canary');
  await page.getByRole('button', { name: 'A sharp WebP' }).click();
  await page.waitForURL(/format=webp/u);
  expect(await page.locator('#field-url').inputValue()).toBe('https://shop.example/cart');
  expect(await page.locator('#field-cookies').inputValue()).toBe('session=canary');
  expect(await page.locator('#field-quality').inputValue()).toBe('90');
  expect(page.url()).not.toContain('canary');
});

test('recent requests are stored in the browser, lead back to their form, and can be deleted', async () => {
  const { page } = ada;
  await page.goto('/reference/lookupPostcode');
  await page.locator('#history li').first().waitFor();
  expect(await page.locator('#history li').count()).toBe(5);
  await page.locator('#history a').first().click();
  await page.waitForURL(/limit=3/u);
  expect(await page.locator('#field-limit').inputValue()).toBe('3');
  await page.getByRole('button', { name: 'Forget them' }).click();
  expect(await page.locator('#history').isVisible()).toBe(false);
});

test('without scripts, a form can be sent, and its response is beside it with code and a link', async () => {
  const plain = await browser.person(app.url, { withoutScripts: true });
  await plain.context.addCookies(await ada.context.cookies());
  await plain.page.goto('/reference/lookupPostcode?postcode=SW1A+1AA');
  await send(plain);
  await plain.page.getByRole('img', { name: /SW1A 1AA marked/u }).waitFor();
  await plain.page.getByRole('radio', { name: 'Python' }).check();
  expect(await plain.page.locator('#call-python').isVisible()).toBe(true);
  expect(await plain.page.locator('#call-curl').isVisible()).toBe(false);
  await plain.page.getByRole('link', { name: 'Link to this request' }).click();
  await plain.page.getByText('Nothing was sent yet').waitFor();
  await plain.close();
});

test('a search of the reference while typing leads to a field, and the code has the beginning of the chosen key', async () => {
  const { page } = ada;
  await page.goto('/reference');
  await page.getByLabel('Search the operations').fill('radius metres');
  await page.getByText(/^[23] of 18 operations/u).waitFor();
  expect(await page.locator('#captureScreenshot').count()).toBe(0);
  await page.locator('#findNearestPostcodes').getByRole('link', { name: 'radiusMetres' }).click();
  await page.waitForURL(/findNearestPostcodes#field-radiusMetres$/u);
  expect(await page.locator('#field-radiusMetres').isVisible()).toBe(true);
  await page.getByLabel('Key', { exact: true }).selectOption({ index: 0 });
  await page.locator('#request-key').dispatchEvent('change');
  await page.getByRole('radio', { name: 'curl', exact: true }).check();
  await page.getByText(/KEY='sp_live_\w+…'/u).waitFor();
});

test('a stranger sends an operation with a pasted key, and cancels a capture', async () => {
  const stranger = await browser.person(app.url);
  const { page } = stranger;
  await page.goto('/reference/lookupPostcode');
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.locator('#field-postcode').fill('SW1A');
  await send(stranger);
  await page.locator('#answer .status.danger').waitFor();
  await page.locator('#field-postcode').fill('SW1A 1AA');
  await send(stranger);
  await page.getByRole('img', { name: /SW1A 1AA marked/u }).waitFor();
  expect(page.url()).not.toContain(apiKey);
  await page.goto('/reference/captureScreenshot');
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.locator('#field-url').fill(`${app.url}/`);
  await send(stranger);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled.').waitFor();
  expect(stranger.troubles).toEqual([]);
  await stranger.close();
});

test('a form sent after its session ended says so and keeps its input, and a long text can be copied', async () => {
  const guest = await browser.person(app.url);
  const { page } = guest;
  await guest.context.addCookies(await ada.context.cookies());
  const html = `<p>${'Some words. '.repeat(40)}</p>`;
  await page.goto(`/reference/readPage?${new URLSearchParams({ html })}`);
  await send(guest);
  await page.locator('[data-copy="answer-content"]').first().click();
  await page.getByText('Copied.', { exact: true }).waitFor({ state: 'attached' });
  await guest.context.clearCookies();
  await send(guest);
  await page.getByText('You are signed out, or the page is old.').waitFor();
  expect(await page.locator('#field-html').inputValue()).toBe(html);
  await guest.close();
});

test('on a desktop, the Send button is visible without scrolling; on a phone, the answer is between it and the code', async () => {
  const { page } = ada;
  const topOf = async (place: string) => (await page.locator(place).boundingBox())?.y ?? Infinity;
  await page.setViewportSize({ width: 1_280, height: 900 });
  await page.goto('/reference/captureScreenshot');
  expect(await topOf('#send')).toBeLessThan(700);
  await page.setViewportSize({ width: 375, height: 700 });
  const [button, answer, code] = [await topOf('#send'), await topOf('#answer'), await topOf('#call-curl')];
  expect([button < answer, answer < code]).toEqual([true, true]);
});

test('in these tests, the pages cause no errors in the browser, which contacts no other host', () => {
  expect(ada.troubles).toEqual([]);
});
