import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { createRefreshToken, referralCredential, signpostCredential } from './support/keys.js';
import { pdfPages, pngSize } from './support/files.js';
import type { Run } from './support/run.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';

const EXAMPLES = join(import.meta.dirname, '../../docs/n8n');
const EMAIL = 'examples@example.com';
const TRIGGER = 'When clicking ‘Execute workflow’';

const example = z.looseObject({ id: z.string() });
const pasted = z.object({
  nodes: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  connections: z.looseObject({}),
});

let scene: Scene;
let pages: Pages;

beforeAll(async () => {
  pages = await servePages();
  scene = await startScene(async ({ url, dataDir }, key) => {
    const refreshToken = await createRefreshToken(dataDir, EMAIL);
    // The credentials have the names that n8n proposes.
    return [
      signpostCredential('Signpost account', url, key),
      referralCredential('Signpost Referral account', url, { refreshToken }),
    ];
  });
  const files = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((file) => readFile(join(EXAMPLES, file), 'utf8')));
  // Only the address of the example site is replaced, so that tests stay on this machine.
  const workflows = texts.map((text) =>
    example.parse(JSON.parse(text.replaceAll('https://example.com', pages.url))),
  );
  await scene.n8n.importFile('workflow', workflows);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await scene.close();
  await pages.close();
});

async function run(id: string): Promise<Run> {
  const done = await scene.n8n.runStored(id, TRIGGER);
  expect(done.error).toBeUndefined();
  return done;
}

test('the example workflow of captures makes a picture and a PDF', async () => {
  const done = await run('signpostCapture');
  const picture = await scene.n8n.file(done.items('Screenshot')[0]?.binary?.picture);
  expect(pngSize(picture)).toEqual({ width: 1280, height: 800 });
  expect(pdfPages(await scene.n8n.file(done.items('PDF')[0]?.binary?.document))).toBe(1);
});

test('the example workflow of postcodes adds country and neighbours to each known postcode', async () => {
  const done = await run('signpostPostcode');
  expect(done.json('Look Up Many')).toMatchObject([
    { name: 'Ada', place: { found: true, country: 'England' } },
    { name: 'Ben', place: { found: true, country: 'Scotland' } },
    { name: 'Cy', place: { found: false } },
  ]);
  expect(done.json('Find Nearest')).toMatchObject([
    { name: 'Ada', nearest: { results: [{ postcode: 'SW1A 1AA' }, {}, {}] } },
    { name: 'Ben', nearest: { results: [{ postcode: 'EH99 1SP' }, {}, {}] } },
  ]);
});

test('the example workflow of usage lists the days on which the key was used', async () => {
  const done = await run('signpostUsage');
  expect(done.json('Usage')).toHaveLength(30);
  expect(done.json('Days with Requests').length).toBeGreaterThan(0);
});

test('the example workflow of tokens gets the status of the token and renews it', async () => {
  const done = await run('signpostToken');
  expect(done.json('Get Status')).toMatchObject([{ identity: { email: EMAIL } }]);
  expect(done.json('Refresh Now')).toMatchObject([{ identity: { email: EMAIL } }]);
});

test('the example workflow of a call reads the response of the referral service', async () => {
  const done = await run('signpostCall');
  expect(done.json('Whom')).toEqual([{ status: 200, email: EMAIL }]);
});

test("n8n's command line runs the example workflow of postcodes", async () => {
  const { code, output } = await scene.n8n.command('execute', '--id=signpostPostcode', '--rawOutput');
  expect(output).toContain('EH99 1SP');
  expect(code).toBe(0);
});

test('the two workflows in the README of the package run once a credential is chosen', async () => {
  const readme = await readFile(join(EXAMPLES, '../../nodes/README.md'), 'utf8');
  const runs: Run[] = [];
  for (const [, json = ''] of readme.matchAll(/```json\n([\s\S]*?)```/gu)) {
    const { nodes, connections } = pasted.parse(
      JSON.parse(json.replaceAll('https://example.com', pages.url)),
    );
    // The README says to choose the credential.
    const credentials = { signpostApi: { id: 'signpost', name: 'Signpost account' } };
    const chosen = nodes.map((node) =>
      node.type.startsWith('n8n-nodes-signpost.') ? { ...node, credentials } : node,
    );
    const settings = { executionOrder: 'v1' };
    runs.push(
      await scene.n8n.run({
        name: 'pasted',
        nodes: chosen,
        connections,
        settings,
        pinData: {},
        active: false,
      }),
    );
  }
  expect(runs.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
  const [picture, constituency] = runs;
  expect(pngSize(await scene.n8n.file(picture?.items('Picture')[0]?.binary?.data)).width).toBe(1920);
  expect(constituency?.json('Constituency')).toEqual([
    {
      name: 'Ada',
      address: 'The Mall, London SW1A 1AA',
      postcode: 'SW1A 1AA',
      constituency: 'Cities of London and Westminster',
      found: true,
    },
  ]);
});
