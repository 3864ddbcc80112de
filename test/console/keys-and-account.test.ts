import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { createKey, PASSWORD, signIn, signInAsOperator, signUp } from '../fixtures/console-steps.js';

const NEXT_PASSWORD = 'another long enough password';

let app: ConsoleApp;
let browser: TestBrowser;
let ada: Person;

beforeAll(async () => {
  [app, browser] = await Promise.all([
    startConsoleApp({ SIGNPOST_CONTACT: 'ops@example.org' }),
    startTestBrowser(),
  ]);
  // All of this works without scripts.
  ada = await browser.person(app.url, { withoutScripts: true });
  await signUp(ada.page, 'ada@example.org', 'Ada');
});
afterAll(async () => {
  expect(ada.troubles).toEqual([]);
  await browser.close();
  await app.close();
});

const press = (name: string) => ada.page.getByRole('main').getByRole('button', { name, exact: true }).click();
const follow = (name: string) => ada.page.getByRole('main').getByRole('link', { name, exact: true }).click();
const sees = (words: string | RegExp) => ada.page.getByRole('main').getByText(words).first().waitFor();
const statusOf = async (key: string) => (await app.get('/api/usage', key)).status;

/** Makes a project with a key as Ada, and opens the page of the key. Returns the key. */
async function makeKey(project: string): Promise<string> {
  const key = await createKey(ada.page, project);
  await ada.page.goto(`/keys?search=${encodeURIComponent(project)}`);
  await ada.page.getByRole('table').getByRole('rowheader').getByRole('link').click();
  return key;
}

test('the owner of a key gives it a name, a note and an expiry date', async () => {
  await makeKey('Named');
  await ada.page.getByLabel('Name (optional)').fill('Laptop');
  await ada.page.getByLabel('Note (optional)').fill('In the drawer');
  await ada.page.getByLabel('Ends at, in UTC (optional)').fill('2099-01-31T08:00');
  await press('Save');
  await ada.page.getByRole('heading', { name: 'Laptop' }).waitFor();
  await sees('31 Jan 2099, 08:00 UTC');
  expect(await ada.page.getByLabel('Note (optional)').inputValue()).toBe('In the drawer');
});

test('the owner of a key disables it for a while, and enables it again', async () => {
  const key = await makeKey('Paused');
  await press('Disable for a while');
  await sees('its requests are refused until you enable it');
  expect(await statusOf(key)).toBe(401);
  await press('Enable');
  expect(await statusOf(key)).toBe(200);
});

test('a replaced key works beside the new key if it is to keep working for 24 hours', async () => {
  const key = await makeKey('Replaced');
  await follow('Replace…');
  await ada.page.getByLabel('The old key keeps working').selectOption({ label: 'For 24 hours' });
  await press('Make the new key');
  const next = await ada.page.locator('#new-key').innerText();
  await sees(/It takes the place of /u);
  expect([await statusOf(key), await statusOf(next)]).toEqual([200, 200]);
  await follow('I have copied it');
  await sees(/It takes the place of /u);
});

test('a project is renamed, and deleted with its keys', async () => {
  const key = await makeKey('Weather map');
  await follow('Weather map');
  await ada.page.getByLabel('Name of the project').fill('Weather');
  await press('Rename');
  await sees('The project is renamed.');
  await follow('Delete the project…');
  await sees('This key is revoked');
  await press('Delete the project');
  await sees('The project is deleted and its keys are revoked');
  expect(await statusOf(key)).toBe(401);
});

test('only the operator can enable a key that the operator disabled, and its owner is told to ask', async () => {
  const key = await makeKey('Atlas');
  const operator = await browser.person(app.url, { withoutScripts: true });
  const main = operator.page.getByRole('main');
  await signInAsOperator(operator.page, app);
  await operator.page.goto('/operator/keys?search=Atlas');
  await main.getByRole('link', { name: key.slice(0, 16) }).click();
  await main.getByRole('button', { name: 'Disable for a while' }).click();
  await main.getByText('its requests are refused until an operator enables it').waitFor();
  expect(await statusOf(key)).toBe(401);

  await ada.page.reload();
  await sees('only the operator can enable it');
  await ada.page.getByRole('main').getByRole('link', { name: 'ops@example.org' }).waitFor();
  const buttons = ada.page.getByRole('main').getByRole('button');
  expect(await buttons.allInnerTexts()).toEqual(['Save']);

  await main.getByRole('button', { name: /^Enable/u }).click();
  await main.getByText('it works from its next request on').waitFor();
  expect(await statusOf(key)).toBe(200);
  expect(operator.troubles).toEqual([]);
  await operator.close();
});

test('an owner changes name and e-mail, and signs in with the new e-mail', async () => {
  const { page } = ada;
  await page.goto('/account');
  await page.getByLabel('Your name').fill('Ada L.');
  await press('Save the name');
  await page.getByRole('link', { name: 'Your account: Ada L.' }).waitFor();
  await page.getByLabel('New e-mail').fill('ada@example.net');
  await page.getByLabel('Your password').fill(PASSWORD);
  await press('Change the e-mail');
  await sees('sign in with the new one from now on');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await signIn(page, 'ada@example.net', PASSWORD);
  await page.waitForURL('**/overview');
});

test('an owner changes the password, and signs in with the new password', async () => {
  const { page } = ada;
  await page.goto('/account');
  await follow('Change your password');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(NEXT_PASSWORD);
  await press('Change the password');
  await sees('password is changed');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await signIn(page, 'ada@example.net', NEXT_PASSWORD);
  await page.waitForURL('**/overview');
});

test('an owner signs another browser out, and deletes the account with the password', async () => {
  const { page } = ada;
  const other = await browser.person(app.url);
  await signIn(other.page, 'ada@example.net', NEXT_PASSWORD);
  await other.page.waitForURL('**/overview');
  await page.goto('/account');
  const sessions = page.getByRole('table', { name: 'Sessions' });
  await sessions.getByRole('button', { name: 'Sign out there' }).click();
  await sees('That browser is signed out.');
  await other.page.goto('/overview');
  expect(new URL(other.page.url()).pathname).toBe('/signin');
  await other.close();

  await follow('Delete the account…');
  await page.getByLabel('Your password').fill(NEXT_PASSWORD);
  await press('Delete the account');
  await page.waitForURL(`${app.url}/`);
  await signIn(page, 'ada@example.net', NEXT_PASSWORD);
  await page.getByRole('alert').waitFor();
});
