import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { operations } from '../../../contract/src/index';
import { asRequestHelper } from '../fixtures/trusted-cast';
import { SignpostReferralApi } from '../../../credentials/SignpostReferralApi.credentials';

const credential = new SignpostReferralApi();
const NOW_MS = Date.UTC(2026, 2, 1, 12);
const LIFETIME_MS = 180 * 60_000;
const at = (timeMs: number) => new Date(timeMs).toISOString();

/** A service whose clock may be wrong. Each call issues another token. */
function service({ clockAheadMs = 0, lifetimeMs = LIFETIME_MS } = {}) {
  const calls: unknown[] = [];
  const helper = asRequestHelper({
    helpers: {
      httpRequest: async (request: unknown) => {
        calls.push(request);
        await Promise.resolve();
        const serverMs = Date.now() + clockAheadMs;
        const body = { access_token: `token-${calls.length}`, valid_to: at(serverMs + lifetimeMs) };
        return { body, headers: { date: new Date(serverMs).toUTCString() } };
      },
    },
  });
  return {
    calls,
    renew: (data: ICredentialDataDecryptedObject) => credential.preAuthentication.call(helper, data),
  };
}

let owners = 0;
const fresh = (): ICredentialDataDecryptedObject => {
  owners += 1;
  return {
    baseUrl: 'http://b.test/',
    connectWith: 'refreshToken',
    refreshToken: `secret-${owners}`,
    accessToken: '',
  };
};
const send = (data: ICredentialDataDecryptedObject, headers = {}) =>
  credential.authenticate(data, { url: 'http://b.test/api', headers });
const wantsRenewal = async (data: ICredentialDataDecryptedObject, headers = {}) =>
  await send(data, headers).then(
    () => false,
    (error: unknown) => JSON.stringify(error).includes('401'),
  );

beforeEach(() => {
  jest.useFakeTimers({ now: NOW_MS });
});
afterEach(() => {
  jest.useRealTimers();
});

test('the secrets of the credential are masked, and the fields that n8n stores are hidden', () => {
  const named = Object.fromEntries(credential.properties.map((property) => [property.name, property]));
  for (const secret of ['refreshToken', 'pastedAccessToken', 'accessToken', 'tokenOwner'])
    expect([secret, named[secret]?.typeOptions?.password]).toEqual([secret, true]);
  for (const kept of ['accessToken', 'validTo', 'tokenOwner']) expect(named[kept]?.type).toBe('hidden');
  expect(named.accessToken?.typeOptions?.expirable).toBe(true);
});

test("n8n's HTTP Request node may send the credential to no domain", () => {
  const domains = credential.properties.find(({ name }) => name === 'allowedHttpRequestDomains');
  expect(domains).toMatchObject({ type: 'hidden', default: 'none' });
});

test('a token is used until a minute before it expires, and then renewed', async () => {
  const { calls, renew } = service();
  const data = fresh();
  Object.assign(data, await renew(data));
  expect(calls).toMatchObject([
    { url: `http://b.test${operations.refreshToken.path}`, body: { refreshToken: data.refreshToken } },
  ]);
  expect((await send(data)).headers).toEqual({ Authorization: 'Bearer token-1' });
  jest.setSystemTime(NOW_MS + LIFETIME_MS - 61_000);
  expect(await wantsRenewal(data)).toBe(false);
  jest.setSystemTime(NOW_MS + LIFETIME_MS - 59_000);
  expect(await wantsRenewal(data)).toBe(true);
  Object.assign(data, await renew(data));
  expect((await send(data)).headers).toEqual({ Authorization: 'Bearer token-2' });
});

test('simultaneous renewals of a token, and a later renewal of the same token, share one request', async () => {
  const { calls, renew } = service();
  const expired = { ...fresh(), accessToken: 'old', validTo: at(NOW_MS - 1) };
  const together = await Promise.all([1, 2, 3].map(() => renew({ ...expired })));
  const later = await renew({ ...expired });
  expect([...together, later].map(({ accessToken }) => accessToken)).toEqual(Array(4).fill('token-1'));
  expect(calls).toHaveLength(1);
});

test.each([-86_400_000, 86_400_000])(
  'if the clock of the service is %d ms ahead, a token is still used after half its life, and renewed at its end',
  async (clockAheadMs) => {
    const { renew } = service({ clockAheadMs });
    const data = fresh();
    Object.assign(data, await renew(data));
    expect(await wantsRenewal(data)).toBe(false);
    jest.setSystemTime(NOW_MS + LIFETIME_MS / 2);
    expect(await wantsRenewal(data)).toBe(false);
    jest.setSystemTime(NOW_MS + LIFETIME_MS);
    expect(await wantsRenewal(data)).toBe(true);
  },
);

test('a new token that lives for only five seconds is still used', async () => {
  const { renew } = service({ lifetimeMs: 5_000 });
  const data = fresh();
  Object.assign(data, await renew(data));
  expect(await wantsRenewal(data)).toBe(false);
});

test('a token that was just issued is not renewed again', async () => {
  const { calls, renew } = service();
  const data = fresh();
  Object.assign(data, await renew(data));
  expect(await renew(data)).toEqual({});
  expect(calls).toHaveLength(1);
});

test('a stored token is not used for another account or service', async () => {
  const { renew } = service();
  const data = fresh();
  Object.assign(data, await renew(data));
  expect(await wantsRenewal({ ...data, refreshToken: 'of-another' })).toBe(true);
  expect(await wantsRenewal({ ...data, baseUrl: 'http://other.test' })).toBe(true);
});

