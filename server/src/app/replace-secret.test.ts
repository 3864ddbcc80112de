import { createSecretKey } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testContext } from '../../../test/fixtures/domain-context.js';
import type { InstallationLocation } from '../backup/installation-location.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { resealInstallation } from '../secret/reseal-installation.js';
import { serverLockIn } from '../storage/sqlite/database-file.js';
import { takeServerLock } from '../storage/sqlite/server-lock.js';
import {
  clock,
  createTestInstallation,
  keptRows,
  OTHER_SECRET,
  SECRET,
  type TestInstallation,
} from '../../../test/fixtures/backup/test-installation.js';
import {
  addOwner,
  allAccepted,
  fillInstallation,
  withInstallation,
  useCredentials,
  withTokens,
} from '../../../test/fixtures/backup/used-installation.js';
import { regenerateTokens } from '../tokens/account-tokens.js';
import { replaceSecret } from './replace-secret.js';

let installation: TestInstallation;
let location: InstallationLocation;
let newSecretFile: string;

beforeEach(async () => {
  installation = await createTestInstallation();
  ({ location } = installation);
  newSecretFile = join(installation.folder, 'new-secret');
  await writeFile(newSecretFile, ` ${OTHER_SECRET}\r\n`);
});
afterEach(() => installation.remove());

const replaced = () => ({ ...location, secret: OTHER_SECRET });
const replace = (from = location, random = randomBytes) =>
  replaceSecret({ location: from, newSecretFile, clock, randomBytes: random });

test('keeps keys, tokens and sessions valid under the new secret, and locks out the old one', async () => {
  const held = await fillInstallation(location);
  expect(await useCredentials(location, held)).toEqual(allAccepted);
  const report = await replace();
  expect(report).toMatchObject({ keptFile: undefined });
  expect(await useCredentials(replaced(), held)).toEqual(allAccepted);
  const rejection = expect(useCredentials(location, held)).rejects;
  await rejection.toThrow(
    /was set up with another secret.*"signpost secret replace" was run, use the new secret/u,
  );
  await expect(useCredentials(location, held)).rejects.toThrow(
    `begins with ${report.newFingerprint.slice(0, 8)}, that of the secret given with ${report.oldFingerprint.slice(0, 8)}.`,
  );
});

test('keys, tokens and sessions stay valid if the secret is replaced and then the first one restored', async () => {
  const held = await fillInstallation(location);
  await replace();
  await writeFile(newSecretFile, SECRET);
  await replace(replaced());
  expect(await useCredentials(location, held)).toEqual(allAccepted);
});

test('replacing the secret encrypts the signing key, the encryption key and both peppers anew', async () => {
  await fillInstallation(location);
  const { db } = installation.storage;
  const sealed = async () => [
    ...(await db<{ private_key: string }>('signing_keys').pluck('private_key')),
    ...(await db<{ wrapped_key: string }>('encryption_keys').pluck('wrapped_key')),
    ...(await db<{ key_pepper: string }>('installation').pluck('key_pepper')),
    ...(await db<{ refresh_token_pepper: string }>('installation').pluck('refresh_token_pepper')),
  ];
  const before = await sealed();
  await replace();
  const after = await sealed();
  expect(after).toHaveLength(4);
  expect(after.filter((one) => before.includes(one))).toEqual([]);
});

test('keeps keys and tokens of an older version valid, and stores its peppers at the first start', async () => {
  const held = await fillInstallation(location);
  const { db } = installation.storage;
  await db('installation').update({ key_pepper: null, refresh_token_pepper: null });
  expect(await useCredentials(location, held)).toEqual(allAccepted);
  expect(await db('installation').whereNull('key_pepper').orWhereNull('refresh_token_pepper')).toEqual([]);
  await db('installation').update({ key_pepper: null, refresh_token_pepper: null });
  await replace();
  expect(await useCredentials(replaced(), held)).toEqual(allAccepted);
});

test('replaces no secret while a server runs', async () => {
  await fillInstallation(location);
  const before = await keptRows(installation.storage.db);
  if (location.databaseUrl === undefined) {
    const lock = await takeServerLock(serverLockIn(location.dataDir));
    await expect(replace()).rejects.toThrow(/A server runs on the data folder .* Stop it first/u);
    await lock.release();
  } else {
    await withInstallation(location, async () => {
      await expect(replace()).rejects.toThrow(
        /uses this database\. Stop every server first.*Nothing was changed/u,
      );
    });
  }
  expect(await keptRows(installation.storage.db)).toEqual(before);
  await replace();
});

test('replaces no secret if the lock file cannot be used, and does not blame a running server', async () => {
  if (location.databaseUrl !== undefined) return;
  await fillInstallation(location);
  await mkdir(serverLockIn(location.dataDir), { recursive: true });
  const error: unknown = await replace().catch((reason: unknown) => reason);
  expect(String(error)).toContain(serverLockIn(location.dataDir));
  expect(String(error)).not.toContain('A server runs');
});

test('replaces no secret if a stored encryption key cannot be decrypted', async () => {
  const held = await fillInstallation(location);
  const { db } = installation.storage;
  const wrong = { id: 'enc_z', wrapped_key: 'sealed elsewhere', created_at: 1 };
  await db('encryption_keys').insert(wrong);
  await expect(replace()).rejects.toThrow(/cannot be decrypted/u);
  await db('encryption_keys').where({ id: 'enc_z' }).delete();
  expect(await useCredentials(location, held)).toEqual(allAccepted);
});

