import type { Page } from 'playwright';
import type { ConsoleApp } from './console-app.js';

export const OPERATORS_PASSWORD = 'a password of the operator';
export const PASSWORD = 'a long enough password';

/** Fills the form for signing in and sends it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/signin');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in as the first operator, whose made password is replaced the first time. */
export async function signInAsOperator(page: Page, { first }: ConsoleApp): Promise<void> {
  await signIn(page, first.email, OPERATORS_PASSWORD);
  if (!page.url().endsWith('/signin')) return;
  await signIn(page, first.email, first.password);
  await page.getByLabel('Current password').fill(first.password);
  await page.getByLabel('New password').fill(OPERATORS_PASSWORD);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.waitForURL('**/overview*');
}

/** Creates an account by its form and is signed in afterwards. */
export async function signUp(page: Page, email: string, name: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL('**/overview');
}

/** Adds a project and a key to it; answers the key. */
export async function createKey(page: Page, project: string): Promise<string> {
  await page.goto('/overview');
  await page.getByLabel('Name of the project').fill(project);
  await page.getByRole('button', { name: 'Add the project' }).click();
  await page.getByRole('button', { name: `Create a key for ${project}` }).click();
  return page.locator('#new-key').innerText();
}

/** Makes one of everything that pages are about; answers the paths of the pages that there are now. */
export async function useEverything(page: Page, app: ConsoleApp): Promise<Readonly<Record<string, string>>> {
  const key = await createKey(page, 'Weather map');
  await keepUsing(app, key);
  await page.goto('/operator/return-urls');
  await page.getByLabel('Name').fill('Example clinic');
  await page.getByLabel('Address', { exact: true }).fill('https://clinic.example/signed-in');
  await page.getByRole('button', { name: 'Register the address' }).click();
  await page.goto('/overview');
  const path = async (start: string) => {
    const link = page.locator(`main a[href^="${start}"]`).first();
    return (await link.getAttribute('href')) ?? start;
  };
  const keyPath = await path('/keys/');
  await page.goto('/operator/accounts');
  const accountPath = await path('/operator/accounts/acc_');
  return {
    key: keyPath.replace(/\/revoke$/u, ''),
    'revoke-key': `${keyPath.replace(/\/revoke$/u, '')}/revoke`,
    account: accountPath,
    apilogin: `/apilogin?returnUrl=${encodeURIComponent('https://clinic.example/signed-in?from=test')}`,
  };
}

async function keepUsing({ url }: ConsoleApp, apiKey: string): Promise<void> {
  for (const postcode of ['SW1A 1AA', 'EH99 1SP', 'CF99 1SN']) {
    await fetch(`${url}/api/postcode/lookup`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ postcode }),
    });
  }
}
