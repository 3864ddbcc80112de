import { createServer, type Server } from 'node:http';
import { createKey, signpostCredential } from './support/keys.js';
import { freePort } from '../fixtures/free-port.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost, workflow, type NodeSketch } from './support/workflow.js';

const CURRENT: Partial<NodeSketch> = { typeVersion: 1.2 };
const IN_AN_OUTAGE: Partial<NodeSketch> = { ...CURRENT, onError: 'continueErrorOutput' };
const OUTAGE_TIMEOUT_MS = 60_000;

describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let gateway: Server;
  beforeAll(async () => {
    const port = await freePort();
    gateway = createServer((_request, response) => response.writeHead(502).end('<html>Bad Gateway</html>'));
    await new Promise<void>((resolve) => gateway.listen(port, '127.0.0.1', resolve));
    scene = await startScene(
      async ({ dataDir, url }) => [
        signpostCredential('counted', url, await createKey(dataDir, 1_000)),
        signpostCredential('refused', `http://127.0.0.1:${await freePort()}`, 'none'),
        signpostCredential('gateway', `http://127.0.0.1:${port}`, 'none'),
      ],
      line,
    );
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    gateway.close();
  });

  const postcode = (operation: string, parameters: object, credential = 'signpost', more = CURRENT) =>
    signpost('Postcode', { resource: 'postcode', operation, ...parameters }, credential, more);
  const run = async (node: NodeSketch, items: readonly Record<string, unknown>[]) => {
    const done = await scene.n8n.run(workflow('beside', items, [node]));
    expect(done.error).toBeUndefined();
    return done;
  };

  test('300 addresses get a constituency or a reason with at most six requests', async () => {
    const items = Array.from({ length: 300 }, (_, row) => ({
      row,
      address:
        row % 3 === 2 ? 'No postcode' : `${row} The Mall, London ${row % 3 === 0 ? 'sw1a-1aa' : 'SW1A1AA'}.`,
    }));
    const usage = async () => {
      const done = await run(signpost('Usage', { resource: 'usage', operation: 'get' }, 'counted'), [{}]);
      return Number(done.json('Usage')[0]?.totalRequests);
    };
    const before = await usage();
    const parameters = {
      source: 'text',
      textOfItem: '={{ $json.address }}',
      recordOutput: 'fields',
      recordFields: ['constituency'],
      options: { fieldPrefix: 'home_' },
    };
    const done = await run(postcode('lookUpMany', parameters, 'counted'), items);
    expect((await usage()) - before - 1).toBeLessThanOrEqual(6);
    expect(done.json('Postcode')).toEqual(
      items.map((item) =>
        item.row % 3 === 2
          ? { ...item, home_found: false, home_reason: 'malformed' }
          : { ...item, home_found: true, home_constituency: expect.stringContaining('Westminster') },
      ),
    );
  });

  test('Measure Distance, Reverse Geocode and Find in Text keep the fields of their items', async () => {
    const items = [{ id: 7, at: '51.501', text: '' }];
    const to = ['SW1A 1AA, EH99 1SP', 'nowhere'];
    const distances = await run(postcode('measureDistance', { from: 'SW1A 1AA', to }), items);
    expect(distances.json('Postcode')).toMatchObject([
      { id: 7, destination: 'SW1A 1AA', metres: 0 },
      { id: 7, destination: 'EH99 1SP', found: true },
      { id: 7, destination: 'nowhere', found: false, reason: 'malformed' },
    ]);
    const point = { latitude: '={{ $json.at }}', longitude: -0.1416 };
    const points = await run(postcode('reverseGeocode', point), items);
    expect(points.json('Postcode')).toMatchObject([{ id: 7, postcode: 'SW1A 1AA', found: true }]);
    const texts = await run(postcode('findInText', { text: '={{ $json.text }}' }), items);
    expect(texts.json('Postcode')).toEqual([{ ...items[0], results: [] }]);
  });

  test('an option applies in a version of the node that offers it, and is ignored in another', async () => {
    const items = [{ id: 7 }];
    const options = { keepInput: false };
    const only = await run(postcode('lookUp', { postcode: 'SW1A 1AA', options }), items);
    expect(only.json('Postcode')[0]).not.toHaveProperty('id');
    const older = { typeVersion: 1.1 };
    const parameters = { postcode: 'SW1A 1AA', options: { fieldPrefix: 'home_' } };
    const result = await run(postcode('lookUp', parameters, 'signpost', older), items);
    expect(result.json('Postcode')[0]).toMatchObject({ postcode: 'SW1A 1AA' });
  });

  test(
    'if the server is down or a proxy sends 502, each of 300 items fails with its fields and the reason',
    async () => {
      const items = Array.from({ length: 300 }, (_, row) => ({ row }));
      const parameters = { postcode: 'SW1A 1AA', options: { maximumWait: 5 } };
      for (const [credential, error] of [
        ['refused', 'The Signpost server cannot be reached: the connection was refused'],
        ['gateway', 'The server answered 502 without saying why'],
      ] as const) {
        const done = await run(postcode('lookUp', parameters, credential, IN_AN_OUTAGE), items);
        expect(done.items('Postcode', 1).map(({ json }) => [json.row, json.error])).toEqual(
          items.map(({ row }) => [row, error]),
        );
      }
    },
    OUTAGE_TIMEOUT_MS,
  );
});
