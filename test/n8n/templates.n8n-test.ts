import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import type { SignpostServer } from '../fixtures/signpost-server.js';
import { pdfPages, pngSize } from './support/files.js';
import { signpostCredential } from './support/keys.js';
import { startLanguageModel, type LanguageModel } from './support/language-model.js';
import { startMailCatcher, type MailCatcher } from './support/mail-catcher.js';
import type { Credential } from './support/n8n.js';
import { publishing } from './support/publish.js';
import type { Run } from './support/run.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';

const TEMPLATES = join(import.meta.dirname, '../../docs/n8n');
const PICTURES =
  process.env.SIGNPOST_N8N_PICTURES ?? join(import.meta.dirname, '../../.cache/screenshots/n8n-templates');
const MANUAL = 'When clicking ‘Execute workflow’';
const FILES = [
  'invoices',
  'dashboards',
  'constituencies',
  'monitor',
  'reading-agent',
  'nearest-shop',
] as const;
/** Long, because n8n takes some seconds each time to publish or withdraw a workflow. */
const PUBLISHED_TIMEOUT_MS = 300_000;

/** Styles that show only the canvas. The editor's floating controls would cover the nodes. */
const CANVAS_ALONE = `
  body * { visibility: hidden !important }
  .vue-flow, .vue-flow__transformationpane, .vue-flow__transformationpane * { visibility: visible !important }
  .vue-flow button, .vue-flow button * { visibility: hidden !important }
`;

/** Styles that hide the messages of the editor. The nodes themselves show how a run went. */
const NO_MESSAGES = '.el-notification { visibility: hidden !important }';

const template = z.looseObject({ id: z.string() });
const withoutId = z.object({
  name: z.string(),
  nodes: z.unknown(),
  connections: z.unknown(),
  settings: z.unknown(),
});
const created = z.object({ data: z.object({ id: z.string() }) });

let scene: Scene;
let pages: Pages;
let mail: MailCatcher;
let model: LanguageModel;
let browser: TestBrowser;
let person: Person;
let price = '1.00';
let looks = 0;
const ids = new Map<string, string>();

/** Returns the credentials, under the names that n8n proposes. */
const credentials = ({ url }: SignpostServer, key: string): Credential[] => [
  signpostCredential('Signpost account', url, key),
  {
    name: 'SMTP account',
    type: 'smtp',
    data: {
      user: '',
      password: '',
      host: '127.0.0.1',
      port: mail.port,
      secure: false,
      disableStartTls: true,
    },
  },
  {
    name: 'OpenAi account',
    type: 'openAiApi',
    data: { apiKey: 'none', url: model.url },
  },
];

/** Reads a template. Replaces only the address of its site, so that tests stay on this machine. */
async function imported(file: string): Promise<z.infer<typeof template>> {
  const text = await readFile(join(TEMPLATES, `${file}.json`), 'utf8');
  const workflow = template.parse(JSON.parse(text.replaceAll('https://example.com', pages.url)));
  ids.set(file, workflow.id);
  return workflow;
}

beforeAll(async () => {
  pages = await servePages({
    '/prices': (_request, response) => {
      looks += 1;
      response.setHeader('Content-Type', 'text/html');
      response.end(`<title>Prices</title><p>Seen at ${Date.now()}</p><p id="price">${price}</p>`);
    },
    '/dashboards/stock': (_request, response) => response.writeHead(503).end('Away'),
  });
  mail = await startMailCatcher();
  model = await startLanguageModel({ URL: `${pages.url}/` });
  scene = await startScene(credentials);
  await scene.n8n.importFile('workflow', await Promise.all(FILES.map(imported)));
  browser = await startTestBrowser();
  person = await browser.person(scene.n8n.url);
  await person.context.addCookies([{ name: 'n8n-auth', value: scene.n8n.session, url: scene.n8n.url }]);
  await person.page.setViewportSize({ width: 1_400, height: 620 });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await person.close();
  await browser.close();
  await scene.close();
  await model.close();
  await mail.close();
  await pages.close();
});

const idOf = (file: string) => ids.get(file) ?? '';

async function run(file: string, trigger = MANUAL): Promise<Run> {
  const done = await scene.n8n.runStored(idOf(file), trigger);
  expect(done.error).toBeUndefined();
  expect(done.status).toBe('success');
  return done;
}

test('the template of invoices mails a PDF of each invoice to its customer', async () => {
  const before = mail.letters.length;
  const done = await run('invoices');
  const letters = mail.letters.slice(before);
  expect(letters.map(({ to }) => to)).toEqual([['ada@example.com'], ['ben@example.com']]);
  expect(letters.map(({ attachments }) => attachments.map(({ fileName }) => fileName))).toEqual([
    ['invoice-2026-041.pdf'],
    ['invoice-2026-042.pdf'],
  ]);
  for (const { attachments } of letters) expect(attachments.map(({ bytes }) => pdfPages(bytes))).toEqual([1]);
  expect(done.json('PDF').map(({ pageTitle }) => pageTitle)).toEqual([
    'Invoice 2026-041',
    'Invoice 2026-042',
  ]);
});