test('a process that started before the secret was replaced can encrypt nothing more with the old one', async () => {
  const { db } = installation.storage;
  const [from, to] = [SECRET, OTHER_SECRET].map((text) => createSecretKey(Buffer.from(text)));
  if (from === undefined || to === undefined) throw new Error('There are two.');
  await withInstallation(location, async (one) => {
    await addOwner(one);
    await db.transaction((transaction) => resealInstallation(transaction, from, to, randomBytes));
    const context = testContext(one.storage.db, one.clock);
    await withTokens(one, async (tokens) => {
      await expect(tokens.issueAccessToken('acc_ada')).rejects.toThrow(/cannot be decrypted/u);
      await expect(regenerateTokens({ ...context, tokens }, 'acc_ada')).rejects.toThrow(
        /cannot be decrypted/u,
      );
    });
  });
  expect([await db('signing_keys'), await db('encryption_keys')]).toEqual([[], []]);
});

test.each([
  ['is not there', undefined, /There is no file .*new-secret with a new secret.*openssl/u],
  ['is empty', ' \n', /new-secret is empty/u],
  ['is too short', 'short', /new-secret has 5 characters and needs at least 32/u],
  ['holds the current secret', `${SECRET}\n`, /holds the secret that the installation has already/u],
])('rejects a file of the new secret that %s, and changes nothing', async (_, text, words) => {
  const held = await fillInstallation(location);
  if (text === undefined) newSecretFile = join(installation.folder, 'none', 'new-secret');
  else await writeFile(newSecretFile, text);
  await expect(replace()).rejects.toThrow(words);
  expect(await useCredentials(location, held)).toEqual(allAccepted);
});

test('replaces no secret if the given one is not that of the database', async () => {
  const held = await fillInstallation(location);
  await expect(replace({ ...location, secret: '9bT4rWq7-Zx2KpM8sLd1VhN6cYfJ3gAe' })).rejects.toThrow(
    /was set up with another secret/u,
  );
  expect(await useCredentials(location, held)).toEqual(allAccepted);
});

describe('the secret file', () => {
  const own = () => ({ ...location, secret: undefined });
  const pathOf = (name: string) => join(location.dataDir, name);
  const secretFiles = async () =>
    (await readdir(location.dataDir)).filter((name) => name.startsWith('secret'));

  test('the secret file gets the new secret, and another file keeps the old one for the backups that need it', async () => {
    const held = await fillInstallation(own());
    const before = await readFile(pathOf('secret'), 'utf8');
    const { keptFile, oldFingerprint } = await replace(own());
    expect(keptFile).toBe(pathOf(`secret.${oldFingerprint.slice(0, 8)}`));
    expect(await readFile(keptFile ?? '', 'utf8')).toBe(before);
    expect(await readFile(pathOf('secret'), 'utf8')).toBe(`${OTHER_SECRET}\n`);
    for (const file of [keptFile ?? '', pathOf('secret')])
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await secretFiles()).toHaveLength(2);
    expect(await useCredentials(own(), held)).toEqual(allAccepted);
  });

  test('the secret file holds the valid secret, whichever call for random bytes fails in a replacement', async () => {
    const held = await fillInstallation(own());
    let failures = 0;
    for (;;) {
      let left = failures;
      const failing = (count: number) => {
        if ((left -= 1) < 0) throw new Error('The end.');
        return randomBytes(count);
      };
      const ended = await replace(own(), failing).catch((error: unknown) => error);
      expect(await useCredentials(own(), held)).toEqual(allAccepted);
      if (!(ended instanceof Error)) break;
      expect(ended.message).toBe('The end.');
      failures += 1;
    }
    // Random bytes are drawn for four sealed values, the audit entry (perhaps twice) and two files.
    expect(failures).toBeGreaterThanOrEqual(7);
    expect(await readFile(pathOf('secret'), 'utf8')).toBe(`${OTHER_SECRET}\n`);
  });

  test('the secret file holds the valid secret after three replacements at once', async () => {
    const held = await fillInstallation(own());
    for (let round = 0; round < 5; round += 1) {
      const replacements = [0, 1, 2].map(async (number) => {
        const file = join(installation.folder, `secret-${number}`);
        await writeFile(file, randomBytes(32).toString('base64url'));
        return replaceSecret({ location: own(), newSecretFile: file, clock, randomBytes });
      });
      const ended = await Promise.allSettled(replacements);
      expect(ended.map(({ status }) => status)).toContain('fulfilled');
      expect(await useCredentials(own(), held)).toEqual(allAccepted);
    }
  });

  test('if a replacement was interrupted before it changed the secret file, the error names the file to put in its place', async () => {
    const held = await fillInstallation(own());
    const { keptFile } = await replace(own());
    await rename(pathOf('secret'), pathOf('secret.next'));
    await rename(keptFile ?? '', pathOf('secret'));
    const words = `interrupted. The database already uses the new secret, which is in ${pathOf('secret.next')}. Put it in place: mv ${pathOf('secret.next')} ${pathOf('secret')}`;
    await expect(useCredentials(own(), held)).rejects.toThrow(words);
    await expect(replace(own())).rejects.toThrow(words);
    await rename(pathOf('secret.next'), pathOf('secret'));
    expect(await useCredentials(own(), held)).toEqual(allAccepted);
  });
});
