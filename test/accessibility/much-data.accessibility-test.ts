import { z } from 'zod';
import { violationsIn } from '../fixtures/axe.js';
import { keepScreenshot, startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { OPERATORS_PASSWORD, signInAsOperator, signUp, useEverything } from '../fixtures/console-steps.js';
import { addressOf, pictureName, SHOWN_PAGES, type PageSamples } from '../fixtures/every-page.js';
import { rounds } from '../fixtures/length.js';
import { fillWithMuch, LONG_NAME } from '../fixtures/much-data.js';
import { editionCsv, HOLYROOD, PALACE } from '../fixtures/postcodes/editions.js';
import { zipFile } from '../fixtures/postcodes/zip-file.js';

const HEIGHT = 900;
const TIMEOUT_MS = rounds(240_000, 1_200_000);
const LOOKS = rounds(
  [
    { width: 375, colorScheme: 'dark' },
    { width: 1_280, colorScheme: 'light' },
  ] as const,
  [375, 768, 1_280, 1_920].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  ),
);

/** The e-mail address of an account without API access. */
const ADA = 'ada@example.org';
const SITE = 'https://a-subdomain-of-a-long-name.clinic.example:8443/signed-in';

let app: ConsoleApp;
let browser: TestBrowser;
let samples: PageSamples;
let operator: Person;
let ada: Person;
let stranger: Person;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_CONTACT: 'ops@example.org' }),
    startTestBrowser(),
  ]);
  [operator, ada, stranger] = await Promise.all([
    browser.person(app.url),
    browser.person(app.url),
    browser.person(app.url),
  ]);
  await signInAsOperator(operator.page, app);
  samples = await useEverything(operator.page, app);
  await fillWithMuch(app);
});
afterAll(async () => {
  expect([...operator.troubles, ...ada.troubles, ...stranger.troubles]).toEqual([]);
  await browser.close();
  await app.close();
});

/** Problems that axe finds on the current page, and whether it is too wide, in every look. */
async function problemsOf({ page }: Person, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await keepScreenshot(page, `much-${name}-${width}-${colorScheme}`);
    const problems = await violationsIn(page);
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    if (isTooWide === true || problems.length > 0)
      found.push(...problems, `${name} at ${width}, ${colorScheme}${isTooWide === true ? ', too wide' : ''}`);
  }
  return found;
}

const LISTS = [
  ...[
    '/overview',
    '/projects',
    '/keys',
    '/usage',
    '/search',
    '/reference/captureScreenshot',
    '/account',
    '/projects/:projectId',
  ],
  ...['/operator/accounts', '/operator/accounts/:accountId', '/operator/projects', '/operator/keys'],
  ...['/operator/usage', '/operator/inbox', '/operator/audit', '/operator'],
];

test(
  'pages with lists pass axe and are not too wide with 1,000 accounts, 50 projects and 200 keys',
  async () => {
    const found: string[] = [];
    for (const page of SHOWN_PAGES.filter(({ path }) => LISTS.includes(path))) {
      await operator.page.goto(addressOf(page, samples));
      found.push(...(await problemsOf(operator, pictureName(page))));
    }
    expect(found).toEqual([]);
  },
  TIMEOUT_MS,
);

/** A script: evaluates to the first texts of headings, numbers and buttons in lists that have more lines than words. */
const BROKEN_WORDS = `[...document.querySelectorAll('.as-cards :is(thead th, .number, button)')]
  .map(({ firstChild }) => firstChild)
  .filter((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 12)));
    return lines.size > text.textContent.trim().split(/\\s+/u).length;
  })
  .map(({ textContent }) => textContent)`;

