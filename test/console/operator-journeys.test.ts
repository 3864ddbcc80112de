import { readFile } from 'node:fs/promises';
import { noCaptures } from '../fixtures/capture/no-captures.js';
import { keepScreenshot, startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { countedClicks, OPERATORS_PASSWORD, PASSWORD, signInAsOperator } from '../fixtures/console-steps.js';
import { editionCsv, HOLYROOD, PALACE } from '../fixtures/postcodes/editions.js';
import { startPortal } from '../fixtures/postcodes/portal.js';
import { zipFile } from '../fixtures/postcodes/zip-file.js';

const ROWS = editionCsv('2026', [HOLYROOD, PALACE]);

let app: ConsoleApp;
let browser: TestBrowser;
let portal: Awaited<ReturnType<typeof startPortal>>;
let operator: Person;
/** Ends the capture that does not end by itself. */
let endCapture: () => void = () => undefined;

beforeAll(async () => {
  portal = await startPortal(zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': ROWS }));
  const held = () =>
    new Promise<never>((_resolve, reject) => {
      endCapture = () => reject(new Error('It was ended.'));
    });
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_DIRECTORY_SEARCH_URL: portal.searchUrl }, () =>
      Promise.resolve({ ...noCaptures(), screenshot: held }),
    ),
    startTestBrowser(),
  ]);
  operator = await browser.person(app.url);
  await signInAsOperator(operator.page, app);
});
afterAll(async () => {
  endCapture();
  await browser.close();
  await app.close();
  await portal.close();
});

test('an operator imports the newest edition from the overview with three clicks, and watches its progress', async () => {
  const { page } = operator;
  await page.goto('/overview');
  const { click, clicks } = countedClicks();
  // The download stalls until the page has shown that half of the file has arrived.
  const half = Math.floor(portal.file.length / 2);
  portal.breaks = [half];
  await click(page.getByRole('link', { name: 'Operator', exact: true }));
  await click(page.getByRole('link', { name: 'Directory', exact: true }));
  await click(page.getByRole('button', { name: 'Import the newest edition' }));
  expect(clicks()).toBe(3);
  await page.getByText('Fetching').waitFor();
  await keepScreenshot(page, 'directory-under-way');
  portal.received(half);
  await page.getByText('ONSPD 2026-08 is in use now.').waitFor();
  await page.getByRole('heading', { name: 'In use: ONSPD 2026-08' }).waitFor();
  await keepScreenshot(page, 'directory-imported');
});

test('an operator uploads a directory, even without scripts, and sees what it changed', async () => {
  const file = {
    name: 'ONSPD_NOV_2026_UK.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(editionCsv('2026', [{ ...PALACE, doterm: '202610' }, HOLYROOD])),
  };
  const { page, close } = await browser.person(app.url, { withoutScripts: true });
  await signInAsOperator(page, app);
  await page.goto('/operator/directory');
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Upload and import it' }).click();
  await page.waitForURL('**/operator/directory');
  await operator.page.goto('/operator/directory');
  await operator.page.getByText('ONSPD 2026-11 is in use now.').waitFor();
  await operator.page.getByText('What changed since ONSPD 2026-08').waitFor();
  await close();
});

test('an operator downloads a backup and rotates the keys, each after entering the password', async () => {
  const { page } = operator;
  await page.goto('/apikeys');
  await page.goto('/operator/maintenance');
  await page.getByRole('link', { name: 'Make a backup and download it' }).click();
  await page.getByLabel('Your password').fill(OPERATORS_PASSWORD);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Make the backup and download it' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^signpost-.*\.backup$/u);
  expect((await readFile(await download.path())).subarray(0, 2).toString('hex')).toBe('1f8b');

  await page.goto('/operator/maintenance');
  await page.getByRole('link', { name: 'Rotate the keys' }).click();
  await page.getByLabel('Your password').fill(OPERATORS_PASSWORD);
  await page.getByRole('button', { name: 'Make new keys' }).click();
  await page.getByText('New keys sign and encrypt from now on.').waitFor();
  await page.getByRole('button', { name: 'Close sign-up' }).click();
  await page.getByText('Sign-up is closed: operators make the accounts.').waitFor();
  await page.getByRole('button', { name: 'Open sign-up' }).click();
});

test('an operator invites an account, and limits it, turns its API access on and off, and disables it from its page', async () => {
  const { page } = operator;
  const press = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
  await page.goto('/operator/accounts');
  await page.getByRole('link', { name: 'New account' }).click();
  await page.getByLabel('E-mail', { exact: true }).fill('grace@example.org');
  await press('Make the account');
  const link = await page.locator('#link').innerText();
  const grace = await browser.person(app.url);
  await grace.page.goto(link);
  await grace.page.getByLabel('Password').fill(PASSWORD);
  await grace.page.getByRole('button', { name: 'Choose the password and sign in' }).click();
  await grace.page.waitForURL('**/overview');

  await page.getByRole('link', { name: 'To the account' }).click();
  await page.getByLabel('Captures at the same time').fill('none');
  await press('Set the limits of the account');
  expect(await page.locator('[aria-invalid=true]').inputValue()).toBe('none');
  await page.getByLabel('Requests per day (UTC)').fill('5000');
  await page.getByLabel('Captures at the same time').fill('2');
  await press('Set the limits of the account');
  await page.locator('.notice.good').waitFor();
  expect(await page.getByLabel('Captures at the same time').inputValue()).toBe('2');
  await press('Turn API access on');
  await press('Turn API access off');
  await page.getByRole('main').getByRole('link', { name: 'Disable', exact: true }).click();
  await press('Disable the account');
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  await grace.page.goto('/overview');
  expect(new URL(grace.page.url()).pathname).toBe('/signin');
  await grace.close();
});

test('the message of a failed import from an address says that the directory in use stays', async () => {
  const { page } = operator;
  await page.goto('/operator/directory');
  await page.getByLabel('Address of the file').fill('http://127.0.0.1/ONSPD.zip');
  await page.getByRole('button', { name: 'Fetch and import it' }).click();
  await page.getByText('The directory in use stays as it is.').waitFor();
});

test('the audit entries that match a filter can be exported', async () => {
  const { page } = operator;
  await page.goto('/operator/audit');
  await page.getByLabel('What was done').selectOption('Signing and encryption keys replaced');
  await page.getByLabel('From the day (UTC)').fill(new Date(app.now()).toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Filter' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export these entries as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',secret.rotated,');
});

test('the list of accounts with running captures updates itself', async () => {
  const { page } = operator;
  await page.goto('/operator/health');
  await page.locator('#checks + ul').getByText('Postcode directory').waitFor();
  await page.getByText('No capture is under way, and none waits.').waitFor();
  const asked = app.post('/api/screenshot', { url: app.url });
  const row = page.getByRole('row', { name: app.first.email });
  await row.waitFor();
  expect(await row.getByRole('cell').first().innerText()).toBe('1');
  endCapture();
  await asked;
  await page.getByText('No capture is under way, and none waits.').waitFor();
  expect(operator.troubles).toEqual([]);
});
