import {
  emailOf,
  PAST_ITS_END_MS,
  startReferralScene,
  type Name,
  type ReferralScene,
} from './support/referral-scene.js';
import { SECRET } from './support/n8n.js';
import { START_TIMEOUT_MS } from './support/scene.js';
import { referral, workflow } from './support/workflow.js';

const SECOND_MS = 1_000;

let scene: ReferralScene;

beforeAll(async () => {
  scene = await startReferralScene();
}, START_TIMEOUT_MS);
afterAll(() => scene.close());

const status = (credential: string, name = 'Status') =>
  referral(name, { resource: 'token', operation: 'getStatus' }, credential);
const success = (name: Name) => ({ result: 'success', identity: { email: emailOf(name) } });

/** Returns the expiry that n8n has stored for the credential's access token. */
const validTo = async (credential: Name) => {
  const { accessToken, validTo: end } = await scene.n8n.stored(credential);
  expect(accessToken).toMatch(SECRET);
  return String(end);
};

const refreshes = () => scene.answered('refreshToken', 200);

/** Runs a workflow that gets the status of the token, which must name the account of the credential. */
async function expectStatus(credential: Name): Promise<void> {
  const done = await scene.n8n.run(workflow('status', [{}], [status(credential)]));
  expect(done.error).toBeUndefined();
  expect(done.json('Status')).toMatchObject([success(credential)]);
}

test('a credential needs only a refresh token: the access token is fetched once, used and stored', async () => {
  const before = await refreshes();
  await expectStatus('fresh');
  await expectStatus('fresh');
  expect((await refreshes()) - before).toBe(1);
  expect(await validTo('fresh')).toMatch(/^\d{4}-/u);
});

test('a run whose access token has expired succeeds, and the credential stores the new token', async () => {
  const before = await validTo('expired');
  const refused = await scene.answered('getTokenStatus', 401);
  await expectStatus('expired');
  expect((await scene.answered('getTokenStatus', 401)) - refused).toBe(1);
  const after = await validTo('expired');
  expect(Date.parse(after)).toBeLessThan(Date.parse(before));
});

test('an access token that is about to expire is renewed before a request', async () => {
  const refused = await scene.answered('getTokenStatus', 401);
  const before = await validTo('ending');
  await expectStatus('ending');
  expect(await scene.answered('getTokenStatus', 401)).toBe(refused);
  expect(Date.parse(await validTo('ending'))).toBeGreaterThan(Date.parse(before));
});

test('three simultaneous runs with one expired token all succeed, and renew the token once', async () => {
  const before = await refreshes();
  const runs = await Promise.all(
    ['one', 'two', 'three'].map((title) => scene.n8n.run(workflow(title, [{}], [status('together')]))),
  );
  expect(runs.map((run) => run.error)).toEqual([undefined, undefined, undefined]);
  expect(runs.map((run) => run.json('Status')[0])).toMatchObject([0, 1, 2].map(() => success('together')));
  expect((await refreshes()) - before).toBe(1);
  await expectStatus('together');
});

test('Refresh Now replaces the stored token and returns its status', async () => {
  const before = await validTo('fresh');
  // Tokens that are issued in the same second have the same end.
  scene.server.pass(SECOND_MS);
  const node = referral('Refresh', { resource: 'token', operation: 'refresh' }, 'fresh');
  const done = await scene.n8n.run(workflow('refresh', [{}], [node]));
  expect(done.json('Refresh')).toMatchObject([success('fresh')]);
  expect(Date.parse(await validTo('fresh'))).toBeGreaterThan(Date.parse(before));
});

test('a rejected refresh token is an error that says where to get a valid one', async () => {
  const done = await scene.n8n.run(workflow('wrong', [{}], [status('wrong')]));
  expect(done).toMatchObject({
    status: 'error',
    error: { httpCode: '401', description: expect.stringContaining('/apikeys') },
  });
});

test("n8n's HTTP Request node cannot use a referral credential, and requests no token", async () => {
  const node = {
    name: 'Request',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      url: `${scene.server.url}/api/token/status`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'signpostReferralApi',
    },
    credentials: { signpostReferralApi: { id: 'fresh', name: 'fresh' } },
  };
  const before = await refreshes();
  const done = await scene.n8n.run(workflow('request', [{}], [node]));
  expect(done.error?.message).toContain('prevent use within an HTTP Request');
  expect(await refreshes()).toBe(before);
});

test('a pasted access token works until it expires, and then the error says what to do', async () => {
  await expectStatus('pasted');
  scene.server.pass(PAST_ITS_END_MS);
  const done = await scene.n8n.run(workflow('pasted', [{}], [status('pasted')]));
  expect(done).toMatchObject({
    status: 'error',
    error: { httpCode: '401', description: expect.stringContaining('/apikeys') },
  });
});
