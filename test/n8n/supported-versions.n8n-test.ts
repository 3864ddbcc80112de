import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { pngSize } from './support/files.js';
import { createRefreshToken, referralCredential, signpostCredential } from './support/keys.js';
import { SECRET, type Credential } from './support/n8n.js';
import { freePort } from '../fixtures/free-port.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { referral, signpost, workflow, type NodeSketch } from './support/workflow.js';

// Tests everything that depends on how n8n itself treats items, files and credentials, in the oldest and the newest
// version that the nodes support.
describe.each(['oldest', 'newest'] as const)('in the %s n8n', (line) => {
  let scene: Scene;
  let pages: Pages;
  let refreshToken: string;

  beforeAll(async () => {
    pages = await servePages();
    scene = await startScene(async ({ dataDir, url }) => {
      refreshToken = `Bearer ${await createRefreshToken(dataDir, 'versions@example.com')}`;
      return [referralCredential('referral', url, { refreshToken })];
    }, line);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await scene.close();
    await pages.close();
  });

  const current: Partial<NodeSketch> = { typeVersion: 1.1 };
  const lookUp = (more: Partial<NodeSketch>) =>
    signpost(
      'Look Up',
      { resource: 'postcode', operation: 'lookUp', postcode: '={{ $json.code }}' },
      'signpost',
      more,
    );
  const customers = [
    { customer: 'Ada', code: 'ZZ1 1ZZ' },
    { customer: 'Ben', code: 'SW1A 1AA' },
    { customer: 'Cy', code: 'nonsense' },
  ];

  test.each([1, 1.1])(
    'the error output of a node of version %p has the fields of the item, the message and the status',
    async (typeVersion) => {
      const node = lookUp({ typeVersion, onError: 'continueErrorOutput' });
      const done = await scene.n8n.run(workflow('error output', customers, [node]));
      expect(done.error).toBeUndefined();
      expect(done.items('Look Up', 0).map(({ json }) => json.postcode)).toEqual(['SW1A 1AA']);
      expect(done.items('Look Up', 1).map(({ json }) => json)).toEqual([
        {
          ...customers[0],
          error: expect.stringContaining('ZZ1 1ZZ'),
          details: expect.objectContaining({ httpStatus: 404 }),
        },
        {
          ...customers[2],
          error: expect.stringContaining('nonsense'),
          details: expect.objectContaining({ httpStatus: 400 }),
        },
      ]);
    },
  );

  test('if the workflow continues, a failed item has its fields, the message and the status', async () => {
    const node = lookUp({ ...current, onError: 'continueRegularOutput' });
    const done = await scene.n8n.run(workflow('regular output', customers.slice(0, 2), [node]));
    expect(done.json('Look Up')).toMatchObject([
      { customer: 'Ada', error: expect.stringContaining('ZZ1 1ZZ'), details: { httpStatus: 404 } },
      { postcode: 'SW1A 1AA' },
    ]);
  });

  const capture = (name: string, more: object) =>
    signpost(
      name,
      {
        resource: 'capture',
        operation: 'screenshot',
        url: `${pages.url}/`,
        options: { width: 64, height: 48 },
        ...more,
      },
      'signpost',
      current,
    );

  test('captures keep the fields and files of their items, and add files with different names', async () => {
    const chain = [
      capture('First', { binaryPropertyName: 'first' }),
      capture('Second', { binaryPropertyName: 'second', output: 'binary' }),
    ];
    const done = await scene.n8n.run(workflow('captures', customers.slice(0, 2), chain));
    expect(done.error).toBeUndefined();
    const items = done.items('Second');
    expect(items.map(({ json }) => [json.customer, json.fileName])).toEqual([
      ['Ada', '127.0.0.1.png'],
      ['Ben', '127.0.0.1-2.png'],
    ]);
    for (const { binary = {} } of items) {
      expect(Object.keys(binary).toSorted()).toEqual(['first', 'second']);
      for (const file of Object.values(binary))
        expect(pngSize(await scene.n8n.file(file))).toEqual({ width: 64, height: 48 });
    }
  });

  test('an expression that throws fails only its own item of Look Up Many', async () => {
    const node = signpost(
      'Many',
      {
        resource: 'postcode',
        operation: 'lookUpMany',
        postcodeOfItem: "={{ $json.customer === 'Di' ? $('Nowhere').item.json.code : $json.code }}",
        options: { resultField: 'place' },
      },
      'signpost',
      { ...current, onError: 'continueRegularOutput' },
    );
    const items = [...customers.slice(1), { customer: 'Di' }, { customer: 'Ed', code: '' }];
    const done = await scene.n8n.run(workflow('many', items, [node]));
    expect(done.error).toBeUndefined();
    expect(done.json('Many')).toMatchObject([
      { customer: 'Ben', place: { postcode: 'SW1A 1AA', found: true } },
      { customer: 'Cy', place: { postcode: 'nonsense', found: false, reason: 'malformed' } },
      { customer: 'Di', error: expect.any(String) },
      { customer: 'Ed', place: { postcode: '', found: false, reason: 'blank' } },
    ]);
  });

  test('a credential needs only a pasted refresh token: n8n fetches and stores an access token', async () => {
    const node = referral('Status', { resource: 'token', operation: 'getStatus' }, 'referral', current);
    const done = await scene.n8n.run(workflow('status', [{}], [node]));
    expect(done.error).toBeUndefined();
    expect(done.json('Status')).toMatchObject([{ identity: { email: 'versions@example.com' } }]);
    expect(await scene.n8n.stored('referral')).toMatchObject({
      accessToken: expect.stringMatching(SECRET),
      validTo: expect.stringMatching(/^\d{4}-/u),
    });
  });

  const testAnswer = z.object({ data: z.object({ status: z.string(), message: z.string() }) });
  const tested = async (credentials: Credential) => {
    const { body } = await scene.n8n.rest('POST', '/credentials/test', {
      credentials: { id: scene.n8n.credentialId(credentials.name), ...credentials },
    });
    return testAnswer.parse(body).data;
  };

  test('the test of a credential says what is wrong', async () => {
    const { url, apiKey } = scene.signpost;
    expect(await tested(signpostCredential('signpost', url, apiKey))).toMatchObject({ status: 'OK' });
    expect(await tested(signpostCredential('signpost', url, 'sp_live_unknown'))).toEqual({
      status: 'Error',
      message: expect.stringContaining('does not know this API key'),
    });
    expect(await tested(signpostCredential('signpost', pages.url, apiKey))).toEqual({
      status: 'Error',
      message: expect.stringContaining('is not a Signpost server'),
    });
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await tested(signpostCredential('signpost', nowhere, apiKey))).toEqual({
      status: 'Error',
      message: expect.stringContaining(`${nowhere} (ECONNREFUSED)`),
    });
    expect(await tested(referralCredential('referral', url, { refreshToken }))).toMatchObject({
      status: 'OK',
    });
    expect(await tested(referralCredential('referral', url, { refreshToken: 'nonsense' }))).toEqual({
      status: 'Error',
      message: expect.stringContaining('The refresh token is refused'),
    });
  });
});
