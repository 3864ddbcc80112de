import { z } from 'zod';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost, workflow, type NodeSketch } from './support/workflow.js';

const PALACE = 'SW1A 1AA';
const MISSING = 'ZZ1 1ZZ';
const SIMPLE_FIELDS = 10;
const postcodeList = z.object({ postcodes: z.array(z.string()) });

let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
}, START_TIMEOUT_MS);
afterAll(() => scene.close());

const postcode = (operation: string, parameters: object = {}, more: Partial<NodeSketch> = {}) =>
  signpost('Postcode', { resource: 'postcode', operation, ...parameters }, 'signpost', more);

async function run(node: NodeSketch, items: readonly Record<string, unknown>[] = [{}]) {
  const done = await scene.n8n.run(workflow('postcodes', items, [node]));
  expect(done.error).toBeUndefined();
  return done.items('Postcode');
}

/** Returns how many requests the key of these tests has made, except the request that reads this number. */
async function requestsSoFar(): Promise<number> {
  const usage = signpost('Usage', { resource: 'usage', operation: 'get' });
  const done = await scene.n8n.run(workflow('usage', [{}], [usage]));
  return Number(done.json('Usage')[0]?.totalRequests) - 1;
}

async function somePostcodes(): Promise<readonly string[]> {
  const lists = await Promise.all(
    ['SW', 'EH', 'EC', 'M1', 'CF', 'BT'].map((partial) =>
      scene.ask('/api/postcode/autocomplete', { partial, limit: 100 }),
    ),
  );
  return lists.flatMap((list) => postcodeList.parse(list).postcodes);
}

test('Look Up returns at most ten fields, or the whole record if Simplify is off', async () => {
  const items = [{ code: 'sw1a1aa' }];
  const [simple] = await run(postcode('lookUp', { postcode: '={{ $json.code }}' }), items);
  expect(simple?.json).toMatchObject({ postcode: PALACE, country: 'England', isActive: true });
  expect(Object.keys(simple?.json ?? {}).length).toBeLessThanOrEqual(SIMPLE_FIELDS);

  const [whole] = await run(postcode('lookUp', { postcode: PALACE, simplify: false }));
  const answer = await scene.ask('/api/postcode/lookup', { postcode: PALACE });
  expect({ result: whole?.json }).toEqual(answer);
});

test('Look Up of a postcode that does not exist stops the workflow, or continues with found: false', async () => {
  const stopped = await scene.n8n.run(workflow('missing', [{}], [postcode('lookUp', { postcode: MISSING })]));
  expect(stopped).toMatchObject({
    status: 'error',
    error: { message: expect.stringContaining(MISSING), httpCode: '404' },
  });
  const [item] = await run(postcode('lookUp', { postcode: MISSING, options: { ifNotFound: 'item' } }));
  expect(item?.json).toEqual({ postcode: MISSING, found: false, reason: 'unknown' });
});

test('if the node continues on errors, a failed item has its error and the index of its input', async () => {
  const codes = [PALACE, 'nonsense', 'EH99 1SP', MISSING];
  const node = postcode('lookUp', { postcode: '={{ $json.code }}' }, { onError: 'continueRegularOutput' });
  const items = await run(
    node,
    codes.map((code) => ({ code })),
  );
  expect(items.map(({ json }) => json.postcode)).toEqual([PALACE, undefined, 'EH99 1SP', undefined]);
  expect(items[1]?.json).toMatchObject({ details: { httpStatus: 400 } });
  expect(items[3]?.json).toMatchObject({ details: { httpStatus: 404 } });
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
  expect(items[3]?.json.error).toContain(MISSING);
});

test('an item that fails goes to the error output if the node has one', async () => {
  const node = postcode('lookUp', { postcode: '={{ $json.code }}' }, { onError: 'continueErrorOutput' });
  const done = await scene.n8n.run(workflow('error output', [{ code: MISSING }, { code: PALACE }], [node]));
  expect(done.items('Postcode', 0).map(({ json }) => json.postcode)).toEqual([PALACE]);
  expect(done.items('Postcode', 1).map(({ json }) => json.error)).toEqual([expect.stringContaining(MISSING)]);
});

