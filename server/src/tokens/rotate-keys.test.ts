import { z } from 'zod';
import { createThrottle } from '../throttle/throttle.js';
import { listEntries } from '../audit/read-audit.js';
import { listSigningKeys, rotateKeys } from './rotate-keys.js';
import {
  MINUTE_MS,
  openTestTokens,
  START_MS,
  type TestTokens,
} from '../../../test/fixtures/tokens/test-tokens.js';
import type { TokenPair } from './tokens.js';

const LIFETIME_MS = 180 * MINUTE_MS;
const ADDRESS = '192.0.2.1';

let bench: TestTokens;
let pair: TokenPair;

beforeEach(async () => {
  bench = await openTestTokens(createThrottle);
  pair = await bench.tokens.pairOf('acc_ada');
});
afterEach(() => bench.close());

const kidOf = (token: string): string =>
  z
    .object({ kid: z.string() })
    .parse(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).kid;

const kids = async () => (await bench.tokens.publicKeys()).map(({ kid }) => kid);

test('after a rotation, running servers sign their next token with the new key, and publish both keys', async () => {
  const running = await bench.another();
  await running.issueAccessToken('acc_ada');
  const { signingKeyId, refreshTokens } = await rotateKeys(bench.domain);
  expect(refreshTokens).toBe(1);
  for (const tokens of [bench.tokens, running]) {
    const { accessToken } = await tokens.refresh(pair.refreshToken, ADDRESS);
    expect(kidOf(accessToken)).toBe(signingKeyId);
    await bench.tokens.verify(accessToken);
  }
  expect(signingKeyId).not.toBe(kidOf(pair.accessToken));
  expect((await kids()).toSorted()).toEqual([signingKeyId, kidOf(pair.accessToken)].toSorted());
});

test('after a rotation, tokens of the old key stay valid until they expire, and not a second longer', async () => {
  bench.setClock(START_MS + 100 * MINUTE_MS);
  const { oldTokensEndAtMs } = await rotateKeys(bench.domain);
  expect(oldTokensEndAtMs).toBe(START_MS + 280 * MINUTE_MS);
  bench.setClock(START_MS + LIFETIME_MS - 1_000);
  for (const tokens of [bench.tokens, await bench.another()]) await tokens.verify(pair.accessToken);
  bench.setClock(START_MS + LIFETIME_MS);
  for (const tokens of [bench.tokens, await bench.another()])
    await expect(tokens.verify(pair.accessToken)).rejects.toThrow(/ended/u);
});

test('rejects tokens of the old key 180 minutes after a rotation, even if they have not expired', async () => {
  const running = await bench.another();
  bench.setClock(START_MS + MINUTE_MS);
  const { accessToken: forged } = await bench.tokens.issueAccessToken('acc_ada');
  // The token was issued by a clock that is a minute ahead, so it expires a minute later than its key.
  bench.setClock(START_MS);
  await rotateKeys(bench.domain);
  await running.verify(forged);
  bench.setClock(START_MS + LIFETIME_MS - 1);
  await running.verify(forged);
  bench.setClock(START_MS + LIFETIME_MS);
  for (const tokens of [running, bench.tokens, await bench.another()])
    await expect(tokens.verify(forged)).rejects.toThrow(/is not valid/u);
  expect(await kids()).not.toContain(kidOf(forged));
});

test('refresh tokens stay the same when they are encrypted with the new key, and the old key is deleted', async () => {
  const bob = await bench.tokens.pairOf('acc_bob');
  const keyIds = () => bench.db<{ id: string }>('encryption_keys').pluck('id');
  const [before] = await keyIds();
  const ciphertexts = await bench.db('refresh_tokens').pluck('ciphertext');
  await rotateKeys(bench.domain);
  const after = await keyIds();
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
  expect(await bench.db('refresh_tokens').whereIn('ciphertext', ciphertexts)).toEqual([]);
  expect((await bench.tokens.pairOf('acc_ada')).refreshToken).toBe(pair.refreshToken);
  expect((await bench.tokens.pairOf('acc_bob')).refreshToken).toBe(bob.refreshToken);
  await bench.tokens.refresh(bob.refreshToken, ADDRESS);
});

test('a rotation deletes keys whose last token has expired, and keeps the others', async () => {
  await rotateKeys(bench.domain);
  bench.setClock(START_MS + LIFETIME_MS - 1);
  await rotateKeys(bench.domain);
  expect(await bench.db('signing_keys')).toHaveLength(3);
  bench.setClock(START_MS + LIFETIME_MS);
  await rotateKeys(bench.domain);
  const ids = await bench.db('signing_keys').pluck('id');
  expect(ids).toHaveLength(3);
  expect(ids).not.toContain(kidOf(pair.accessToken));
  expect(await bench.db('signing_keys').whereNull('retired_at')).toHaveLength(1);
});

test('concurrent rotations leave one current signing key, and the refresh token can be decrypted', async () => {
  await Promise.all([1, 2, 3].map(() => rotateKeys(bench.domain)));
  expect(await bench.db('signing_keys').whereNull('retired_at')).toHaveLength(1);
  expect(await bench.db('encryption_keys')).toHaveLength(1);
  expect((await bench.tokens.pairOf('acc_ada')).refreshToken).toBe(pair.refreshToken);
});

test('a rotation changes no key if it cannot decrypt a refresh token', async () => {
  await bench.db('refresh_tokens').update({ ciphertext: 'AAAA' });
  const tables = () => Promise.all(['signing_keys', 'encryption_keys'].map((name) => bench.db(name)));
  const before = await tables();
  await expect(rotateKeys(bench.domain)).rejects.toThrow(/cannot be decrypted/u);
  expect(await tables()).toEqual(before);
});

test('a rotation before the first token makes the first signing key', async () => {
  await bench.db('refresh_tokens').delete();
  await bench.db('encryption_keys').delete();
  await bench.db('signing_keys').delete();
  const { signingKeyId } = await rotateKeys(bench.domain);
  const made = await bench.tokens.pairOf('acc_ada');
  expect(kidOf(made.accessToken)).toBe(signingKeyId);
});

test('a rotation by an operator is audited; the list has the new signing key first, and the old one until it no longer verifies', async () => {
  const old = kidOf(pair.accessToken);
  expect(await listSigningKeys(bench.domain)).toEqual([
    { id: old, createdAtMs: START_MS, verifiesUntilMs: null },
  ]);
  bench.setClock(START_MS + MINUTE_MS);
  const { signingKeyId } = await rotateKeys({
    ...bench.domain,
    actor: { accountId: 'acc_bob', address: ADDRESS, via: 'console' },
  });
  expect(await listSigningKeys(bench.domain)).toEqual([
    { id: signingKeyId, createdAtMs: START_MS + MINUTE_MS, verifiesUntilMs: null },
    { id: old, createdAtMs: START_MS, verifiesUntilMs: START_MS + MINUTE_MS + LIFETIME_MS },
  ]);
  bench.setClock(START_MS + MINUTE_MS + LIFETIME_MS);
  expect(await listSigningKeys(bench.domain)).toMatchObject([{ id: signingKeyId }]);
  expect(await listEntries(bench.db, { limit: 1 })).toMatchObject([
    { kind: 'secret.rotated', actor: { id: 'acc_bob' }, detail: signingKeyId },
  ]);
});
