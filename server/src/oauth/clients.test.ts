import { DAY_MS, HOUR_MS } from '../platform/time-units.js';
import {
  ADA,
  CLIENT,
  openTestOAuth,
  REDIRECT,
  type TestOAuth,
} from '../../../test/fixtures/oauth/test-oauth.js';
import { cleanConnections } from './oauth.js';
import { removeOldClients } from './registered-clients.js';

const DOCUMENT = 'https://assistant.example/client.json';

let bench: TestOAuth;
beforeAll(async () => (bench = await openTestOAuth()));
afterAll(() => bench.close());
beforeEach(() => {
  bench.documents.clear();
  bench.fetched.length = 0;
  bench.fetchLimits.length = 0;
  // Lets the cached documents and the rate limits of the previous test expire.
  bench.pass(HOUR_MS);
});

const rejection = (code: string, words: RegExp): unknown =>
  expect.objectContaining({ code, message: expect.stringMatching(words) });

const find = async (clientId: string, redirectUri = REDIRECT, accountId: string = ADA.accountId) =>
  (
    await bench.oauth.readRequest(
      { ...bench.query, client_id: clientId, redirect_uri: redirectUri },
      accountId,
    )
  ).client;

const serve = (document: object, more: object = {}, at = DOCUMENT) =>
  bench.documents.set(at, {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify({
      client_id: DOCUMENT,
      client_name: 'Helper',
      redirect_uris: [REDIRECT],
      ...document,
    }),
    ...more,
  });

test('fetches a client document with limits of 16 KiB and 5 s, and caches it for five minutes', async () => {
  serve({ logo_uri: 'https://assistant.example/logo.svg', token_endpoint_auth_method: 'none' });
  const client = { id: DOCUMENT, name: 'Helper', host: 'assistant.example', redirectUris: [REDIRECT] };
  expect(await find(DOCUMENT)).toEqual(client);
  serve({ client_name: 'Another' });
  expect(await find(DOCUMENT)).toEqual(client);
  expect([bench.fetched, bench.fetchLimits]).toEqual([[DOCUMENT], [{ maxBytes: 16_384, timeoutMs: 5_000 }]]);
  bench.pass(300_001);
  expect(await find(DOCUMENT)).toMatchObject({ name: 'Another' });
});

test.each([
  ['another client_id', { client_id: 'https://other.example/client.json' }, {}, /names another client_id/u],
  ['no client_id', { client_id: undefined }, {}, /names another client_id/u],
  ['a secret', { client_secret: 'x' }, {}, /or a secret/u],
  ['a key of its own', { token_endpoint_auth_method: 'private_key_jwt' }, {}, /private_key_jwt/u],
  ['no redirects', { redirect_uris: [] }, {}, /redirect_uris/u],
  ['scripts as redirects', { redirect_uris: ['javascript:alert(1)'] }, {}, /A redirect URI must/u],
  ['no codes', { grant_types: ['client_credentials'] }, {}, /authorization_code/u],
  ['a redirect as its answer', {}, { status: 302 }, /answered with 302/u],
  ['an answer of 404', {}, { status: 404 }, /answered with 404/u],
  ['another type', {}, { contentType: 'text/html' }, /not marked as application\/json/u],
  ['no JSON', {}, { text: '<html>' }, /is not JSON/u],
  ['a list', {}, { text: '[]' }, /names another client_id/u],
])('rejects a client document with %s, and does not cache it', async (_what, document, more, words) => {
  serve(document, more);
  await expect(find(DOCUMENT)).rejects.toMatchObject({ message: expect.stringMatching(words) });
  serve({});
  expect(await find(DOCUMENT)).toMatchObject({ name: 'Helper' });
});

test('accepts a client that lists "none" among its authentication methods', async () => {
  serve({
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  });
  expect(await find(DOCUMENT)).toMatchObject({ name: 'Helper' });
});

test('the message about a client document that cannot be fetched does not tell the reason', async () => {
  const words = /cannot be fetched\. It must be at a public https address/u;
  const messages = new Set<string>();
  for (const reason of [
    '10.0.0.1 is not allowed',
    'connect ECONNREFUSED',
    'took more than 5 s',
    'is too large',
  ]) {
    bench.documents.set(DOCUMENT, new Error(reason));
    const refused = find(DOCUMENT);
    await expect(refused).rejects.toEqual(rejection('invalid_client', words));
    await refused.catch((error: unknown) => messages.add(String(error)));
  }
  expect(messages.size).toBe(1);
});

test.each([
  'http://assistant.example/client.json',
  'https://assistant.example',
  'https://assistant.example/',
  'https://user@assistant.example/client.json',
  'https://assistant.example/client.json#part',
  'https://assistant.example/../client.json',
  'https://ASSISTANT.example/client.json',
  'https://assistant.example:443/client.json',
  'file:///etc/passwd',
])('fetches nothing for the client_id %s', async (clientId) => {
  await expect(find(clientId)).rejects.toEqual(rejection('invalid_client', /not known here/u));
  expect(bench.fetched).toEqual([]);
});

