import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { violationsIn } from '../fixtures/axe.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import {
  keepScreenshot,
  startTestBrowser,
  WIDTHS,
  type Person,
  type TestBrowser,
} from '../fixtures/browser.js';
import type { Page as ConsolePage } from '../../server/src/console/routing/page.js';
import { PASSWORD, signIn, signInAsOperator, signUp, useEverything } from '../fixtures/console-steps.js';
import { rounds } from '../fixtures/length.js';
import { addressOf, pictureName, SHOWN_PAGES, type PageSamples } from '../fixtures/every-page.js';

let app: ConsoleApp;
let browser: TestBrowser;
let samples: PageSamples;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '100', SIGNPOST_RATE_PER_DAY: '1000' }),
    startTestBrowser(),
  ]);
  const operator = await browser.person(app.url);
  await signInAsOperator(operator.page, app);
  samples = await useEverything(operator.page, app);
  await operator.close();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const HEIGHT = 900;
const ALL_LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.entries({ 'small-phone': 320, ...WIDTHS, 'wide-screen': 1_920 }).map(([device, width]) => ({
    colorScheme,
    device,
    width,
  })),
);
/** Dark on a phone, and light on a desktop. */
const SHORT_LOOKS = ALL_LOOKS.filter(
  ({ colorScheme, device }) => device === (colorScheme === 'dark' ? 'phone' : 'desktop'),
);
const looks = rounds(SHORT_LOOKS, ALL_LOOKS);

/** Problems that axe finds on the current page, and one more if it scrolls sideways. Long runs keep a screenshot. */
async function problemsOf(page: Page, name: string): Promise<readonly string[]> {
  await keepScreenshot(page, name);
  const violations = await violationsIn(page);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [...violations, ...(isTooWide === true ? ['the page scrolls sideways'] : [])];
}

test('axe finds a button without text', async () => {
  const person = await browser.person(app.url);
  await person.page.goto('/signin');
  await person.page.evaluate('document.querySelector("main").append(document.createElement("button"))');
  expect(await violationsIn(person.page)).toEqual([expect.stringMatching(/^button-name at /u)]);
  await person.close();
});

/** The sign-in page of a site whose return URL is not registered: a 400. */
const REFUSED = '/apilogin?returnUrl=https%3A%2F%2Funknown.example%2F';
/** An address without a page of its own: a 404. */
const NOWHERE = '/nowhere';

/** The form for a screenshot, with options filled in by the query string. */
const WITH_OPTIONS =
  '/reference/captureScreenshot?device=iPhone+15&clip.x=0&hideSelectors=a&waitMs=1&without=cookies';
/** Forms of operations, below `/reference/`. Sent as they are, each gets a response of another kind. */
const ANSWERS = {
  record: 'lookupPostcode?postcode=SW1A+1AA&include=areas',
  nearest: 'findNearestPostcodes?postcode=SW1A+1AA',
  list: 'listAreaPostcodes?kind=country&name=Wales',
  refused: 'lookupPostcode?postcode=SW1A',
};

/** Time for about fifty pages, each loaded once and checked by axe in every look. */
const TIMEOUT_MS = rounds(240_000, 1_200_000);

/** The pages that everybody may open, except `/apilogin`. Loaded before the sign-in, because some redirect after it. */
const OPEN_TO_STRANGERS = SHOWN_PAGES.filter(
  ({ path, access }) => access === 'everybody' && path !== '/apilogin',
);

/** Checks the current page in every look, without loading it again. Each problem begins with its look. */
async function lookInEach({ page }: Person, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { width, colorScheme, device } of looks) {
    const look = `${device}-${colorScheme}`;
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    found.push(...(await problemsOf(page, `${name}-${look}`)).map((problem) => `${look}: ${problem}`));
  }
  return found;
}

