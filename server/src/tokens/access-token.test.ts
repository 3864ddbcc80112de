import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { SigningKeyRow } from '../storage/rows.js';
import { createThrottle } from '../throttle/throttle.js';
import { privateKeyOf } from './signing-keys.js';
import {
  ISSUER,
  MINUTE_MS,
  openTestTokens,
  START_MS,
  type TestTokens,
} from '../../../test/fixtures/tokens/test-tokens.js';

const IDENTITY = { id: 'acc_ada', email: 'ada@example.org', name: null };
const END_MS = START_MS + 180 * MINUTE_MS;

let bench: TestTokens;
let accessToken: string;
let kid: string;
let ownKey: KeyObject;

beforeAll(async () => {
  bench = await openTestTokens(createThrottle);
  ({ accessToken } = await bench.tokens.issueAccessToken('acc_ada'));
  const row: SigningKeyRow | undefined = await bench.db<SigningKeyRow>('signing_keys').first();
  if (row === undefined) throw new Error('No signing key.');
  kid = row.id;
  ownKey = privateKeyOf(row, bench.maker.keyEncryptionKey);
});
afterEach(() => bench.setClock(START_MS));
afterAll(() => bench.close());

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(part, 'base64url').toString()));
const parts = () => accessToken.split('.');
const claims = () => decode(parts()[1]);
const header = () => ({ alg: 'EdDSA', kid, typ: 'JWT' });

/** Makes a token with any content, and signs it with any key. */
function signed(head: object, body: object, key = ownKey): string {
  const content = `${encode(head)}.${encode(body)}`;
  return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
}

const without = (body: object, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

/**
 * Expects that a token is rejected both by the server that issued `accessToken` and by one that has never seen a token.
 */
async function expectRefused(token: string, words = /^The access token is not valid/u): Promise<void> {
  for (const tokens of [bench.tokens, await bench.another()])
    await expect(tokens.verify(token)).rejects.toMatchObject({
      kind: 'unauthorized',
      message: expect.stringMatching(words),
    });
}

test('a token contains the account, the issuer, the expiry and a unique id', async () => {
  expect(decode(parts()[0])).toEqual({ alg: 'EdDSA', kid, typ: 'JWT' });
  expect(claims()).toEqual({
    iss: ISSUER,
    aud: 'signpost-referral',
    sub: 'acc_ada',
    iat: START_MS / 1_000,
    exp: END_MS / 1_000,
    jti: expect.stringMatching(/^\w{22}$/u),
  });
  const other = await bench.tokens.issueAccessToken('acc_ada');
  expect(decode(other.accessToken.split('.')[1]).jti).not.toBe(claims().jti);
});

test("accepts a token that this test signs with the server's key", async () => {
  expect(await bench.tokens.verify(signed(header(), claims()))).toEqual({
    identity: IDENTITY,
    validToMs: END_MS,
  });
});

test('accepts a token after 179:59 minutes and rejects it after 180:00, on each of two servers', async () => {
  const [busy, fresh] = [bench.tokens, await bench.another()];
  expect((await busy.verify(accessToken)).validToMs).toBe(END_MS);
  bench.setClock(END_MS - 1_000);
  expect((await busy.verify(accessToken)).identity).toEqual(IDENTITY);
  expect((await fresh.verify(accessToken)).identity).toEqual(IDENTITY);
  bench.setClock(END_MS);
  await expectRefused(accessToken, /^The access token ended at 2026-01-02T06:04:05.000Z/u);
  await expect(fresh.verify(accessToken)).rejects.toThrow(/ended/u);
});

test('accepts a token from a clock that is up to a minute ahead, but not further', async () => {
  const [busy, fresh] = [bench.tokens, await bench.another()];
  const issuedAt = (aheadMs: number) => {
    const iat = (START_MS + aheadMs) / 1_000;
    return signed(header(), { ...claims(), iat, exp: iat + 180 * 60 });
  };
  for (const tokens of [busy, fresh])
    expect(await tokens.verify(issuedAt(MINUTE_MS))).toMatchObject({ identity: IDENTITY });
  const tooFar = /^The access token was issued at 2026-01-02T03:05:06.000Z, which is still to come/u;
  await expectRefused(issuedAt(MINUTE_MS + 1_000), tooFar);
  await expectRefused(issuedAt(1_000 * MINUTE_MS), /^The access token was issued at/u);
  bench.setClock(START_MS + 1_000);
  expect(await busy.verify(issuedAt(MINUTE_MS + 1_000))).toMatchObject({ identity: IDENTITY });
  bench.setClock(START_MS - 1_000);
  await expectRefused(issuedAt(MINUTE_MS), /^The access token was issued at/u);
});

test('rejects a token with alg "none", with and without a signature', async () => {
  for (const alg of ['none', 'None', 'NONE']) {
    const content = `${encode({ ...header(), alg })}.${encode(claims())}`;
    await expectRefused(`${content}.`);
    await expectRefused(`${content}.${parts()[2] ?? ''}`);
    await expectRefused(signed({ ...header(), alg }, claims()));
  }
});

test("rejects a token with HS256 that has the server's public key as its secret", async () => {
  const [jwk] = await bench.tokens.publicKeys();
  const secrets = [jwk?.x ?? '', Buffer.from(jwk?.x ?? '', 'base64url'), JSON.stringify(jwk)];
  const content = `${encode({ ...header(), alg: 'HS256' })}.${encode(claims())}`;
  for (const secret of secrets) {
    const mac = createHmac('sha256', secret).update(content).digest();
    await expectRefused(`${content}.${mac.toString('base64url')}`);
    await expectRefused(`${content}.${Buffer.concat([mac, mac]).toString('base64url')}`);
  }
});

test('rejects a token with any single character changed', async () => {
  const { tokens } = bench;
  for (let index = 0; index < accessToken.length; index += 1) {
    const there = accessToken[index] ?? '';
    for (const character of [there === 'A' ? 'B' : 'A', String.fromCharCode(there.charCodeAt(0) ^ 1)]) {
      const changed = accessToken.slice(0, index) + character + accessToken.slice(index + 1);
      await expect(tokens.verify(changed)).rejects.toMatchObject({ kind: 'unauthorized' });
    }
  }
});

test('rejects a token with any other last character, even one that decodes to the same bytes', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (const character of alphabet) {
    const spelt = accessToken.slice(0, -1) + character;
    if (spelt !== accessToken) await expectRefused(spelt);
  }
  await expectRefused(`${accessToken}=`);
});