test('Look Up Many looks up 230 items with three requests, and each item gets its own record', async () => {
  const known = await somePostcodes();
  const asked = Array.from({ length: 230 }, (_, index) =>
    index % 10 === 9 ? MISSING : known[index % known.length]?.toLowerCase(),
  );
  const before = await requestsSoFar();
  const items = await run(
    postcode('lookUpMany', { postcodeOfItem: '={{ $json.code }}', options: { resultField: 'place' } }),
    asked.map((code, id) => ({ id, code })),
  );
  expect((await requestsSoFar()) - before - 1).toBe(3);
  expect(items).toHaveLength(asked.length);
  items.forEach(({ json, pairedItem }, index) => {
    const isMissing = asked[index] === MISSING;
    expect(pairedItem).toEqual({ item: index });
    expect(json).toMatchObject({
      id: index,
      code: asked[index],
      place: isMissing
        ? { postcode: MISSING, found: false }
        : { postcode: asked[index]?.toUpperCase(), found: true },
    });
  });
});

test('Look Up Many accepts a list, and returns one item per postcode or all in one', async () => {
  const list = { source: 'list', postcodes: `${PALACE}, eh991sp\n${MISSING}` };
  const items = await run(postcode('lookUpMany', list));
  expect(items.map(({ json }) => [json.postcode, json.found])).toEqual([
    [PALACE, true],
    ['EH99 1SP', true],
    [MISSING, false],
  ]);
  const [whole, ...none] = await run(
    postcode('lookUpMany', { ...list, oneItemPerResult: false, simplify: false }),
  );
  const answer = await scene.ask('/api/postcode/bulk', {
    postcodes: [PALACE, 'EH99 1SP', MISSING],
  });
  expect(none).toEqual([]);
  expect(whole?.json).toEqual(answer);
});

test('Validate says whether a postcode exists', async () => {
  const items = await run(postcode('validate', { postcode: '={{ $json.code }}' }), [
    { code: 'sw1a 1aa' },
    { code: 'nonsense' },
  ]);
  expect(items.map(({ json }) => json)).toEqual([
    { postcode: PALACE, isValid: true, isActive: true },
    { postcode: 'nonsense', isValid: false, isActive: false },
  ]);
});

test('Find Nearest returns the same postcodes as the server, as items or as one list', async () => {
  const point = { latitude: 51.501, longitude: -0.1416, radiusMetres: 5_000, maxResults: 3 };
  const items = await run(postcode('findNearest', { ...point, simplify: false }));
  const answer = await scene.ask('/api/postcode/nearest', {
    latitude: 51.501,
    longitude: -0.1416,
    radiusMetres: 5_000,
    limit: 3,
  });
  expect(items).toHaveLength(3);
  expect({ results: items.map(({ json }) => json) }).toEqual(answer);

  const [list] = await run(postcode('findNearest', { ...point, oneItemPerResult: false }));
  expect(list?.json.results).toHaveLength(3);
});

test('Autocomplete returns the same postcodes as the server, one per item', async () => {
  const items = await run(postcode('autocomplete', { partial: 'sw1', maxResults: 4 }));
  const answer = await scene.ask('/api/postcode/autocomplete', { partial: 'sw1', limit: 4 });
  expect(items).toHaveLength(4);
  expect({ postcodes: items.map(({ json }) => json.postcode) }).toEqual(answer);
});

test('Usage returns the usage of the key, or an item for each day', async () => {
  const usage = (parameters: object) =>
    signpost('Postcode', { resource: 'usage', operation: 'get', ...parameters });
  const [statistics] = await run(usage({}));
  expect(statistics?.json).toMatchObject({
    requestsToday: expect.any(Number),
    dailyUsage: expect.any(Array),
  });
  expect(statistics?.json.totalRequests).toBeGreaterThan(10);

  const days = await run(usage({ oneItemPerDay: true }));
  expect(days).toHaveLength(30);
  expect(days.at(-1)?.json).toEqual({ date: expect.any(String), requestCount: expect.any(Number) });
});
