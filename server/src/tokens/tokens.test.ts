import { ServiceError } from '../platform/errors.js';
import type { RefreshTokenRow, SigningKeyRow } from '../storage/rows.js';
import { createThrottle } from '../throttle/throttle.js';
import {
  MINUTE_MS,
  openTestTokens,
  START_MS,
  type TestTokens,
} from '../../../test/fixtures/tokens/test-tokens.js';
import { regenerateTokens } from './account-tokens.js';
import { addEncryptionKey } from './encryption-key.js';
import { obtainRefreshToken } from './refresh-tokens.js';
import { addSigningKey, privateKeyOf } from './signing-keys.js';
import type { TokenPair, Tokens } from './tokens.js';

const ADDRESS = '192.0.2.1';
const WRONG = `rt_${'0'.repeat(32)}000000`;

let bench: TestTokens;
let pair: TokenPair;

beforeEach(async () => {
  bench = await openTestTokens(createThrottle);
  pair = await bench.tokens.pairOf('acc_ada');
});
afterEach(() => bench.close());

const refused = (words: RegExp) => ({ kind: 'unauthorized', message: expect.stringMatching(words) });

test("makes an account's refresh token when it is first needed, and then shows the same one again", async () => {
  expect(pair.refreshToken).toMatch(/^rt_[0-9A-Za-z]{38}$/u);
  const again = await bench.tokens.pairOf('acc_ada');
  expect(again.refreshToken).toBe(pair.refreshToken);
  expect(again.accessToken).not.toBe(pair.accessToken);
  expect((await bench.tokens.pairOf('acc_bob')).refreshToken).not.toBe(pair.refreshToken);
});

test('concurrent callers on two servers get one refresh token, and make no further keys', async () => {
  const [one, other] = [bench.tokens, await bench.another()];
  const pairs = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).pairOf('acc_bob')),
  );
  expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
  expect(await bench.db('signing_keys')).toHaveLength(1);
  expect(await bench.db('encryption_keys')).toHaveLength(1);
  for (const { accessToken } of pairs) await one.verify(accessToken);
});

test('makes one signing key for two servers on a database without keys', async () => {
  await bench.db('signing_keys').delete();
  const servers = [await bench.another(), await bench.another()];
  const issued = await Promise.all(servers.map((tokens) => tokens.issueAccessToken('acc_ada')));
  expect(await bench.db('signing_keys')).toHaveLength(1);
  for (const { accessToken } of issued) for (const tokens of servers) await tokens.verify(accessToken);
});

test('a refresh returns a new access token, and the old one stays valid until it expires', async () => {
  bench.setClock(START_MS + MINUTE_MS);
  const refreshed = await bench.tokens.refresh(pair.refreshToken, ADDRESS);
  expect(refreshed.validToMs).toBe(START_MS + 181 * MINUTE_MS);
  bench.setClock(START_MS + 180 * MINUTE_MS - 1);
  await bench.tokens.verify(pair.accessToken);
  bench.setClock(START_MS + 180 * MINUTE_MS);
  await expect(bench.tokens.verify(pair.accessToken)).rejects.toMatchObject(refused(/ended/u));
  expect(await bench.tokens.verify(refreshed.accessToken)).toMatchObject({ identity: { id: 'acc_ada' } });
});

test('serves fifty refreshes at once, and keeps the refresh token', async () => {
  const before = await bench.db('refresh_tokens').first();
  const [one, other] = [bench.tokens, await bench.another()];
  const issued = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).refresh(pair.refreshToken, ADDRESS),
    ),
  );
  expect(new Set(issued.map(({ accessToken }) => accessToken)).size).toBe(50);
  expect(await bench.db('refresh_tokens').first()).toEqual(before);
  expect((await bench.tokens.pairOf('acc_ada')).refreshToken).toBe(pair.refreshToken);
  expect(await bench.db('tries')).toEqual([]);
});

