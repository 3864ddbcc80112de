import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { DIRT, dirtyCases, type Dirt, type DirtyCase } from './support/dirty-cases.js';
import { createRefreshToken, referralCredential } from './support/keys.js';
import { packagePanels } from './support/node-types.js';
import type { Item } from './support/run.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { referral, signpost, workflow, type NodeSketch } from './support/workflow.js';

const ITEMS = 300;
/** Fewer than ITEMS, because most captures open a page in a browser for each item. */
const CAPTURED_ITEMS = 24;
const CASE_TIMEOUT_MS = 300_000;
const countOf = ({ resource }: DirtyCase) => (resource === 'capture' ? CAPTURED_ITEMS : ITEMS);
const FILE = {
  data: Buffer.from('of the item').toString('base64'),
  mimeType: 'text/plain',
  fileName: 'a.txt',
};
/** The expression for the value of an item. It throws for items whose dirt is "throws". */
const VALUE = "={{ $json.dirt === 'throws' ? $('Nowhere').item.json.value : $json.value }}";

const itemOf = z.object({ itemIndex: z.number() });

const dirtAt = (index: number): Dirt => DIRT[index % DIRT.length] ?? 'clean';

const valueOf = ({ values }: DirtyCase, dirt: Dirt) => (dirt === 'throws' ? '' : values[dirt]);

function run({ n8n }: Scene, dirty: DirtyCase, onError: NodeSketch['onError']) {
  const { node, resource, operation, parameters } = dirty;
  const sketch = (node === 'signpost' ? signpost : referral)(
    'Node',
    { resource, operation, ...parameters(VALUE) },
    node,
    { typeVersion: 1.1, ...(onError === undefined ? {} : { onError }) },
  );
  const items = Array.from({ length: countOf(dirty) }, (_, id) => {
    const dirt = dirtAt(id);
    return { id, dirt, value: valueOf(dirty, dirt) };
  });
  const stored = workflow('dirty', items, [sketch]);
  const Start = items.map((json) => ({ json, binary: { own: FILE } }));
  return n8n.run({ ...stored, pinData: { Start } });
}

/** Checks the output item for a value that must not fail. */
function expectFound({ found, place }: DirtyCase, dirt: Dirt, { json, binary }: Item, own: object): void {
  const isKnown = dirt === 'clean' || dirt === 'dirty';
  if (place === 'field') expect(json).toMatchObject({ ...own, result: isKnown ? found : expect.anything() });
  if (place === 'among') expect(json).toMatchObject({ ...own, ...found });
  if (place === 'alone' && isKnown) expect(json).toMatchObject(found);
  const files = { field: ['own'], among: ['data', 'own'], alone: [] }[place];
  expect(Object.keys(binary ?? {}).toSorted()).toEqual(files);
}

const CASES = dirtyCases('');

describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;

  beforeAll(async () => {
    pages = await servePages();
    scene = await startScene(async ({ dataDir, url }) => {
      const refreshToken = await createRefreshToken(dataDir, 'dirty@example.com');
      return [referralCredential('referral', url, { refreshToken })];
    }, line);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    await pages.close();
  });

  test('every operation of the nodes has a case of dirty items', async () => {
    const nameOf = (one: { readonly resource: string; readonly operation: string }) =>
      `${one.resource} ${one.operation}`;
    const operations = (await packagePanels(scene.n8n))
      .filter(({ operation }) => operation !== '')
      .map(nameOf);
    expect(new Set(operations)).toEqual(new Set(CASES.map(nameOf)));
  });

  describe.each(CASES.map((dirty, at) => [countOf(dirty), dirty.operation, at] as const))(
    '%d dirty items through the operation %s',
    (count, _name, at) => {
      const dirtyCase = () => {
        const found = dirtyCases(`${pages.url}/`)[at];
        if (found === undefined) throw new Error('There is no such case.');
        return found;
      };

      test(
        'if the workflow continues on errors, each item comes out in order, a failed one with its error',
        async () => {
          const dirty = dirtyCase();
          const done = await run(scene, dirty, 'continueRegularOutput');
          expect(done.error).toBeUndefined();
          const items = done.items('Node');
          expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
            Array.from({ length: count }, (_, item) => ({ item })),
          );
          items.forEach((item, id) => {
            const dirt = dirtAt(id);
            const own = { id, dirt, value: valueOf(dirty, dirt) };
            if (dirty.fails.includes(dirt)) {
              expect(item.json).toMatchObject({ ...own, error: expect.stringMatching(/\S/u) });
              expect(Object.keys(item.binary ?? {})).toEqual(['own']);
            } else expectFound(dirty, dirt, item, own);
          });
        },
        CASE_TIMEOUT_MS,
      );

      test(
        'a workflow that stops on errors stops at an item that fails, or outputs all if none fails',
        async () => {
          const dirty = dirtyCase();
          const done = await run(scene, dirty, 'stopWorkflow');
          if (dirty.fails.length === 0) expect(done.items('Node')).toHaveLength(count);
          else expect(dirty.fails).toContain(dirtAt(itemOf.parse(done.error?.context).itemIndex));
        },
        CASE_TIMEOUT_MS,
      );
    },
  );
});
