import { createSecretKey } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Actor } from '../audit/audit.js';
import { createAuditReader } from '../audit/read-audit.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { bindInstallation } from '../secret/installation.js';
import { deriveKey } from '../secret/sealing.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createSecondFactorSealer } from '../tokens/encryption-key.js';
import { rotateKeys } from '../tokens/rotate-keys.js';
import type { AccountContext } from './account-context.js';
import { type Account, findAccountById } from './account.js';
import { createAccount } from './create-account.js';
import { removeSecondFactor } from './account-state.js';
import {
  confirmSecondFactor,
  countRecoveryCodes,
  renewRecoveryCodes,
  type SecondFactorContext,
  setUpSecondFactor,
  signInWithCode,
  turnOffSecondFactor,
} from './second-factor.js';
import { beginSession, readSession } from './sessions.js';

const stepMs = 30_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const wrong = { kind: 'unauthorized', message: expect.stringContaining('The code is wrong') };
const installationSecret = createSecretKey(Buffer.from('Qw8eRt7yUi6oPa5sDf4gHj3kLz2xCv1b'));
const keyEncryptionKey = deriveKey(installationSecret, 'key-encryption');

let nowMs: number;
let database: TestDatabase;
let storage: Storage;
let asAda: SecondFactorContext & AccountContext;
let ada: Account;
let bob: Account;
let secret: string;

const clock = () => nowMs;
const sealer = createSecondFactorSealer({ clock, randomBytes, keyEncryptionKey });

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  database = await createTestDatabase();
  storage = await database.open();
  await bindInstallation(storage.db, installationSecret, { clock, randomBytes });
  asAda = { ...testContext(storage.db, clock), sealer };
  const create = async (email: string) => (await createAccount(asAda, { email })).account;
  ada = await create('ada@example.org');
  bob = await create('bob@example.org');
  asAda = { ...asAda, actor: actorOf(ada) };
  ({ secret } = await setUpSecondFactor(asAda, ada));
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** The code that the app shows this many time steps from now. */
const codeAt = (steps: number, of = secret) =>
  new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: nowMs + steps * stepMs });