test('once tokens are regenerated, the old refresh token is rejected, and access tokens stay valid', async () => {
  const other = await bench.another();
  await other.refresh(pair.refreshToken, ADDRESS);
  const regenerated = await regenerateTokens({ ...bench.domain, tokens: bench.tokens }, 'acc_ada');
  for (const tokens of [bench.tokens, other])
    await expect(tokens.refresh(pair.refreshToken, ADDRESS)).rejects.toMatchObject(
      refused(/is unknown, or was regenerated/u),
    );
  await other.refresh(regenerated.refreshToken, ADDRESS);
  await other.verify(pair.accessToken);
  expect((await other.pairOf('acc_ada')).refreshToken).toBe(regenerated.refreshToken);
});

test.each([
  ['disabled', { disabled_at: 1 }, { disabled_at: null }, /is disabled. Ask the operator/u],
  ['without API access', { has_api_access: false }, { has_api_access: true }, /API access is not enabled/u],
])(
  'rejects all token calls of an account that is %s, from the next call until that changes',
  async (_state, off, on, words) => {
    const { tokens } = bench;
    await tokens.verify(pair.accessToken);
    await bench.change('acc_ada', off);
    await expect(tokens.verify(pair.accessToken)).rejects.toMatchObject(refused(words));
    await expect(tokens.refresh(pair.refreshToken, ADDRESS)).rejects.toMatchObject(refused(words));
    await expect(tokens.pairOf('acc_ada')).rejects.toMatchObject(refused(words));
    await expect(regenerateTokens({ ...bench.domain, tokens }, 'acc_ada')).rejects.toMatchObject(
      refused(words),
    );
    await expect(tokens.issueAccessToken('acc_ada')).rejects.toMatchObject(refused(words));
    await bench.change('acc_ada', on);
    await tokens.verify(pair.accessToken);
    await tokens.refresh(pair.refreshToken, ADDRESS);
  },
);

test.each([
  ['disabled', { disabled_at: 1 }, /is disabled/u],
  ['left without API access', { has_api_access: false }, /API access is not enabled/u],
])('makes no refresh token for an account that is %s after it was checked', async (_state, off, words) => {
  const tokens: Tokens = {
    ...bench.tokens,
    async issueAccessToken(accountId) {
      const issued = await bench.tokens.issueAccessToken(accountId);
      await bench.change(accountId, off);
      return issued;
    },
  };
  const before = await bench.db('refresh_tokens');
  await expect(regenerateTokens({ ...bench.domain, tokens }, 'acc_ada')).rejects.toMatchObject(
    refused(words),
  );
  await bench.change('acc_bob', off);
  await expect(obtainRefreshToken(bench.db, 'acc_bob', bench.maker)).rejects.toMatchObject(refused(words));
  expect(await bench.db('refresh_tokens')).toEqual(before);
});

test('rejects wrong refresh tokens without repeating them, and says if one is an access token or API key', async () => {
  const sent = [
    [pair.accessToken, /^This is an access token, and "refreshToken" must be the refresh token/u],
    [`sp_live_${'a'.repeat(38)}`, /^This is an API key/u],
    [`${pair.refreshToken} `, /^The refresh token is not valid/u],
    [pair.refreshToken.toUpperCase(), /^The refresh token is not valid/u],
    [WRONG, /^The refresh token is not valid/u],
  ] as const;
  for (const [text, words] of sent) {
    const rejection = bench.tokens.refresh(text, ADDRESS);
    await expect(rejection).rejects.toMatchObject(refused(words));
    await expect(rejection).rejects.not.toThrow(text.slice(0, 20));
  }
});

