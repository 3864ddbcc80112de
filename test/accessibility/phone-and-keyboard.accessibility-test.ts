import { keepScreenshot, startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { inBrowser, startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signInAsOperator, useEverything } from '../fixtures/console-steps.js';
import { addressOf, SHOWN_PAGES, type PageSamples } from '../fixtures/every-page.js';

/** The narrowest width, which is that of a usual screen at 400 %, and widths between it and a desktop. */
const WIDTHS = [320, 560, 600, 640, 700, 760, 1_024, 1_280];
const HEIGHT = 900;

let app: ConsoleApp;
let browser: TestBrowser;
let person: Person;
let samples: PageSamples;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '435000000', SIGNPOST_RATE_PER_DAY: '435000000' }, inBrowser),
    startTestBrowser(),
  ]);
  person = await browser.person(app.url);
  await signInAsOperator(person.page, app);
  samples = await useEverything(person.page, app);
});
afterAll(async () => {
  await person.close();
  await browser.close();
  await app.close();
});

/** The id or else the text of the focused element; empty if nothing has the focus. */
const focused = () =>
  person.page.evaluate<string>(
    'document.activeElement === document.body ? "" : document.activeElement.id || document.activeElement.innerText',
  );

test('no page that an operator sees, and no list on it, scrolls sideways at any of eight widths', async () => {
  const { page } = person;
  const paths = [...SHOWN_PAGES.map((shown) => addressOf(shown, samples)), '/nowhere'];
  const tooWide: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const cut = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.as-cards')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((part) => part.getAttribute('aria-label') ?? 'the page'),
      );
      if (cut.length > 0) tooWide.push(`${path} at ${width}: ${cut.join(', ')}`);
    }
  }
  expect(tooWide).toEqual([]);
});

test.each([320, 375])(
  'at a width of %i pixels, no nine-digit figure wraps or overflows its card',
  async (width) => {
    const { page } = person;
    await page.setViewportSize({ width, height: HEIGHT });
    for (const path of ['/overview', `/keys/${samples.keyId}`, '/operator']) {
      await page.goto(path);
      // Replaces the figures by those of an account with 435 million requests.
      const broken = await page.evaluate(() => {
        const figures = [...document.querySelectorAll('.figures dd, td.number')];
        for (const figure of figures) figure.textContent = '435,000,000';
        return figures.filter((figure) => {
          const range = document.createRange();
          range.selectNodeContents(figure);
          const isInside = range.getBoundingClientRect().right <= figure.getBoundingClientRect().right + 1;
          return range.getClientRects().length !== 1 || (figure.tagName === 'DD' && !isInside);
        }).length;
      });
      await keepScreenshot(page, `figures-${path.split('/')[1] ?? ''}-${width}`);
      expect([path, broken]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: HEIGHT });
  },
);

test('the links to the operators’ pages are collapsed on a phone and visible on a desktop', async () => {
  const { page } = person;
  const tabs = page.getByRole('navigation', { name: 'Operator' });
  const audit = tabs.getByRole('link', { name: 'Audit' });
  await page.setViewportSize({ width: 375, height: HEIGHT });
  await page.goto('/operator');
  expect(await audit.isVisible()).toBe(false);
  await tabs.getByText('Operator pages').click();
  await audit.click();
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  expect(await audit.isVisible()).toBe(true);
  expect(await tabs.getByText('Operator pages').isVisible()).toBe(false);
});

test('the accessible name of the account link contains its visible text', async () => {
  const { page } = person;
  await page.goto('/overview');
  const link = page.locator('a.who');
  const shown = await link.evaluate((element: HTMLElement) => element.lastChild?.textContent ?? '');
  expect(shown).not.toBe('');
  await expect(page.getByRole('link', { name: `Your account: ${shown}`, exact: true }).count()).resolves.toBe(
    1,
  );
});

describe('keyboard focus after a form is sent', () => {
  test('the focus stays on the Send button during a request and after its response', async () => {
    const { page } = person;
    await page.goto(`/reference/captureScreenshot?${new URLSearchParams({ url: `${app.url}/` })}`);
    const button = page.getByRole('button', { name: 'Send', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('send');
    await page.getByRole('link', { name: 'Download' }).waitFor();
    expect(await focused()).toBe('send');
    await expect(page.locator('#announcements').textContent()).resolves.toBe('The answer is there.');
  });

  test('after a rejected form, the focus is on the first invalid field', async () => {
    const { page } = person;
    await page.goto('/password');
    await page
      .locator('form[action="/password"]')
      .evaluate((form: HTMLFormElement) => (form.noValidate = true));
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.locator('[role=alert]').waitFor();
    expect(await focused()).toBe(await page.locator('[aria-invalid=true]').first().getAttribute('id'));
  });

  test('without scripts, if a form is rejected as a whole, the focus is on the error message', async () => {
    const stranger = await browser.person(app.url, { withoutScripts: true });
    await stranger.page.goto('/signin');
    await stranger.page.getByLabel('E-mail').fill('nobody@example.org');
    await stranger.page.getByLabel('Password').fill('not the password');
    await stranger.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(stranger.page.locator('[role=alert]:focus').count()).resolves.toBe(1);
    await stranger.close();
  });
});

test('the pages of these tests cause no errors in the browser', () => {
  expect(person.troubles).toEqual([]);
});

test('a request log that is open in a browser updates itself until somebody stops the updates', async () => {
  const { page } = person;
  await page.clock.install();
  await page.goto('/requests?key=1');
  const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
  const before = await rows.count();
  await app.get('/api/usage');
  await page.clock.runFor(5_000);
  await rows.nth(before).waitFor();
  await page.getByRole('switch', { name: 'Live' }).click();
  await app.get('/api/usage');
  await page.clock.runFor(60_000);
  expect(await rows.count()).toBe(before + 1);
  await page.getByRole('switch', { name: 'Live' }).click();
  await rows.nth(before + 1).waitFor();
  expect(person.troubles).toEqual([]);
});
