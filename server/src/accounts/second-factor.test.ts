import { createSecretKey } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { bindInstallation } from '../secret/installation.js';
import { deriveKey } from '../secret/sealing.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createThrottle } from '../throttle/throttle.js';
import { createSecondFactorSealer } from '../tokens/encryption-key.js';
import { rotateKeys } from '../tokens/rotate-keys.js';
import { type Account, findAccountById } from './account.js';
import { createAccount } from './create-account.js';
import { createPasswordSemaphore } from './password.js';
import { removeSecondFactor } from './account-state.js';
import { createSecondFactors, type SecondFactors } from './second-factor.js';
import { createSessionStore } from './session-store.js';

const stepMs = 30_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const wrong = { kind: 'unauthorized', message: expect.stringContaining('The code is wrong') };
const installationSecret = createSecretKey(Buffer.from('Qw8eRt7yUi6oPa5sDf4gHj3kLz2xCv1b'));
const keyEncryptionKey = deriveKey(installationSecret, 'key-encryption');
const passwordSemaphore = createPasswordSemaphore();

let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let factors: SecondFactors;
let ada: Account;
let bob: Account;
let secret: string;

const clock = () => nowMs;
const maker = { clock, randomBytes, keyEncryptionKey };

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  await bindInstallation(db, installationSecret, { clock, randomBytes });
  const sealer = createSecondFactorSealer(maker);
  factors = createSecondFactors({ db, clock, randomBytes, throttle: createThrottle({ db, clock }), sealer });
  const create = async (email: string) =>
    (await createAccount(db, { clock, randomBytes, passwordSemaphore }, { email })).account;
  ada = await create('ada@example.org');
  bob = await create('bob@example.org');
  ({ secret } = await factors.setUp(ada));
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** What the app shows, so many steps from now. */
const codeAt = (steps: number, of = secret) =>
  new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: nowMs + steps * stepMs });

