import { z } from 'zod';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { startEchoService, type EchoService } from './support/echo-service.js';
import { createKey, createRefreshToken, referralCredential, signpostCredential } from './support/keys.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { referral, signpost, workflow, type NodeSketch } from './support/workflow.js';

const storedAnswer = z.object({ data: z.object({ id: z.string() }) });
const NAMES = ['ada', 'ben', 'cy'];
const emailOf = (name: string) => `${name}@example.com`;
const current: Partial<NodeSketch> = { typeVersion: 1.1 };

// Tests how n8n handles a different credential for each item, and several runs at once.
describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;
  let echo: EchoService;
  /** A second server, which knows no key of the first. */
  let other: ConsoleApp;
  let items: { name: string; key: string; token: string; server: string }[];

  beforeAll(async () => {
    pages = await servePages();
    echo = await startEchoService();
    other = await startConsoleApp(UNLIMITED);
    scene = await startScene(async ({ dataDir, url }) => {
      const people = await Promise.all(
        NAMES.map(async (name) => ({
          name,
          key: name === 'ben' ? other.apiKey : await createKey(dataDir, 'unlimited'),
          token: await createRefreshToken(dataDir, emailOf(name)),
          server: name === 'ben' ? other.url : url,
        })),
      );
      items = people;
      const one = (name: string) => createRefreshToken(dataDir, `${name}-of-all@example.com`);
      return [
        signpostCredential('by item', '={{ $json.server }}', '={{ $json.key }}'),
        signpostCredential('wrong address', `${url}/api`, 'any'),
        signpostCredential('elsewhere', echo.url, 'any'),
        referralCredential('tokens by item', url, { refreshToken: '={{ $json.token }}' }),
        referralCredential('pasted by item', echo.url, {
          connectWith: 'accessToken',
          pastedAccessToken: '={{ $json.name }}',
        }),
        referralCredential('refreshed', url, { refreshToken: await one('refreshed') }),
        referralCredential('first', url, { refreshToken: await one('first') }),
      ];
    }, line);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    await pages.close();
    await echo.close();
    await other.close();
  });

  const usage = (name: string, credential: string) =>
    signpost(name, { resource: 'usage', operation: 'get' }, credential, current);
  const status = (name: string, operation: string, credential: string) =>
    referral(name, { resource: 'token', operation }, credential, current);

  test('the request of each item counts for its own key, at its own server', async () => {
    for (const round of [1, 2]) {
      const done = await scene.n8n.run(workflow('usage', items, [usage('Usage', 'by item')]));
      expect(done.error).toBeUndefined();
      expect(done.json('Usage').map(({ totalRequests }) => totalRequests)).toEqual([round, round, round]);
    }
  });

  test('Look Up Many finds the postcodes of items that have different keys and servers', async () => {
    const node = signpost(
      'Many',
      { resource: 'postcode', operation: 'lookUpMany', postcodeOfItem: 'SW1A 1AA' },
      'by item',
      current,
    );
    const done = await scene.n8n.run(workflow('many', items, [node]));
    expect(done.error?.message).toBeUndefined();
    expect(done.json('Many').map(({ found }) => found)).toEqual([true, true, true]);
  });

  test('each item authenticates as the account of its own token, and the expression stays in the credential', async () => {
    for (let round = 0; round < 2; round += 1) {
      const done = await scene.n8n.run(
        workflow('status', items, [status('Status', 'getStatus', 'tokens by item')]),
      );
      expect(done.error).toBeUndefined();
      expect(done.json('Status')).toMatchObject(
        NAMES.map((name) => ({ identity: { email: emailOf(name) } })),
      );
    }
    const refreshed = await scene.n8n.run(
      workflow('refresh', items, [status('Now', 'refresh', 'tokens by item')]),
    );
    expect(refreshed.json('Now')).toMatchObject(
      NAMES.map((name) => ({ identity: { email: emailOf(name) } })),
    );
    expect(await scene.n8n.stored('tokens by item')).toMatchObject({ refreshToken: '={{ $json.token }}' });

    const node = referral(
      'Send',
      { resource: 'call', operation: 'send', path: '/x' },
      'pasted by item',
      current,
    );
    const sent = await scene.n8n.run(workflow('pasted', items, [node]));
    expect(sent.json('Send')).toMatchObject(NAMES.map((name) => ({ authorization: `Bearer ${name}` })));
    expect(await scene.n8n.stored('pasted by item')).toMatchObject({
      pastedAccessToken: '={{ $json.name }}',
    });
  });

  test('an item whose expression in the credential fails does not affect other items', async () => {
    const broken = [items[0], { name: 'Di' }, items[2]].map((item) => ({ ...item }));
    const node = { ...usage('Usage', 'by item'), onError: 'continueRegularOutput' as const };
    const done = await scene.n8n.run(workflow('broken', broken, [node]));
    expect(done.json('Usage')).toMatchObject([
      { totalRequests: expect.any(Number) },
      { error: expect.stringContaining('Base URL') },
      { totalRequests: expect.any(Number) },
    ]);
  });

  test.each(['wrong address', 'elsewhere'])(
    'the credential "%s" leads to an error about the Base URL, not to unknown postcodes',
    async (credential) => {
      for (const parameters of [
        { operation: 'lookUp', postcode: 'SW1A 1AA', options: { ifNotFound: 'item' } },
        { operation: 'lookUpMany', source: 'list', postcodes: 'SW1A 1AA' },
      ]) {
        const node = signpost('Look Up', { resource: 'postcode', ...parameters }, credential, current);
        const done = await scene.n8n.run(workflow('wrong', [{}], [node]));
        expect(done).toMatchObject({
          status: 'error',
          error: {
            message: 'The Base URL in the credential is wrong',
            description: expect.stringContaining('Set Base URL in the credential to'),
          },
        });
      }
    },
  );

  test('if Look Up continues on unknown postcodes, an unknown one comes out with found: false', async () => {
    const parameters = { resource: 'postcode', operation: 'lookUp', postcode: 'ZZ1 1ZZ' };
    const options = { ifNotFound: 'item' };
    const node = signpost('Look Up', { ...parameters, options }, 'signpost', current);
    const done = await scene.n8n.run(workflow('unknown', [{}], [node]));
    expect(done.json('Look Up')).toEqual([{ postcode: 'ZZ1 1ZZ', found: false, reason: 'unknown' }]);
  });

  const refreshes = async () => {
    const metrics = await (await fetch(`${scene.signpost.url}/metrics`)).text();
    const count = /duration_seconds_count\{operation="refreshToken",status="200"\} (\d+)/u.exec(metrics)?.[1];
    return Number(count ?? 0);
  };

  /** Stores `count` workflows of the node one by one, as the oldest n8n fails at several at once; runs them at once. */
  async function atOnce(count: number, node: NodeSketch) {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const { body } = await scene.n8n.rest(
        'POST',
        '/workflows',
        workflow(`${node.name} ${at}`, [{}], [node]),
      );
      ids.push(storedAnswer.parse(body).data.id);
    }
    return await Promise.all(ids.map((id) => scene.n8n.runStored(id)));
  }

  test.each([3, 10])('%d simultaneous runs of Refresh Now all succeed', async (count) => {
    const before = await refreshes();
    const done = await atOnce(count, status('Now', 'refresh', 'refreshed'));
    expect(done.map(({ error }) => error?.message)).toEqual(Array(count).fill(undefined));
    for (const { json } of done) expect(json('Now')).toMatchObject([{ result: 'success' }]);
    // The first may also fetch the token that the credential did not have yet.
    expect((await refreshes()) - before).toBeLessThanOrEqual(count + 1);
  });

  test('ten simultaneous executions with a credential without an access token fetch one token', async () => {
    const before = await refreshes();
    const done = await atOnce(10, status('Status', 'getStatus', 'first'));
    expect(done.map(({ error }) => error?.message)).toEqual(Array(10).fill(undefined));
    expect((await refreshes()) - before).toBe(1);
  });

  test('the files of all rounds of a loop have different names', async () => {
    const loop: NodeSketch = {
      name: 'Loop',
      type: 'n8n-nodes-base.splitInBatches',
      typeVersion: 3,
      parameters: { options: {} },
    };
    const capture = signpost(
      'Capture',
      {
        resource: 'capture',
        operation: 'screenshot',
        url: `={{ '${pages.url}/' + $json.path }}`,
        options: { width: 64, height: 48 },
      },
      'signpost',
      current,
    );
    const rounds = ['', '', '?day=2', ''].map((path) => ({ path }));
    const end: NodeSketch = { name: 'End', type: 'n8n-nodes-base.noOp', parameters: {} };
    const flow = workflow('loop', rounds, [loop, capture, end]);
    const to = (node: string) => [{ node, type: 'main', index: 0 }];
    const done = await scene.n8n.run({
      ...flow,
      connections: {
        ...flow.connections,
        Loop: { main: [to('End'), to('Capture')] },
        Capture: { main: [to('Loop')] },
      },
    });
    expect(done.error).toBeUndefined();
    const names = done.items('End').map(({ json, binary }) => [json.fileName, binary?.data?.fileName]);
    expect(names).toEqual(
      ['127.0.0.1.png', '127.0.0.1-2.png', '127.0.0.1-day-2.png', '127.0.0.1-3.png'].map((name) => [
        name,
        name,
      ]),
    );
  });
});