test(
  'every console page passes axe and does not scroll sideways, in light and dark mode',
  async () => {
    const person = await browser.person(app.url);
    const { page } = person;
    const found: Record<string, readonly string[]> = {};
    const see = async (name: string, address: string) => {
      const problems = await lookInEach(person, name);
      if (problems.length > 0) found[address] = problems;
    };
    const visit = async (name: string, address: string, status = 200) => {
      const answer = await page.goto(address);
      expect([address, answer?.status()]).toEqual([address, status]);
      await see(name, address);
    };
    const visitAll = async (pages: readonly ConsolePage[]) => {
      for (const one of pages) {
        await visit(pictureName(one), addressOf(one, samples));
      }
    };
    await visitAll(OPEN_TO_STRANGERS);
    await visit('nothing', NOWHERE, 404);
    await visit('documents-found', '/docs?q=backup');
    await signInAsOperator(page, app);
    await visitAll(SHOWN_PAGES.filter((one) => !OPEN_TO_STRANGERS.includes(one)));
    await visit('apilogin-refused', REFUSED, 400);
    await visit('operation-options', WITH_OPTIONS);
    for (const [name, query] of Object.entries(ANSWERS)) {
      await page.goto(`/reference/${query}`);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('#answer .status').waitFor();
      await see(`operation-${name}`, name);
    }
    expect(found).toEqual({});
    expect(person.troubles).toEqual([]);
    await person.close();
  },
  TIMEOUT_MS,
);

/** Pages with nothing to list, or right after an action. */
const STATES = [
  '/keys?search=none',
  '/requests?text=none-such',
  '/usage?project=none',
  '/search?q=none-of-them',
  '/operator/accounts?search=none',
  '/operator/audit?account=nobody',
  '/overview?done=project',
  '/account?done=name',
];
/** Pages with collapsed parts. */
const FOLDED = ['/usage', '/operator/inbox', '/operator/directory', WITH_OPTIONS];
/** Forms that are sent empty. */
const FORMS = ['/password', '/projects', '/operator/return-urls', '/operator/accounts', '/account/delete'];

test.each(rounds(SHORT_LOOKS.slice(-1), ALL_LOOKS))(
  'pages with nothing to list, open details or a rejected form pass axe, in $colorScheme mode on a $device',
  async (look) => {
    const person = await browser.person(app.url, look);
    const { page } = person;
    const found: Record<string, readonly string[]> = {};
    const see = async (address: string) => {
      const name = `state-${address.replaceAll(/\W+/gu, '-')}-${look.device}-${look.colorScheme}`;
      const problems = await problemsOf(page, name);
      if (problems.length > 0) found[address] = problems;
    };
    await signInAsOperator(page, app);
    for (const address of STATES) {
      await page.goto(address);
      await see(address);
    }
    for (const address of FOLDED) {
      await page.goto(address);
      await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
      await see(`${address} unfolded`);
    }
    for (const address of FORMS) {
      await page.goto(address === '/projects' ? '/overview' : address);
      const form = page.locator(`main form[method=post][action="${address}"]`);
      await form.evaluate((sent: HTMLFormElement) => (sent.noValidate = true));
      await form.locator('button[type=submit]').click();
      await page.locator('[role=alert]').waitFor();
      await see(`${address} refused`);
    }
    expect(found).toEqual({});
    expect(person.troubles).toEqual([]);
    await person.close();
  },
  TIMEOUT_MS,
);

const STEP_MS = 30_000;

test.each(rounds(SHORT_LOOKS.slice(-1), ALL_LOOKS))(
  'the pages of the second factor pass axe, in $colorScheme mode on a $device',
  async (look) => {
    const person = await browser.person(app.url, look);
    const { page } = person;
    const found: Record<string, readonly string[]> = {};
    const email = `factor-${look.device}-${look.colorScheme}@example.org`;
    const see = async (name: string) => {
      const problems = await problemsOf(page, `second-factor-${name}-${look.device}-${look.colorScheme}`);
      if (problems.length > 0) found[name] = problems;
    };
    let secret = '';
    const give = async (button: string) => {
      app.pass(STEP_MS);
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      await page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: app.now() }));
      await page.getByRole('button', { name: button }).click();
    };

    await signUp(page, email, 'Ada');
    await page.goto('/account/second-factor');
    await page.getByLabel('Code', { exact: true }).fill('no code');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await see('refused');
    secret = await page.locator('#second-factor-secret').innerText();
    await give('Turn it on');
    await see('codes');
    await page.goto('/account/second-factor/codes');
    await see('new-codes');
    await give('Make new codes');
    await page.getByText('Your new recovery codes').waitFor();
    await page.goto('/account');
    await see('account');
    await page.goto('/account/second-factor');
    await see('off');
    await page.goto('/overview');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, email, PASSWORD);
    await see('sign-in');
    await give('Sign in');
    await page.waitForURL('**/overview');
    expect(found).toEqual({});
    expect(person.troubles).toEqual([]);
    await person.close();
  },
);
