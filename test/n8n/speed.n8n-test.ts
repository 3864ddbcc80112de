import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost, workflow, type NodeSketch } from './support/workflow.js';

const ITEMS = 200;
const ROUNDS = 7;
const MAX_TIMES_AS_LONG = 0.7;

let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
}, START_TIMEOUT_MS);
afterAll(() => scene.close());

const own = (name: string) =>
  signpost(name, { resource: 'postcode', operation: 'lookUp', postcode: 'SW1A 1AA', simplify: false });

const plain = (name: string): NodeSketch => ({
  name,
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: {
    method: 'POST',
    url: `${scene.signpost.url}/api/postcode/lookup`,
    authentication: 'predefinedCredentialType',
    nodeCredentialType: 'signpostApi',
    sendBody: true,
    specifyBody: 'json',
    jsonBody: '{"postcode":"SW1A 1AA"}',
  },
  credentials: { signpostApi: { id: 'signpost', name: 'signpost' } },
});

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

test("a lookup by the node takes at most 0.7 of the time that n8n's HTTP Request node takes", async () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  // The lookups take turns in one run, so that load on the machine affects both. The first round only warms up.
  const chain = rounds.flatMap((round) => {
    const pair = [own(`Signpost ${round}`), plain(`Request ${round}`)];
    return round % 2 === 0 ? pair : pair.reverse();
  });
  const items = Array.from({ length: ITEMS }, (_, id) => ({ id }));
  const done = await scene.n8n.run(workflow('speed', items, chain));
  expect(done.error).toBeUndefined();
  expect(done.items(`Signpost ${ROUNDS - 1}`)).toHaveLength(ITEMS);

  const perItemMs = (name: string) =>
    median(rounds.slice(1).map((round) => done.durationMs(`${name} ${round}`))) / ITEMS;
  const [ownMs, plainMs] = [perItemMs('Signpost'), perItemMs('Request')];
  console.info(
    `Time per lookup in n8n: ${ownMs.toFixed(2)} ms by the Signpost node, ${plainMs.toFixed(2)} ms by HTTP Request ` +
      `(${(ownMs / plainMs).toFixed(2)} times as long)`,
  );
  expect(ownMs).toBeLessThanOrEqual(plainMs * MAX_TIMES_AS_LONG);
});