test('a request can demand one renewal, and does not send the header that demands it', async () => {
  const { calls, renew } = service();
  const data = fresh();
  Object.assign(data, await renew(data));
  const headers = { 'X-Signpost-Renew': 'request-1' };
  expect(await wantsRenewal(data, headers)).toBe(true);
  Object.assign(data, await renew(data));
  expect(calls).toHaveLength(2);
  expect((await send(data, headers)).headers).toEqual({ Authorization: 'Bearer token-2' });
});

const numberOf = (token: unknown) => (typeof token === 'string' ? Number(/\d+$/u.exec(token)?.[0]) : NaN);

/** Sends a request as n8n does: renews the token first if there is none, or after a 401, and stores the new token. */
async function sendAsN8n(
  { renew }: ReturnType<typeof service>,
  stored: ICredentialDataDecryptedObject,
  headers: Record<string, string> = {},
) {
  const data = { ...stored };
  const renewed = async () => {
    const issued = await renew(data);
    if (issued.accessToken === undefined) return;
    Object.assign(stored, issued);
    Object.assign(data, issued);
  };
  if (data.accessToken === '') await renewed();
  const sent = await send(data, headers).catch(async () => {
    await renewed();
    return await send(data, headers);
  });
  return sent.headers?.Authorization;
}

test.each([3, 10])(
  '%d simultaneous demands for a new token all get one, with at most three requests',
  async (count) => {
    const backend = service();
    const stored = fresh();
    Object.assign(stored, await backend.renew(stored));
    const sent = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        sendAsN8n(backend, stored, { 'X-Signpost-Renew': `${count}-${at}` }),
      ),
    );
    expect(sent).not.toContain('Bearer token-1');
    expect(backend.calls.length).toBeLessThan(4);
  },
);

test('each of 40 demands gets a token at least as new as the last one requested before it', async () => {
  const backend = service();
  const stored = fresh();
  const sent: unknown[] = [];
  const later = async (at: number) => {
    for (let turn = 0; turn < at; turn += 1) await Promise.resolve();
    const before = backend.calls.length;
    const token = await sendAsN8n(backend, stored, { 'X-Signpost-Renew': `later-${at}` });
    sent.push(token);
    expect(numberOf(token)).toBeGreaterThanOrEqual(before);
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => later(at)));
  expect(sent).toHaveLength(40);
});

test('ten executions that read a credential without a token share one token, even if one starts later', async () => {
  const backend = service();
  const read = fresh();
  const sent = [...(await Promise.all(Array.from({ length: 9 }, () => sendAsN8n(backend, { ...read }))))];
  sent.push(await sendAsN8n(backend, { ...read }));
  expect(sent).toEqual(Array(10).fill('Bearer token-1'));
  expect(backend.calls).toHaveLength(1);
});

test('a credential with expressions is not stored, and each of its values has its own token', async () => {
  const backend = service();
  const stored = { ...fresh(), hasExpressions: true };
  const items = ['of-ada', 'of-ben'].map((refreshToken) => ({ ...stored, refreshToken }));
  for (let round = 0; round < 2; round += 1)
    for (const [at, item] of items.entries()) {
      expect(await sendAsN8n(backend, item)).toBe(`Bearer token-${at + 1}`);
      expect(item).toEqual({ ...stored, refreshToken: item.refreshToken });
    }
  expect(backend.calls).toMatchObject(items.map(({ refreshToken }) => ({ body: { refreshToken } })));
  expect(await backend.renew({ ...stored, connectWith: 'accessToken', pastedAccessToken: 'a.b.c' })).toEqual(
    {},
  );
});

test('a renewal stores the expression of hasExpressions, not its current value', async () => {
  const { renew } = service();
  const field = credential.properties.find(({ name }) => name === 'hasExpressions');
  expect(await renew({ ...fresh(), hasExpressions: false })).toMatchObject({
    hasExpressions: field?.default,
  });
});

test('a demand for a new token stays until the token is renewed', async () => {
  const { renew } = service();
  const data = { ...fresh(), refreshToken: 'for-a-failure' };
  Object.assign(data, await renew(data));
  const headers = { 'X-Signpost-Renew': 'request-2' };
  expect(await wantsRenewal(data, headers)).toBe(true);
  expect(await wantsRenewal(data, headers)).toBe(true);
  Object.assign(data, await renew(data));
  expect(await wantsRenewal(data, headers)).toBe(false);
});

test('a pasted token is not sent after the credential is changed to a refresh token', async () => {
  const pasted = { ...fresh(), connectWith: 'accessToken', pastedAccessToken: 'pasted' };
  const { renew } = service();
  const stored = { ...pasted, ...(await renew(pasted)), connectWith: 'refreshToken' };
  expect(await wantsRenewal(stored)).toBe(true);
});

test('the word Bearer before a pasted token is removed', async () => {
  const { calls, renew } = service();
  const data = { ...fresh(), refreshToken: ' Bearer secret ' };
  const issued = await renew(data);
  expect(calls).toMatchObject([{ body: { refreshToken: 'secret' } }]);
  expect(await wantsRenewal({ ...data, ...issued, refreshToken: 'secret' })).toBe(false);
  const pasted = { ...fresh(), connectWith: 'accessToken', pastedAccessToken: 'bearer a.b.c' };
  expect((await send(pasted)).headers).toEqual({ Authorization: 'Bearer a.b.c' });
});

test('a pasted access token is sent trimmed, and is not renewed', async () => {
  const { calls, renew } = service();
  const data = { ...fresh(), connectWith: 'accessToken', pastedAccessToken: ' pasted ' };
  const first = await renew(data);
  expect((await send({ ...data, ...first })).headers).toEqual({ Authorization: 'Bearer pasted' });
  expect(await renew({ ...data, ...first })).toEqual({});
  expect(calls).toHaveLength(0);
});
