import { z } from 'zod';
import { startEchoService, type EchoService } from './support/echo-service.js';
import { createRefreshToken, referralCredential, signpostCredential } from './support/keys.js';
import type { Credential } from './support/n8n.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { referral, workflow } from './support/workflow.js';

const testAnswer = z.object({ data: z.object({ status: z.string(), message: z.string() }) });
const createdAnswer = z.object({ data: z.object({ id: z.string() }) });

let scene: Scene;
let echo: EchoService;
let refreshToken: string;

beforeAll(async () => {
  echo = await startEchoService();
  scene = await startScene(async ({ dataDir, url }) => {
    refreshToken = await createRefreshToken(dataDir, 'referrer@example.com');
    return [
      referralCredential('referral', `${url}/`, { refreshToken }),
      referralCredential('echo', echo.url, { connectWith: 'accessToken', pastedAccessToken: 'a.b.c' }),
    ];
  });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await scene.close();
  await echo.close();
});

/** Stores a credential and lets n8n test it. Returns the status and the message that the editor shows under it. */
async function tested({ name, type, data }: Credential) {
  const created = await scene.n8n.rest('POST', '/credentials', { name: name || type, type, data });
  const { id } = createdAnswer.parse(created.body).data;
  const credentials = { id, name: name || type, type, data };
  const { body } = await scene.n8n.rest('POST', '/credentials/test', { credentials });
  return testAnswer.parse(body).data;
}

test("n8n's test of a Signpost credential passes with a valid key and fails with a wrong one", async () => {
  const { url, apiKey } = scene.signpost;
  expect(await tested(signpostCredential('', `${url}/`, apiKey))).toMatchObject({ status: 'OK' });
  expect(await tested(signpostCredential('', url, 'sp_live_wrong'))).toMatchObject({ status: 'Error' });
});

test("n8n's test of a referral credential passes with a valid token and fails with a wrong one", async () => {
  const { url } = scene.signpost;
  expect(await tested(referralCredential('', url, { refreshToken }))).toMatchObject({ status: 'OK' });
  expect(await tested(referralCredential('', url, { refreshToken: 'nonsense' }))).toMatchObject({
    status: 'Error',
  });
});

test("n8n's HTTP Request node sends the key to the host of the Base URL, not to another one", async () => {
  const request = (url: string) => ({
    name: 'Request',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: { url, authentication: 'predefinedCredentialType', nodeCredentialType: 'signpostApi' },
    credentials: { signpostApi: { id: 'signpost', name: 'signpost' } },
  });
  const allowed = await scene.n8n.run(workflow('usage', [{}], [request(`${scene.signpost.url}/api/usage`)]));
  expect(allowed.json('Request')).toMatchObject([{ totalRequests: expect.any(Number) }]);
  const elsewhere = echo.url.replace('127.0.0.1', 'localhost');
  const refused = await scene.n8n.run(workflow('elsewhere', [{}], [request(`${elsewhere}/usage`)]));
  expect(refused.error?.message).toContain('Only the following domains are allowed: 127.0.0.1');
});

const send = (parameters: object, credential: string) =>
  referral('Send', { resource: 'call', operation: 'send', ...parameters }, credential);

test('a call to the referral service sends its method, path, query and body with the token', async () => {
  const query = {
    parameters: [
      { name: 'page', value: '={{ $json.page }}' },
      { name: 'tag', value: 'a&b' },
      { name: 'tag', value: 'c' },
    ],
  };
  const node = send({ method: 'PATCH', path: 'library/services', query, body: '{"open": true}' }, 'echo');
  const done = await scene.n8n.run(workflow('send', [{ page: 1 }, { page: 2 }], [node]));
  expect(done.error).toBeUndefined();
  expect(done.json('Send')).toEqual(
    [1, 2].map((page) => ({
      method: 'PATCH',
      url: `/library/services?page=${page}&tag=a%26b&tag=c`,
      authorization: 'Bearer a.b.c',
      contentType: expect.stringContaining('application/json'),
      body: '{"open":true}',
    })),
  );
});

test('a node fetches one access token to send a call for each of 20 items, and rejects a Path that holds a whole address', async () => {
  const metrics = async () => (await fetch(`${scene.signpost.url}/metrics`)).text();
  const fetchedTokens = async () =>
    Number(/_count\{operation="refreshToken",status="200"\} (\d+)\n/u.exec(await metrics())?.[1] ?? 0);
  const before = await fetchedTokens();
  const items = Array.from({ length: 20 }, (_, id) => ({ id }));
  const node = send({ method: 'GET', path: '/api/token/status' }, 'referral');
  const done = await scene.n8n.run(workflow('many calls', items, [node]));
  expect(done.error).toBeUndefined();
  expect(done.json('Send')).toHaveLength(items.length);
  expect((await fetchedTokens()) - before).toBe(1);
  expect(await metrics()).toMatch(/duration_seconds_count\{operation="getTokenStatus",status="200"\} 2\d\n/u);

  for (const path of [`${echo.url}/elsewhere`, '//127.0.0.1/elsewhere']) {
    const refused = await scene.n8n.run(
      workflow('elsewhere', [{}], [send({ method: 'GET', path }, 'referral')]),
    );
    expect(refused).toMatchObject({ status: 'error', error: { message: 'Path holds a whole address' } });
  }
});