test('the template of dashboards mails nine pictures, and the error of a failed dashboard', async () => {
  const before = mail.letters.length;
  await run('dashboards', 'Every Monday');
  const [letter, ...others] = mail.letters.slice(before);
  expect(others).toEqual([]);
  expect(letter?.to).toEqual(['team@example.com']);
  const attachments = letter?.attachments ?? [];
  expect(attachments.map(({ fileName }) => fileName)).toEqual(
    ['Sales', 'Orders', 'Returns', 'Visitors', 'Support', 'Uptime', 'Errors', 'Costs', 'Staff'].map(
      (name) => `${name}.png`,
    ),
  );
  for (const { bytes } of attachments) expect(pngSize(bytes)).toEqual({ width: 1280, height: 800 });
  expect(letter?.source).toMatch(/Stock: [^\r]*503/u);
});

test('the template of addresses adds the constituency and ward, or the reason why there is none', async () => {
  const done = await run('constituencies');
  expect(done.json('Areas')).toMatchObject([
    { name: 'Ada', postcode: 'SW1A 1AA', constituency: expect.stringContaining('Westminster'), reason: '' },
    { name: 'Ben', postcode: 'EH99 1SP', ward: expect.stringMatching(/./u), reason: '' },
    { name: 'Cy', constituency: '', ward: '', reason: 'malformed' },
  ]);
});

test(
  'the template of a watched page mails the earlier and the new text when the page changes',
  async () => {
    const published = await publishing(scene.n8n, idOf('monitor'), () => looks);
    await published.set(true);
    await published.set(false);
    price = '1.20';
    const before = mail.letters.length;
    await published.set(true);
    const done = await published.executed();
    await published.set(false);
    expect(done.error).toBeUndefined();
    const [letter] = mail.letters.slice(before);
    expect(letter?.source).toContain('Subject: Changed: Prices');
    expect(letter?.source).toMatch(/Before: 1\.00\s+Now: 1\.20/u);
  },
  PUBLISHED_TIMEOUT_MS,
);

test('the template of an agent reads the page that the model requests, and answers from it', async () => {
  const done = await run('reading-agent');
  expect(String(done.json('Agent')[0]?.output)).toContain('Hello');
  const [offered] = model.requests.at(-1)?.tools ?? [];
  expect(offered?.function).toMatchObject({ parameters: { required: ['URL'] } });
});

test('the template of shops routes customers by their distance to the nearest shop', async () => {
  const done = await run('nearest-shop');
  expect(done.json('Invite to the Shop')).toMatchObject([{ name: 'Ada', destination: 'London' }]);
  expect(done.json('Deliver')).toMatchObject([{ name: 'Di', destination: 'Cardiff' }]);
  expect(done.json('Send by Post')).toMatchObject([{ name: 'Ben', destination: 'Cardiff' }]);
  expect(done.json('Ask for the Postcode')).toMatchObject([
    { name: 'Cy', details: { httpStatus: 404 }, error: expect.stringContaining('ZZ1 1ZZ') },
  ]);
});

/** Opens a shipped template in the editor as a new workflow, without replacing the address of its site. */
async function openInEditor(file: string): Promise<void> {
  const asShipped: unknown = JSON.parse(await readFile(join(TEMPLATES, `${file}.json`), 'utf8'));
  const { body } = await scene.n8n.rest('POST', '/workflows', withoutId.parse(asShipped));
  await person.page.goto(`/workflow/${created.parse(body).data.id}`);
  await person.page.locator('[data-test-id="canvas-node"]').first().waitFor();
}

test.each(FILES)('the editor shows the template "%s", and no issue at any of its nodes', async (file) => {
  const { page } = person;
  await openInEditor(file);
  await page.locator('[data-test-id="zoom-to-fit"]').click();
  expect(await page.locator('[data-test-id="node-issues"]').count()).toBe(0);
  await mkdir(PICTURES, { recursive: true });
  await page.mouse.move(0, 0);
  const path = join(PICTURES, `${file}.png`);
  await page.locator('.vue-flow').screenshot({ path, animations: 'disabled', style: CANVAS_ALONE });
  expect(person.troubles).toEqual([]);
});

test('the editor runs the example of postcodes, and shows what Look Up Many found', async () => {
  const { page } = person;
  await mkdir(PICTURES, { recursive: true });
  await page.setViewportSize({ width: 1_280, height: 640 });
  // n8n sends the progress of a run only to an editor that is connected.
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framesent'));
  await openInEditor('postcode');
  await connected;
  await page.locator('[data-test-id="zoom-to-fit"]').click();
  await page.locator('[data-test-id="execute-workflow-button"]').first().click();
  const nodeNamed = (name: string) => page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
  await nodeNamed('Find Nearest').locator('[data-test-id="canvas-node-status-success"]').waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(PICTURES, 'workflow.png'), animations: 'disabled', style: NO_MESSAGES });

  await page.setViewportSize({ width: 1_440, height: 800 });
  await nodeNamed('Look Up Many').dblclick();
  const panel = page.locator('[data-test-id="ndv"]');
  await panel.locator('[data-test-id="node-run-status-success"]').waitFor();
  await panel.getByText('Output', { exact: true }).first().waitFor();
  expect(await panel.getByText('Cities of London and Westminster').count()).toBeGreaterThan(0);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(PICTURES, 'node.png'), animations: 'disabled', style: NO_MESSAGES });
  expect(person.troubles).toEqual([]);
});