test('lists at widths of 641 to 1,280 pixels cut off no column and break no word of a heading or button', async () => {
  const { page } = operator;
  const heights: Record<string, number> = {};
  const cut: string[] = [];
  for (const path of [
    ...['/operator/accounts', '/operator/inbox', '/operator/keys', '/operator/projects', '/keys'],
    ...['/operator/audit', '/operator/return-urls', '/overview', '/account', '/requests', '/search?q=e'],
  ]) {
    await page.goto(path);
    for (const width of [641, 768, 1_024, 1_280]) {
      await page.setViewportSize({ width, height: HEIGHT });
      const broken = z.array(z.string()).parse(await page.evaluate(BROKEN_WORDS));
      cut.push(...broken.map((word) => `${word} on ${path} at ${width}`));
      const isCut = await page.evaluate(() =>
        [...document.querySelectorAll('.as-cards')].some(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      );
      if (isCut) cut.push(`${path} at ${width}`);
    }
    heights[path] = await page.evaluate<number>('document.documentElement.scrollHeight');
  }
  expect(cut).toEqual([]);
  // A page lists fifty accounts, or twenty requests of the inbox.
  expect(heights['/operator/accounts']).toBeLessThan(3_000);
  expect(heights['/operator/inbox']).toBeLessThan(3_000);
});

/** A path of this server with a query string. */
const at = (path: string, query: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(query)}`;

test(
  'the pages of one-time links, and of signing in to another site, pass axe',
  async () => {
    const found: string[] = [];
    const see = async (person: Person, name: string, address: string) => {
      await person.page.goto(address);
      found.push(...(await problemsOf(person, name)));
    };
    const asked = at('/apilogin', { returnUrl: SITE });
    const { page } = operator;
    await page.goto('/operator/return-urls');
    await page.getByLabel('Name').fill(LONG_NAME);
    await page.getByLabel('Address', { exact: true }).fill(SITE);
    await page.getByRole('button', { name: 'Register the address' }).click();
    await see(operator, 'return-urls', '/operator/return-urls');
    await see(stranger, 'link-invitation', `/link/${samples.linkToken}`);
    await see(stranger, 'apilogin-signed-out', asked);
    await signUp(ada.page, ADA, LONG_NAME);
    await see(ada, 'apilogin-no-access', asked);
    await see(ada, 'tokens-no-access', '/apikeys');
    await ada.page.getByRole('button', { name: 'Ask for API access' }).click();
    await see(ada, 'tokens-asked', '/apikeys');
    await see(operator, 'inbox-last', '/operator/inbox?page=4');
    await page.goto(`/operator/accounts?search=${ADA}`);
    await page.getByRole('link', { name: ADA }).click();
    await page.getByRole('link', { name: 'Make a password link' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Make the link' }).click();
    await see(stranger, 'link-reset', await page.locator('#link').innerText());
    await see(operator, 'apilogin-question', asked);
    await see(
      operator,
      'apilogin-unknown',
      at('/apilogin', { returnUrl: `https://${'a'.repeat(300)}.example/` }),
    );
    await see(operator, 'tokens', '/apikeys');
    expect(found).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the page that asks whether to connect an assistant passes axe, also if the request is invalid',
  async () => {
    const redirects = ['https://assistant.example/callback', 'http://localhost/callback'];
    const answer = await fetch(`${app.url}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: LONG_NAME, redirect_uris: redirects }),
    });
    const { client_id: id } = z.object({ client_id: z.string() }).parse(await answer.json());
    const [web = '', own = ''] = redirects;
    const asked = {
      response_type: 'code',
      client_id: id,
      redirect_uri: web,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    };
    const found: string[] = [];
    for (const [name, more] of Object.entries({
      question: {},
      'of-this-computer': { redirect_uri: own },
      refused: { code_challenge_method: 'plain' },
      unknown: { redirect_uri: 'https://elsewhere.example/' },
    })) {
      await operator.page.goto(at('/oauth/authorize', { ...asked, ...more }));
      found.push(...(await problemsOf(operator, `assistant-${name}`)));
    }
    expect(found).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the page that rotates the signing keys passes axe before the rotation, after it, and after a wrong password',
  async () => {
    const { page } = operator;
    const found: string[] = [];
    await page.goto('/operator/maintenance/rotate-keys');
    found.push(...(await problemsOf(operator, 'rotation')));
    for (const password of ['wrong', OPERATORS_PASSWORD]) {
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Make new keys' }).click();
      await page.locator('main .notice').waitFor();
      found.push(...(await problemsOf(operator, `rotation-${password === 'wrong' ? 'refused' : 'done'}`)));
    }
    expect(found).toEqual([]);
  },
  TIMEOUT_MS,
);

/** The zip file of an edition with one postcode in each of `count` named local authorities, and Holyrood. */
const editionOf = (count: number, nameOfAuthority: (index: number) => string) => {
  const codes = Array.from({ length: count }, (_, index) => `E09${String(index).padStart(6, '0')}`);
  const rows = codes.map((lad, index) => ({ ...PALACE, pcds: `SW${index + 1} 1AA`, lad }));
  const names = codes.map((code, index) => `${code},"${nameOfAuthority(index)}"`);
  return zipFile({
    'Data/ONSPD_UK.csv': editionCsv('2025', [HOLYROOD, ...rows]),
    'Documents/LAD names and codes UK as at 04_25.csv': ['LAD25CD,LAD25NM', ...names, ''].join('\n'),
  });
};

test(
  'the report of an import passes axe with many changed names, and after a failure',
  async () => {
    const { page } = operator;
    const importFile = async (name: string, buffer: Buffer, words: string) => {
      await page.goto('/operator/directory');
      await page.getByText('Options', { exact: true }).nth(1).click();
      await page.locator('#upload-force').check();
      await page
        .getByLabel('File', { exact: true })
        .setInputFiles({ name, mimeType: 'application/zip', buffer });
      await page.getByRole('button', { name: 'Upload and import it' }).click();
      await page.getByText(words).first().waitFor();
    };
    const first = editionOf(90, (index) => `Bournemouth, Christchurch and Poole ${index}`);
    await importFile('ONSPD_MAY_2026_UK.zip', first, 'ONSPD 2026-05 is in use now.');
    const second = editionOf(60, (index) => `Comhairle nan Eilean Siar ${index}`);
    await importFile('ONSPD_AUG_2026_UK.zip', second, 'ONSPD 2026-08 is in use now.');
    await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
    const found = [...(await problemsOf(operator, 'import-report'))];
    await importFile(`${LONG_NAME}.zip`, Buffer.from('none'), 'The directory in use stays as it is.');
    found.push(...(await problemsOf(operator, 'import-failed')));
    expect(found).toEqual([]);
  },
  TIMEOUT_MS,
);