test('rejects the 21st document that an account has fetched within a minute, but not one for another account', async () => {
  const at = (index: number) => `https://assistant.example/${index}.json`;
  for (let index = 0; index < 20; index += 1) {
    serve({ client_id: at(index) }, {}, at(index));
    await find(at(index));
  }
  serve({});
  await expect(find(DOCUMENT)).rejects.toMatchObject({ kind: 'rateLimited' });
  expect(await find(DOCUMENT, REDIRECT, 'acc_bob')).toMatchObject({ id: DOCUMENT });
});

const register = (metadata: object, address = '192.0.2.1') => bench.oauth.register(metadata, address);

test('registers a program with only its valid redirects', async () => {
  const { id } = await register({
    client_name: 'Editor',
    redirect_uris: ['http://127.0.0.1/', 'http://evil.example/', 'weird:x'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  expect(await find(id, 'http://127.0.0.1:33418/')).toEqual({
    id,
    name: 'Editor',
    host: null,
    redirectUris: ['http://127.0.0.1/'],
  });
});

test.each([
  ['no redirects', {}, 'invalid_redirect_uri'],
  ['only invalid redirects', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ['too many redirects', { redirect_uris: Array<string>(21).fill(REDIRECT) }, 'invalid_redirect_uri'],
  ['a name that is not a text', { redirect_uris: [REDIRECT], client_name: 1 }, 'invalid_client_metadata'],
  [
    'other response types',
    { redirect_uris: [REDIRECT], response_types: ['token'] },
    'invalid_client_metadata',
  ],
])('rejects the registration of a program with wrong metadata: %s', async (_what, metadata, code) => {
  await expect(register(metadata)).rejects.toMatchObject({ code });
});

test("removes invisible characters from a program's name, and shortens it to 100 characters", async () => {
  const named = async (name: string | undefined) =>
    (await register({ client_name: name, redirect_uris: [REDIRECT] })).name;
  expect(await named(' Claude\u202e\u0000 \n evil ')).toBe('Claude evil');
  expect(await named('😀'.repeat(200))).toBe('😀'.repeat(100));
  expect(await named(undefined)).toBe('An assistant without a name');
});

test('an address can register 20 programs an hour, and at most a thousand unused programs are kept', async () => {
  for (let time = 0; time < 20; time += 1) await register({ redirect_uris: [REDIRECT] });
  await expect(register({ redirect_uris: [REDIRECT] })).rejects.toMatchObject({ kind: 'rateLimited' });
  await bench.connect();
  const flood = Array.from({ length: 1_000 }, (_, index) => ({
    id: `client_flood${index}`,
    name: 'x',
    redirect_uris: '[]',
    created_at: bench.deps.clock() - 1,
  }));
  for (const client of flood) await bench.db('oauth_clients').insert(client);
  const { id } = await register({ redirect_uris: [REDIRECT] }, '198.51.100.1');
  const unused = await bench.db('oauth_clients').whereNull('used_at').pluck('id');
  expect(unused).toHaveLength(1_000);
  expect(unused).toContain(id);
  expect(await find(bench.clientId)).toMatchObject({ id: bench.clientId });
});

test('removes a program that nobody connected within a day, but keeps connected ones', async () => {
  const { id } = await register({ redirect_uris: [REDIRECT] });
  await bench.connect();
  bench.pass(DAY_MS + 1);
  await removeOldClients(bench.db, bench.deps.clock());
  await expect(find(id)).rejects.toEqual(rejection('invalid_client', /Remove this server there/u));
  bench.pass(90 * DAY_MS);
  await removeOldClients(bench.db, bench.deps.clock());
  expect(await find(bench.clientId)).toMatchObject({ id: bench.clientId });
  await bench.db('oauth_connections').delete();
  await removeOldClients(bench.db, bench.deps.clock());
  await expect(find(bench.clientId)).rejects.toEqual(rejection('invalid_client', /not known here/u));
});

test.each([
  ['its owner ended', (one: TestOAuth, id: string) => one.oauth.end(ADA, ADA.accountId, id)],
  ['ended with its key', async (one: TestOAuth) => one.revokeKey((await one.liveKeys())[0] ?? 0)],
])(
  'for 90 days keeps a client whose last connection %s, then rejects it as an unknown client',
  async (_how, end) => {
    const one = await openTestOAuth();
    const clean = () => cleanConnections({ ...one.deps, actor: CLIENT });
    let tokens = await one.signUp();
    for (let month = 0; month < 4; month += 1) {
      one.pass(29 * DAY_MS);
      tokens = await one.refresh(tokens.refresh_token);
    }
    const [connection] = await one.oauth.list(ADA.accountId);
    await end(one, connection?.id ?? '');
    for (const passedMs of [0, 90 * DAY_MS]) {
      one.pass(passedMs);
      await clean();
      await expect(one.refresh(tokens.refresh_token)).rejects.toMatchObject({ code: 'invalid_grant' });
    }
    one.pass(1);
    await clean();
    const refused = rejection('invalid_client', /not known here/u);
    await expect(one.refresh(tokens.refresh_token)).rejects.toEqual(refused);
    await expect(one.oauth.readRequest(one.query, ADA.accountId)).rejects.toEqual(refused);
    await one.close();
  },
);