/** Six digits that are not a valid code now. */
const noCode = () => {
  const valid = [-1, 0, 1].map((steps) => codeAt(steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !valid.includes(code)) ?? '';
};

const actorOf = ({ id }: Account): Actor => ({ accountId: id, address: '192.0.2.7', via: 'console' });
const from = { address: '192.0.2.7', browser: 'Firefox' };
const confirm = (account: Account, code: string) =>
  confirmSecondFactor(
    { ...asAda, actor: actorOf(account) },
    { accountId: account.id, code, sessionId: 'own' },
  );
const turnOn = () => confirm(ada, codeAt(-1));

/** Begins a session that awaits a code, and enters `code`. Rejects if the code is wrong. */
async function signIn({ id }: Account, code: string): Promise<boolean> {
  const sessionId = randomBytes(9).toString('hex');
  await beginSession(asAda, sessionId, { accountId: id, awaitsCode: true, ...from });
  return signInWithCode(asAda, { accountId: id, code, sessionId });
}
const isOn = async () => (await findAccountById(storage, ada.id))?.hasSecondFactor;

test('setting up a second factor returns a secret of 32 base-32 characters, and an otpauth address with it', async () => {
  const { uri } = await setUpSecondFactor(asAda, ada);
  expect(uri).toBe(
    `otpauth://totp/Signpost:ada%40example.org?issuer=Signpost&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect(secret).toMatch(/^[A-Z2-7]{32}$/u);
});

test('setting up a second factor returns the same secret for an hour, and then a new one', async () => {
  nowMs += 59 * minuteMs;
  expect((await setUpSecondFactor(asAda, ada)).secret).toBe(secret);
  nowMs += minuteMs;
  expect((await setUpSecondFactor(asAda, ada)).secret).not.toBe(secret);
});

test('turns the second factor on only once one of its codes was entered', async () => {
  await expect(confirm(ada, noCode())).rejects.toMatchObject(wrong);
  expect(await isOn()).toBe(false);
  await turnOn();
  expect(await isOn()).toBe(true);
  await expect(setUpSecondFactor(asAda, ada)).rejects.toThrow('is already on');
  await expect(confirm(ada, codeAt(0))).rejects.toThrow('is already on');
});

test("turning on the second factor ends the account's other sessions, but none of another account", async () => {
  for (const id of ['own', 'other']) await beginSession(asAda, id, { accountId: ada.id, ...from });
  await beginSession(asAda, "bob's", { accountId: bob.id, ...from });
  await turnOn();
  expect(await readSession(asAda, 'other')).toBeUndefined();
  expect([await readSession(asAda, 'own'), await readSession(asAda, "bob's")]).not.toContain(undefined);
});

test('accepts a code once, even if two sign-ins use it at the same moment, and then no code of an earlier time step', async () => {
  await turnOn();
  const code = codeAt(0);
  const answers = await Promise.allSettled([signIn(ada, code), signIn(ada, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(signIn(ada, code)).rejects.toMatchObject(wrong);
  await expect(signIn(ada, codeAt(-1))).rejects.toMatchObject(wrong);
  await signIn(ada, codeAt(1));
  await expect(signIn(ada, code)).rejects.toMatchObject(wrong);
});

test('the code that turned on the second factor cannot also sign in', async () => {
  const code = codeAt(0);
  await confirm(ada, code);
  await expect(signIn(ada, code)).rejects.toMatchObject(wrong);
});

test('accepts codes of one 30-second step earlier or later, but not of two steps', async () => {
  await turnOn();
  nowMs += 10 * stepMs;
  await expect(signIn(ada, codeAt(-2))).rejects.toMatchObject(wrong);
  await expect(signIn(ada, codeAt(2))).rejects.toMatchObject(wrong);
  await signIn(ada, codeAt(-1));
  await signIn(ada, ` ${codeAt(1).slice(0, 3)} ${codeAt(1).slice(3)} `);
});

test('accepts a recovery code once, also in capitals and with spaces, and only for its own account', async () => {
  const codes = await turnOn();
  expect(new Set(codes).size).toBe(10);
  const [first = '', second = ''] = codes;
  await expect(signIn(bob, first)).rejects.toMatchObject(wrong);
  await signIn(ada, first.toUpperCase().replaceAll('-', ' '));
  await expect(signIn(ada, first)).rejects.toMatchObject(wrong);
  await signIn(ada, second);
  expect(await countRecoveryCodes(asAda, ada.id)).toBe(8);
  expect(await countRecoveryCodes(asAda, bob.id)).toBe(0);
});

test('stores neither the secret nor a recovery code in readable form', async () => {
  const codes = await turnOn();
  const stored = await database.stored();
  expect(stored.includes(ada.id)).toBe(true);
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
  for (const clear of [secret, bytes, bytes.toString('hex'), bytes.toString('base64url'), ...codes])
    expect(stored.includes(clear)).toBe(false);
});

test('a secret that was copied to another account cannot be decrypted', async () => {
  await setUpSecondFactor(asAda, bob);
  const [hers] = await storage.db('second_factors').where('account_id', ada.id).pluck('ciphertext');
  await storage.db('second_factors').where('account_id', bob.id).update('ciphertext', hers);
  await expect(confirm(bob, codeAt(0))).rejects.toThrow('cannot be decrypted');
});

test('secrets of second factors stay valid when the encryption keys are rotated', async () => {
  await turnOn();
  const [before] = await storage.db('second_factors').pluck('ciphertext');
  const counts = { secondFactors: 1, refreshTokens: 0 };
  expect(await rotateKeys({ ...asAda, keyEncryptionKey })).toMatchObject(counts);
  expect(await storage.db('second_factors').pluck('ciphertext')).not.toContain(before);
  expect(await storage.db('encryption_keys')).toHaveLength(1);
  await signIn(ada, codeAt(0));
});

test('rejects even a right code after ten wrong ones in 15 minutes, or fifty in a day', async () => {
  await turnOn();
  const limited = { kind: 'rateLimited' };
  for (let round = 0; round < 5; round += 1) {
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(signIn(ada, 'no code')).rejects.toMatchObject(wrong);
    await expect(signIn(ada, codeAt(0))).rejects.toMatchObject(limited);
    nowMs += 15 * minuteMs;
  }
  await expect(signIn(ada, codeAt(0))).rejects.toMatchObject(limited);
  nowMs += dayMs;
  await signIn(ada, codeAt(0));
});

test('right codes do not count as tries', async () => {
  await turnOn();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    nowMs += stepMs;
    await signIn(ada, codeAt(0));
  }
});

test('after the second factor is removed, its codes no longer work, and it can be set up again', async () => {
  const [recoveryCode = ''] = await turnOn();
  await removeSecondFactor(asAda, ada.id);
  expect(await isOn()).toBe(false);
  await expect(signIn(ada, codeAt(0))).rejects.toMatchObject(wrong);
  await expect(signIn(ada, recoveryCode)).rejects.toMatchObject(wrong);
  const again = await setUpSecondFactor(asAda, ada);
  expect(again.secret).not.toBe(secret);
  await confirm(ada, codeAt(0, again.secret));
  expect(await isOn()).toBe(true);
});

const entered = async () =>
  (await createAuditReader(storage.db).list({ limit: 50 }))
    .reverse()
    .map(({ kind, actor, subject }) => [kind, actor?.id, subject?.id]);

test('audits right and wrong codes, and signs in no session that has ended', async () => {
  const code = noCode();
  await turnOn();
  await expect(signIn(ada, code)).rejects.toMatchObject(wrong);
  await expect(turnOffSecondFactor(asAda, ada.id, code)).rejects.toMatchObject(wrong);
  nowMs += 3 * stepMs;
  const given = { accountId: ada.id, code: codeAt(-1), sessionId: 'ended meanwhile' };
  expect(await signInWithCode(asAda, given)).toBe(false);
  await signIn(ada, codeAt(0));
  const [recovery = ''] = await renewRecoveryCodes(asAda, ada.id, codeAt(1));
  await turnOffSecondFactor(asAda, ada.id, recovery);
  expect((await entered()).slice(2)).toEqual([
    ['second-factor.on', ada.id, ada.id],
    ['second-factor.refused', undefined, ada.id],
    ['second-factor.refused', ada.id, ada.id],
    ['session.signed-in', ada.id, ada.id],
    ['second-factor.codes', ada.id, ada.id],
    ['second-factor.off', ada.id, ada.id],
  ]);
});

test('accepts no code and uses none up if the audit cannot be written', async () => {
  const [recoveryCode = ''] = await turnOn();
  const code = codeAt(0);
  await storage.db.schema.renameTable('audit', 'audit_elsewhere');
  await expect(signIn(ada, code)).rejects.toThrow();
  await expect(signIn(ada, recoveryCode)).rejects.toThrow();
  await expect(renewRecoveryCodes(asAda, ada.id, code)).rejects.toThrow();
  await expect(turnOffSecondFactor(asAda, ada.id, code)).rejects.toThrow();
  await storage.db.schema.renameTable('audit_elsewhere', 'audit');
  expect([await isOn(), await countRecoveryCodes(asAda, ada.id)]).toEqual([true, 10]);
  expect(await signIn(ada, recoveryCode)).toBe(true);
  expect(await signIn(ada, code)).toBe(true);
});

test('making new recovery codes requires a code, and ends the old recovery codes', async () => {
  const [old = '', usedUp = ''] = await turnOn();
  const renew = (code: string) => renewRecoveryCodes(asAda, ada.id, code);
  await expect(renew(noCode())).rejects.toMatchObject(wrong);
  expect(await countRecoveryCodes(asAda, ada.id)).toBe(10);
  const codes = await renew(usedUp);
  expect(new Set([...codes, old, usedUp]).size).toBe(12);
  for (const code of [old, usedUp]) await expect(signIn(ada, code)).rejects.toMatchObject(wrong);
  expect(await signIn(ada, codes[0] ?? '')).toBe(true);
  expect(await countRecoveryCodes(asAda, ada.id)).toBe(9);
});

test('when two servers get the same recovery code at once, only one session is signed in', async () => {
  const [code = ''] = await turnOn();
  const other = await database.open();
  try {
    const ids = ['one', 'two'];
    for (const id of ids) await beginSession(asAda, id, { accountId: ada.id, awaitsCode: true, ...from });
    const answers = await Promise.allSettled(
      [asAda, { ...asAda, db: other.db }].map((each, index) =>
        signInWithCode(each, { accountId: ada.id, code, sessionId: ids[index] ?? '' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const awaiting = await Promise.all(ids.map(async (id) => (await readSession(asAda, id))?.awaitsCode));
    expect(awaiting.sort()).toEqual([false, true]);
  } finally {
    await other.close();
  }
});

test('wrong codes of somebody who knows the password do not lock the owner out: recovery codes still work', async () => {
  const [first = '', second = ''] = await turnOn();
  for (let attempt = 0; attempt < 10; attempt += 1)
    await expect(signIn(ada, 'no code')).rejects.toMatchObject(wrong);
  await expect(signIn(ada, codeAt(0))).rejects.toMatchObject({ kind: 'rateLimited' });
  expect(await signIn(ada, first)).toBe(true);
  await expect(signIn(ada, first)).rejects.toMatchObject({ kind: 'rateLimited' });
  await turnOffSecondFactor(asAda, ada.id, second);
  expect(await isOn()).toBe(false);
});