describe('keys that are not ours', () => {
  const foreign = generateKeyPairSync('ed25519');
  const jwk = foreign.publicKey.export({ format: 'jwk' });

  test('a token of a foreign key is rejected under one of our key ids', () =>
    expectRefused(signed(header(), claims(), foreign.privateKey)));

  test('a token with an unknown key id, or without one, is rejected, even if our key signed it', async () => {
    for (const unknown of ['sig_unknown', '', "' OR 1=1 --", 'x'.repeat(5_000), 7, undefined])
      await expectRefused(signed({ ...header(), kid: unknown }, claims()));
  });

  test('a foreign key is not used, even if the token contains it or points to it', async () => {
    const tricks = [
      { jwk },
      { jwk, kid: undefined },
      { jku: 'https://evil.example/jwks.json' },
      { x5u: 'https://evil.example/cert.pem', x5c: ['MIIB'] },
    ];
    for (const trick of tricks)
      await expectRefused(signed({ ...header(), ...trick }, claims(), foreign.privateKey));
  });
});

test.each([
  ['another issuer', { iss: 'https://evil.example' }],
  ['our issuer with a slash', { iss: `${ISSUER}/` }],
  ['another audience', { aud: 'something-else' }],
  ['an unknown account', { sub: 'acc_nobody' }],
  ['an account that is not a text', { sub: 7 }],
  ['an expiry that is not a number', { exp: '9999999999' }],
  ['a start in the future', { nbf: START_MS / 1_000 + 60 }],
])('rejects a token with %s, even with our signature', async (_what, change) => {
  await expectRefused(signed(header(), { ...claims(), ...change }));
});

test.each(['iss', 'aud', 'sub', 'iat', 'exp', 'jti'])('rejects tokens without the claim %s', async (name) => {
  await expectRefused(signed(header(), without(claims(), name)));
});

test('rejects another type of token, or one with critical extensions', async () => {
  await expectRefused(signed({ ...header(), typ: 'secevent+jwt' }, claims()));
  await expectRefused(signed({ ...header(), crit: ['b64'], b64: false }, claims()));
});

test('says if the text is a refresh token or an API key, and never repeats a text that it rejects', async () => {
  const { refreshToken } = await bench.tokens.pairOf('acc_ada');
  const apiKey = `sp_live_${'a'.repeat(38)}`;
  await expectRefused(refreshToken, /^This is a refresh token/u);
  await expectRefused(apiKey, /^This is an API key/u);
  for (const token of [refreshToken, apiKey, 'hello', 'a.b.c', `${accessToken}x`, 'x'.repeat(100_000)])
    await expect(bench.tokens.verify(token)).rejects.not.toThrow(token.slice(0, 20));
});
