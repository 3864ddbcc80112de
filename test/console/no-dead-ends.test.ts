import { violationsIn } from '../fixtures/axe.js';
import { keepScreenshot, type Person, startTestBrowser, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { countedClicks, createKey, PASSWORD, signInAsOperator } from '../fixtures/console-steps.js';
import { rounds } from '../fixtures/length.js';
import { type MailServer, startMailServer } from '../fixtures/mail-server.js';

/** Two widths, each with its own colour scheme. A long run of the tests has five widths, each with both schemes. */
const LOOKS = rounds(
  [
    { width: 375, colorScheme: 'dark' },
    { width: 1_280, colorScheme: 'light' },
  ] as const,
  [320, 375, 768, 1_280, 1_920].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  ),
);
const HEIGHT = 900;
const LONG_NAME = 'Dr Ünïcode 🗺️ مرحبا '.repeat(4).trim();
const LONG_EMAIL = `${'a-long-address-that-does-not-fit-'.repeat(1)}ada@subdomain-of-a-long-name.example.org`;

let app: ConsoleApp;
let browser: TestBrowser;
let mail: MailServer;
let operator: Person;
let stranger: Person;

beforeAll(async () => {
  mail = await startMailServer();
  [app, browser] = await Promise.all([
    startConsoleApp({
      SIGNPOST_SIGNUP: 'closed',
      SIGNPOST_CONTACT: 'ops@example.org',
      SIGNPOST_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SIGNPOST_MAIL_FROM: 'signpost@example.org',
    }),
    startTestBrowser(),
  ]);
  [operator, stranger] = await Promise.all([
    browser.person(app.url),
    browser.person(app.url, { withoutScripts: true }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await mail.close();
});

/** Expects that the current page passes axe and is not wider than the window, in every look. */
async function expectUsable({ page }: Person, name: string): Promise<void> {
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await keepScreenshot(page, `inbox-${name}-${width}-${colorScheme}`);
    expect([name, width, colorScheme, await violationsIn(page)]).toEqual([name, width, colorScheme, []]);
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect([name, width, isTooWide]).toEqual([name, width, false]);
  }
}

beforeAll(async () => {
  await signInAsOperator(operator.page, app);
  await createKey(operator.page, 'Weather map');
});
afterEach(() => {
  expect([...operator.troubles, ...stranger.troubles]).toEqual([]);
});

test('without scripts, a stranger can ask for an account, and gets it with a link that works once', async () => {
  const { page } = stranger;
  await page.goto('/');
  await page.getByRole('link', { name: 'Ask for an account' }).click();
  await page.getByLabel('E-mail').fill(LONG_EMAIL);
  await page.getByLabel('Name').fill(LONG_NAME);
  await page.getByLabel('What you need it for').fill('A map of clinics.\nمرحبا بكم\n🗺️');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByRole('heading', { name: 'The operator has your request' }).waitFor();

  await operator.page.goto('/operator/inbox');
  await expectUsable(operator, 'request');
  await operator.page
    .getByRole('button', { name: `Make the account and its link for ${LONG_EMAIL}` })
    .click();
  const link = await operator.page.locator('#link').innerText();
  await expectUsable(operator, 'approved');

  await page.goto(link);
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Choose the password' }).click();
  await page.getByText('has 5 characters').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Choose the password' }).click();
  await page.waitForURL('**/overview');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn this mail off' }).click();
  await page.getByText('Mail about limits is off.').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.goto(link);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

test('the owner of a key can ask for higher limits, which the operator sets with two clicks', async () => {
  const { page } = operator;
  await page.goto('/overview');
  await page.locator('main a[href^="/keys/"]').first().click();
  await page.getByRole('link', { name: 'Ask for higher limits' }).click();
  await page.getByLabel('Requests per day').fill('5000');
  await page.getByLabel('What you need them for').fill('Every clinic, once a day');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByRole('main').getByText('waiting', { exact: true }).waitFor();
  await expectUsable(operator, 'higher-limits');
  await page.goto('/overview');
  const { click, clicks } = countedClicks();
  await click(page.getByRole('link', { name: /^Inbox \d waiting$/u }));
  await expectUsable(operator, 'limits');
  await click(page.getByRole('button', { name: 'Set these limits' }));
  await page.getByText(/^The limits of .* are raised/u).waitFor();
  expect(clicks()).toBe(2);
});

test('a person who forgot the password can ask for a link, and is told why the operator refuses it', async () => {
  const email = 'grace@example.org';
  await operator.page.goto('/operator/accounts');
  await operator.page.getByLabel('E-mail', { exact: true }).fill(email);
  await operator.page.getByRole('button', { name: 'Make the account' }).click();
  await operator.page.locator('#link').waitFor();

  const { page } = stranger;
  await page.goto('/signin');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Ask for a link' }).click();
  await page.getByRole('heading', { name: 'Your request was sent' }).waitFor();

  await operator.page.goto('/operator/inbox');
  await operator.page.getByText('Refuse…').click();
  await operator.page.getByLabel('Why').fill('x'.repeat(1_001));
  await operator.page.getByRole('button', { name: /^Refuse what/u }).click();
  await operator.page.getByText('has 1001 characters').waitFor();
  await expectUsable(operator, 'refused');
  await operator.page.getByLabel('Why').fill('You never had one.');
  await operator.page.getByRole('button', { name: /^Refuse what/u }).click();
  await operator.page.getByText('Nothing waits for you.').waitFor();
  expect(await mail.mail('You never had one.')).toMatchObject({ to: email });
});

test.each([
  '/request-access',
  '/request-access?done=sent',
  '/forgot-password',
  '/forgot-password?done=sent',
  '/signup',
  '/link/none',
])('the page %s passes axe, and is not wider than the window', async (path) => {
  const person = await browser.person(app.url);
  await person.page.goto(path);
  await expectUsable(person, path.replaceAll(/\W+/gu, '-'));
  await person.close();
});