/** Six digits that are no code of now. */
const noCode = () => {
  const valid = [-1, 0, 1].map((steps) => codeAt(steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !valid.includes(code)) ?? '';
};

const turnOn = () => factors.confirm(ada.id, codeAt(-1), 'own');
const isOn = async () => (await findAccountById(storage.db, ada.id))?.hasSecondFactor;

test('the codes are those of RFC 6238, and its address holds the same secret', async () => {
  const { uri } = await factors.setUp(ada);
  expect(uri).toBe(
    `otpauth://totp/Signpost:ada%40example.org?issuer=Signpost&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect(secret).toMatch(/^[A-Z2-7]{32}$/u);
});

test('a secret that is set up is shown again for an hour, and then made anew', async () => {
  nowMs += 59 * minuteMs;
  expect((await factors.setUp(ada)).secret).toBe(secret);
  nowMs += minuteMs;
  expect((await factors.setUp(ada)).secret).not.toBe(secret);
});

test('it is on once a code of it was given, and asks nobody before', async () => {
  expect(await isOn()).toBe(false);
  await expect(factors.confirm(ada.id, noCode(), 'own')).rejects.toMatchObject(wrong);
  expect(await isOn()).toBe(false);
  await turnOn();
  expect(await isOn()).toBe(true);
  await expect(factors.setUp(ada)).rejects.toThrow('is on already');
  await expect(factors.confirm(ada.id, codeAt(0), 'own')).rejects.toThrow('is on already');
});

test("turning it on ends the account's other sessions, which gave no code", async () => {
  const sessions = createSessionStore({ db: storage.db, clock });
  const from = { address: '192.0.2.7', browser: 'Firefox' };
  for (const id of ['own', 'other']) await sessions.write(id, { accountId: ada.id, ...from });
  await sessions.write("bob's", { accountId: bob.id, ...from });
  await turnOn();
  expect(await sessions.read('other')).toBeUndefined();
  expect([await sessions.read('own'), await sessions.read("bob's")]).not.toContain(undefined);
});

test('a code is accepted once, also by two at the same moment, and none of a step before it', async () => {
  await turnOn();
  const code = codeAt(0);
  const answers = await Promise.allSettled([factors.verify(ada.id, code), factors.verify(ada.id, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(factors.verify(ada.id, code)).rejects.toMatchObject(wrong);
  await expect(factors.verify(ada.id, codeAt(-1))).rejects.toMatchObject(wrong);
  await factors.verify(ada.id, codeAt(1));
  await expect(factors.verify(ada.id, code)).rejects.toMatchObject(wrong);
});

test('the code that turned it on signs nobody in', async () => {
  const code = codeAt(0);
  await factors.confirm(ada.id, code, 'own');
  await expect(factors.verify(ada.id, code)).rejects.toMatchObject(wrong);
});

test('codes of one step before and after are taken, those of two are not', async () => {
  await turnOn();
  nowMs += 10 * stepMs;
  await expect(factors.verify(ada.id, codeAt(-2))).rejects.toMatchObject(wrong);
  await expect(factors.verify(ada.id, codeAt(2))).rejects.toMatchObject(wrong);
  await factors.verify(ada.id, codeAt(-1));
  await factors.verify(ada.id, ` ${codeAt(1).slice(0, 3)} ${codeAt(1).slice(3)} `);
});

test('a recovery code works once, however it is typed, and for its own account alone', async () => {
  const codes = await turnOn();
  expect(new Set(codes).size).toBe(10);
  const [first = '', second = ''] = codes;
  await expect(factors.verify(bob.id, first)).rejects.toMatchObject(wrong);
  await factors.verify(ada.id, first.toUpperCase().replaceAll('-', ' '));
  await expect(factors.verify(ada.id, first)).rejects.toMatchObject(wrong);
  await factors.verify(ada.id, second);
  expect(await factors.recoveryCodesLeft(ada.id)).toBe(8);
  expect(await factors.recoveryCodesLeft(bob.id)).toBe(0);
});

test('neither the secret nor a recovery code is in the files of the database', async () => {
  const codes = await turnOn();
  const stored = await database.stored();
  expect(stored.includes(ada.id)).toBe(true);
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
  for (const clear of [secret, bytes, bytes.toString('hex'), bytes.toString('base64url'), ...codes])
    expect(stored.includes(clear)).toBe(false);
});

test('a secret that was moved to the row of another account does not open', async () => {
  await factors.setUp(bob);
  const [hers] = await storage.db('second_factors').where('account_id', ada.id).pluck('ciphertext');
  await storage.db('second_factors').where('account_id', bob.id).update('ciphertext', hers);
  await expect(factors.confirm(bob.id, codeAt(0), 'own')).rejects.toThrow('cannot be decrypted');
});

test('new encryption keys leave secrets as they are for their owners', async () => {
  await turnOn();
  const [before] = await storage.db('second_factors').pluck('ciphertext');
  expect(await rotateKeys(storage.db, maker)).toMatchObject({ secondFactors: 1, refreshTokens: 0 });
  expect(await storage.db('second_factors').pluck('ciphertext')).not.toContain(before);
  expect(await storage.db('encryption_keys')).toHaveLength(1);
  await factors.verify(ada.id, codeAt(0));
});

test('after ten wrong codes a right one is refused too; fifty a day are all there are', async () => {
  await turnOn();
  const limited = { kind: 'rateLimited' };
  for (let round = 0; round < 5; round += 1) {
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(factors.verify(ada.id, 'no code')).rejects.toMatchObject(wrong);
    await expect(factors.verify(ada.id, codeAt(0))).rejects.toMatchObject(limited);
    nowMs += 15 * minuteMs;
  }
  await expect(factors.verify(ada.id, codeAt(0))).rejects.toMatchObject(limited);
  nowMs += dayMs;
  await factors.verify(ada.id, codeAt(0));
});

test('right codes use no tries up', async () => {
  await turnOn();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    nowMs += stepMs;
    await factors.verify(ada.id, codeAt(0));
  }
});

test('once removed it asks nobody, its codes are worth nothing, and another can be set up', async () => {
  const [recoveryCode = ''] = await turnOn();
  await removeSecondFactor(storage.db, ada.id);
  expect(await isOn()).toBe(false);
  await expect(factors.verify(ada.id, codeAt(0))).rejects.toMatchObject(wrong);
  await expect(factors.verify(ada.id, recoveryCode)).rejects.toMatchObject(wrong);
  const again = await factors.setUp(ada);
  expect(again.secret).not.toBe(secret);
  await factors.confirm(ada.id, codeAt(0, again.secret), 'own');
  expect(await isOn()).toBe(true);
});
