import { Secret, TOTP } from 'otpauth';
import { violationsIn } from '../fixtures/axe.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import {
  keepScreenshot,
  startTestBrowser,
  WIDTHS,
  type Person,
  type TestBrowser,
} from '../fixtures/browser.js';
import type { Page } from '../../server/src/console/routing/page.js';
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

const ALL_LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.entries({ 'small-phone': 320, ...WIDTHS, 'wide-screen': 1_920 }).map(([device, width]) => ({
    ...{ colorScheme, device, width },
  })),
);
/** Both colours, each once, on what most people have. */
const SHORT_LOOKS = ALL_LOOKS.filter(
  ({ colorScheme, device }) => device === (colorScheme === 'dark' ? 'phone' : 'desktop'),
);
const looks = rounds(SHORT_LOOKS, ALL_LOOKS);

/** Looks at the page that is shown for what people cannot use, and keeps a picture of it. */
async function lookAtShown(person: Person, name: string): Promise<readonly string[]> {
  await keepScreenshot(person.page, name);
  const violations = await violationsIn(person.page);
  const isTooWide = await person.page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [...violations, ...(isTooWide === true ? ['the page scrolls sideways'] : [])];
}

async function lookAt(
  person: Person,
  name: string,
  address: string,
  status: number,
): Promise<readonly string[]> {
  const answer = await person.page.goto(address);
  const problems = await lookAtShown(person, name);
  return [...problems, ...(answer?.status() === status ? [] : [`the status is ${answer?.status()}`])];
}

test('a button without words is found', async () => {
  const person = await browser.person(app.url);
  await person.page.goto('/signin');
  await person.page.evaluate('document.querySelector("main").append(document.createElement("button"))');
  expect(await violationsIn(person.page)).toEqual([expect.stringMatching(/^button-name at /u)]);
  await person.close();
});

/** Addresses that are no page of the list, but answered with one. */
const REFUSED = '/apilogin?returnUrl=https%3A%2F%2Funknown.example%2F';
const NOWHERE = '/nowhere';

/** The playground with options of every kind, and with answers of every kind. */
const PLAYGROUND_OPTIONS =
  '/playground?operation=captureScreenshot&device=iPhone+15&clip.x=0&hideSelectors=a&waitMs=1&without=cookies';
const PLAYGROUND_ANSWERS = {
  record: 'operation=lookupPostcode&postcode=SW1A+1AA&include=areas',
  nearest: 'operation=findNearestPostcodes&postcode=SW1A+1AA',
  list: 'operation=listAreaPostcodes&kind=country&name=Wales',
  refused: 'operation=lookupPostcode&postcode=SW1A',
};

/** Some thirty pages, each loaded, looked at by axe and pictured. */
const TIMEOUT_MS = 240_000;

/** The pages that strangers see; the sign-in shows nothing to who is signed in. */
const OPEN_TO_STRANGERS = SHOWN_PAGES.filter(
  ({ path, access }) => access === 'everybody' && path !== '/apilogin',
);

test.each(looks)(
  'every page is usable by everybody: $colorScheme, on a $device',
  async (look) => {
    const person = await browser.person(app.url, look);
    const found: Record<string, readonly string[]> = {};
    const lookAtAddress = async (name: string, address: string, status = 200) => {
      const problems = await lookAt(person, `${name}-${look.device}-${look.colorScheme}`, address, status);
      if (problems.length > 0) found[address] = problems;
    };
    const lookAtAll = async (pages: readonly Page[]) => {
      for (const page of pages) await lookAtAddress(pictureName(page), addressOf(page, samples));
    };
    await lookAtAll(OPEN_TO_STRANGERS);
    await lookAtAddress('nothing', NOWHERE, 404);
    await signInAsOperator(person.page, app);
    await lookAtAll(SHOWN_PAGES.filter((page) => !OPEN_TO_STRANGERS.includes(page)));
    await lookAtAddress('apilogin-refused', REFUSED, 400);
    await lookAtAddress('playground-options', PLAYGROUND_OPTIONS);
    for (const [name, query] of Object.entries(PLAYGROUND_ANSWERS)) {
      await person.page.goto(`/playground?${query}`);
      await person.page.getByRole('button', { name: 'Send the request' }).click();
      await person.page.locator('#answer .status').waitFor();
      const problems = await lookAtShown(person, `playground-${name}-${look.device}-${look.colorScheme}`);
      if (problems.length > 0) found[name] = problems;
    }
    expect(found).toEqual({});
    expect(person.troubles).toEqual([]);
    await person.close();
  },
  TIMEOUT_MS,
);

/** Pages with nothing to list, or just after something was done. */
const STATES = [
  '/keys?search=none',
  '/keys/1/requests?request=none',
  '/usage?project=none',
  '/search?q=none-of-them',
  '/operator/accounts?search=none',
  '/operator/audit?account=nobody',
  '/overview?done=project',
  '/account?done=name',
];
/** Pages of which parts are folded away. */
const FOLDED = ['/usage', '/operator/inbox', '/operator/directory', PLAYGROUND_OPTIONS];
/** Forms that are sent empty. */
const FORMS = ['/password', '/projects', '/operator/return-urls', '/operator/accounts', '/account/delete'];

test.each(rounds(SHORT_LOOKS.slice(-1), ALL_LOOKS))(
  'a page is usable by everybody when it is empty, unfolded or refused: $colorScheme, on a $device',
  async (look) => {
    const person = await browser.person(app.url, look);
    const { page } = person;
    const found: Record<string, readonly string[]> = {};
    const see = async (address: string) => {
      const name = `state-${address.replaceAll(/\W+/gu, '-')}-${look.device}-${look.colorScheme}`;
      const problems = await lookAtShown(person, name);
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
  'a second factor is usable by everybody: $colorScheme, on a $device',
  async (look) => {
    const person = await browser.person(app.url, look);
    const { page } = person;
    const found: Record<string, readonly string[]> = {};
    const email = `factor-${look.device}-${look.colorScheme}@example.org`;
    const see = async (name: string) => {
      const problems = await lookAtShown(person, `second-factor-${name}-${look.device}-${look.colorScheme}`);
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
