import { z } from 'zod';
import { keepScreenshot, startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { createRefreshToken, referralCredential } from './support/keys.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { referral, signpost, workflow, type NodeSketch } from './support/workflow.js';

const createdAnswer = z.object({ data: z.object({ id: z.string() }) });

let scene: Scene;
let pages: Pages;
let browser: TestBrowser;
let person: Person;

beforeAll(async () => {
  pages = await servePages();
  browser = await startTestBrowser();
  scene = await startScene(async ({ dataDir, url }) => {
    const refreshToken = await createRefreshToken(dataDir, 'editor@example.com');
    return [referralCredential('referral', url, { refreshToken })];
  });
  person = await browser.person(scene.n8n.url);
  await person.context.addCookies([{ name: 'n8n-auth', value: scene.n8n.session, url: scene.n8n.url }]);
  await openAll();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await person.close();
  await browser.close();
  await scene.close();
  await pages.close();
});

/**
 * Opens one workflow with a node for each operation, because loading the editor takes longer than opening and running
 * a node.
 */
async function openAll(): Promise<void> {
  const nodes = SEEN.map(([operation, sketch]) => [{ ...sketch(`${pages.url}/`), name: operation }]);
  const created = await scene.n8n.rest(
    'POST',
    '/workflows',
    workflow('all', [{ customer: 'Ada' }], ...nodes),
  );
  const { page } = person;
  // n8n sends the progress of a run only to an editor that is connected.
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framesent'));
  await page.goto(`/workflow/${createdAnswer.parse(created.body).data.id}`);
  await connected;
}
afterEach(async () => {
  await person.page.keyboard.press('Escape');
  await person.page.locator('[data-test-id="ndv"]').waitFor({ state: 'hidden' });
});

const SEEN: readonly (readonly [operation: string, sketch: (url: string) => NodeSketch, shown: string])[] = [
  ['Screenshot', (url) => node('capture', 'screenshot', { url }), 'Full Page'],
  ['PDF', (url) => node('capture', 'pdf', { url }), 'Page Size'],
  ['Look Up', () => node('postcode', 'lookUp', { postcode: 'SW1A 1AA' }), 'Output'],
  ['Look Up Many', () => node('postcode', 'lookUpMany', { postcodeOfItem: 'SW1A 1AA' }), 'Postcodes From'],
  ['Validate', () => node('postcode', 'validate', { postcode: 'SW1A 1AA' }), 'Postcode'],
  ['Find Nearest', () => node('postcode', 'findNearest', { postcode: 'SW1A 1AA' }), 'Radius'],
  ['Autocomplete', () => node('postcode', 'autocomplete', { partial: 'SW1A' }), 'Partial Postcode'],
  ['Get', () => node('usage', 'get', {}), 'Return One Item per Day'],
  ['Get Status', () => token('getStatus'), 'Options'],
  ['Refresh Now', () => token('refresh'), 'Options'],
  ['Send', () => call({ method: 'GET', path: '/api/token/status' }), 'Query Parameters'],
];

const node = (resource: string, operation: string, more: object) =>
  signpost('Node', { resource, operation, ...more }, 'signpost', { typeVersion: 1.2 });
const ofReferral = (parameters: object) =>
  referral('Node', { ...parameters }, 'referral', { typeVersion: 1.1 });
const token = (operation: string) => ofReferral({ resource: 'token', operation });
const call = (more: object) => ofReferral({ resource: 'call', operation: 'send', ...more });

test.each(SEEN)('the editor shows the operation "%s" and runs it', async (operation, _sketch, shown) => {
  const { page } = person;
  await page.locator(`[data-test-id="canvas-node"][data-node-name="${operation}"]`).dblclick();
  const panel = page.locator('[data-test-id="ndv"]');
  await panel.getByText(shown, { exact: false }).first().waitFor();
  expect(await panel.locator('[data-test-id="parameter-input-operation"] input').inputValue()).toBe(
    operation,
  );

  await panel.locator('[data-test-id="node-execute-button"]').click();
  await panel.locator('[data-test-id="node-run-status-success"]').waitFor();
  await panel.getByText('Execute step').waitFor();
  await keepScreenshot(page, `n8n-${operation.toLowerCase().replaceAll(' ', '-')}`);
  expect(person.troubles).toEqual([]);
});
