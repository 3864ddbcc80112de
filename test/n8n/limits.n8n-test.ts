import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { createKey, signpostCredential } from './support/keys.js';
import { freePort } from '../fixtures/free-port.js';
import { openN8n, type N8n } from './support/n8n.js';
import { START_TIMEOUT_MS } from './support/scene.js';
import { signpost, workflow } from './support/workflow.js';

const MINUTE_MS = 60_000;
const PER_MINUTE = 5;
const ITEMS = Array.from({ length: 2 * PER_MINUTE }, (_, id) => ({ id }));

let server: ConsoleApp;
let n8n: N8n;

beforeAll(async () => {
  server = await startConsoleApp();
  const keys = await Promise.all(
    ['ten', 'short', 'off', 'many'].map(async (id) =>
      signpostCredential(id, server.url, await createKey(server.dataDir, PER_MINUTE)),
    ),
  );
  const unreachable = signpostCredential('unreachable', `http://127.0.0.1:${await freePort()}`, 'none');
  n8n = await openN8n([...keys, unreachable]);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await n8n.close();
  await server.close();
});

/** Sets the server's clock to this time before the end of a minute. */
function setClock(beforeTheMinuteMs: number): void {
  const left = MINUTE_MS - (server.now() % MINUTE_MS);
  server.pass(left - beforeTheMinuteMs + (left < beforeTheMinuteMs ? MINUTE_MS : 0));
}

const lookUp = (credential: string, options: object = {}) =>
  signpost(
    'Look Up',
    { resource: 'postcode', operation: 'lookUp', postcode: 'SW1A 1AA', options },
    credential,
  );

test('ten lookups in one run all succeed with a key for five requests a minute', async () => {
  setClock(5_000);
  const done = await n8n.run(workflow('ten', ITEMS, [lookUp('ten')]));
  expect(done.error).toBeUndefined();
  expect(done.json('Look Up').map(({ postcode }) => postcode)).toEqual(ITEMS.map(() => 'SW1A 1AA'));
});

test('a wait longer than Maximum Wait is an error that says when to run the workflow again', async () => {
  setClock(40_000);
  const done = await n8n.run(workflow('short', ITEMS, [lookUp('short', { maximumWait: 10 })]));
  expect(done).toMatchObject({
    status: 'error',
    error: { httpCode: '429', message: expect.stringContaining('5 requests per minute') },
  });
  expect(done.error?.message).toMatch(/Run this again after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/u);
  expect(done.error?.description).toContain('Maximum Wait');
});

test('items beyond the limit fail if the node may not wait, and items within the limit have their record', async () => {
  setClock(40_000);
  const node = { ...lookUp('off', { maximumWait: 0 }), onError: 'continueRegularOutput' as const };
  const done = await n8n.run(workflow('off', ITEMS, [node]));
  const found = done.json('Look Up').filter(({ postcode }) => postcode === 'SW1A 1AA');
  const failed = done.json('Look Up').filter(({ error }) => error !== undefined);
  expect([found.length, failed.length]).toEqual([PER_MINUTE, PER_MINUTE]);
  expect(failed[0]).toMatchObject({ details: { httpStatus: 429 } });
});

test('Look Up Many looks up 20 items with a key for five requests a minute without waiting', async () => {
  setClock(40_000);
  const node = signpost(
    'Look Up Many',
    {
      resource: 'postcode',
      operation: 'lookUpMany',
      postcodeOfItem: 'SW1A 1AA',
      options: { maximumWait: 0 },
    },
    'many',
  );
  const done = await n8n.run(workflow('many', [...ITEMS, ...ITEMS], [node]));
  expect(done.error).toBeUndefined();
  expect(done.json('Look Up Many')).toHaveLength(2 * ITEMS.length);
});

test('the error for a server that cannot be reached says so, and why', async () => {
  const done = await n8n.run(workflow('unreachable', [{}], [lookUp('unreachable', { maximumWait: 1 })]));
  expect(done).toMatchObject({
    status: 'error',
    error: {
      message: 'The Signpost server cannot be reached: the connection was refused',
      description: expect.stringContaining('ECONNREFUSED'),
    },
  });
});