test('throttles an address for a minute after twenty wrong tokens, but does not reject a right one', async () => {
  const { tokens } = bench;
  for (let tries = 0; tries < 20; tries += 1)
    await expect(tokens.refresh(WRONG, ADDRESS)).rejects.toMatchObject({ kind: 'unauthorized' });
  await expect(tokens.refresh(WRONG, ADDRESS)).rejects.toMatchObject({
    kind: 'rateLimited',
    retryAfterSeconds: 60,
  });
  await tokens.refresh(pair.refreshToken, ADDRESS);
  await expect(tokens.refresh(WRONG, '192.0.2.2')).rejects.toMatchObject({ kind: 'unauthorized' });
  bench.setClock(START_MS + 60_000);
  await expect(tokens.refresh(WRONG, ADDRESS)).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('of sixty wrong tokens around the end of a minute, forty are rate limited, but no right one is', async () => {
  const [one, other] = [bench.tokens, await bench.another()];
  const minuteEndMs = START_MS - (START_MS % MINUTE_MS) + MINUTE_MS;
  const sent = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other));
  const wrong = sent.map(async (tokens, index) => {
    bench.setClock(minuteEndMs - 30 + index);
    return tokens.refresh(WRONG, ADDRESS);
  });
  const right = sent.map(async (tokens) => tokens.refresh(pair.refreshToken, ADDRESS));
  expect(await Promise.all(right)).toHaveLength(60);
  const kinds = (await Promise.allSettled(wrong)).map((answer) =>
    answer.status === 'rejected' && answer.reason instanceof ServiceError ? answer.reason.kind : 'answered',
  );
  expect(new Set(kinds.filter((kind) => kind !== 'unauthorized'))).toEqual(new Set(['rateLimited']));
  expect(kinds.filter((kind) => kind === 'unauthorized')).toHaveLength(20);
});

test('the database contains neither the refresh token nor the access token in clear', async () => {
  const [hash = ''] = await bench.db<RefreshTokenRow>('refresh_tokens').pluck('hash');
  const bytes = await bench.stored();
  expect(bytes.includes(hash)).toBe(true);
  expect(bytes.includes(pair.refreshToken)).toBe(false);
  expect(bytes.includes(pair.refreshToken.slice(3, 20))).toBe(false);
  expect(bytes.includes(pair.accessToken.slice(-40))).toBe(false);
});

test('the database contains neither the private key nor the key that encrypts refresh tokens in clear', async () => {
  const drawn: Buffer[] = [];
  const randomBytes = (size: number) => {
    const bytes = bench.maker.randomBytes(size);
    drawn.push(bytes);
    return bytes;
  };
  await addEncryptionKey(bench.db, { ...bench.maker, randomBytes });
  const [signing] = await bench.db<SigningKeyRow>('signing_keys').select();
  const privateKey = signing && privateKeyOf(signing, bench.maker.keyEncryptionKey);
  const secrets = [
    ...drawn.filter(({ length }) => length === 32),
    Buffer.from(String(privateKey?.export({ format: 'jwk' }).d), 'base64url'),
  ];
  expect(secrets.map(({ length }) => length)).toEqual([32, 32]);
  const bytes = await bench.stored();
  for (const secret of secrets)
    for (const written of [
      secret,
      ...(['hex', 'base64', 'base64url'] as const).map((as) => secret.toString(as)),
    ])
      expect(bytes.includes(written)).toBe(false);
});

test('if the stored tokens of two accounts are swapped, neither is decrypted', async () => {
  await bench.tokens.pairOf('acc_bob');
  const rows: RefreshTokenRow[] = await bench.db<RefreshTokenRow>('refresh_tokens');
  const ciphertexts = rows.map(({ ciphertext }) => ciphertext).toReversed();
  for (const [index, { id }] of rows.entries())
    await bench.db('refresh_tokens').where({ id }).update({ ciphertext: ciphertexts[index] });
  for (const account of ['acc_ada', 'acc_bob'])
    await expect(bench.tokens.pairOf(account)).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/cannot be decrypted/u),
    });
});

test('a stored private key is decrypted neither under another id nor in place of another one', async () => {
  const { db, maker } = bench;
  const [old] = await db<SigningKeyRow>('signing_keys').select();
  await db('signing_keys').update({ id: 'sig_renamed' });
  await expect((await bench.another()).issueAccessToken('acc_ada')).rejects.toThrow(/cannot be decrypted/u);
  await db('signing_keys').update({ id: old?.id, retired_at: 1 });
  const added = await addSigningKey(db, maker);
  await (await bench.another()).issueAccessToken('acc_ada');
  await db('signing_keys').where({ id: added.id }).update({ private_key: old?.private_key });
  await expect((await bench.another()).issueAccessToken('acc_ada')).rejects.toThrow(/cannot be decrypted/u);
});
