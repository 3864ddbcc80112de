import { mkdtemp, readFile, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandomBytes } from '../platform/random.js';
import type { ConfiguredSecret } from '../secret/load-secret.js';
import { openInstallation } from './open-installation.js';

const secretA = '3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE';
const secretB = 'Qw8eRt7yUi6oPa5sDf4gHj3kLz2xCv1b';
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-open-'));
});

afterEach(() => rm(dataDir, { recursive: true }));

const open = (secret?: ConfiguredSecret) =>
  openInstallation({
    dataDir,
    secret,
    clock: () => 1_000,
    monotonicMs: () => 0,
    randomBytes: systemRandomBytes,
  });

test('creates an installation in an empty folder, and opens it again with the same keys', async () => {
  const first = await open();
  await first.storage.close();
  const second = await open();
  expect(second.keyPepper.equals(first.keyPepper)).toBe(true);
  expect(second.refreshTokenPepper.equals(first.refreshTokenPepper)).toBe(true);
  expect(second.keyEncryptionKey.equals(first.keyEncryptionKey)).toBe(true);
  expect(first.refreshTokenPepper.equals(first.keyPepper)).toBe(false);
  expect(first.keyEncryptionKey.equals(first.refreshTokenPepper)).toBe(false);
  expect(second.warnings).toEqual([]);
  await second.storage.close();
});

test('accepts the same secret from the variable or from a file that ends with a line break', async () => {
  const file = join(dataDir, 'credential');
  await writeFile(file, `${secretA}\n`, { mode: 0o400 });
  const installations = [await open(secretA), await open({ file }), await open(secretA)];
  const [first] = installations;
  for (const one of installations) {
    expect(first?.keyEncryptionKey.equals(one.keyEncryptionKey)).toBe(true);
    expect(one.warnings).toEqual([]);
    await one.storage.close();
  }
});

test('rejects another secret than that of the database, and shows neither secret', async () => {
  await (await open(secretA)).storage.close();
  const rejection = open(secretB);
  await expect(rejection).rejects.toThrow(/was set up with another secret. Set SIGNPOST_SECRET/u);
  await expect(rejection).rejects.not.toThrow(secretA);
  await expect(rejection).rejects.not.toThrow(secretB);
  await (await open(secretA)).storage.close();
});

test('writes the secret of the variable into no file', async () => {
  const { storage } = await open(secretA);
  const names = await readdir(dataDir);
  expect(names).toEqual(expect.arrayContaining(['signpost.db', 'signpost.db-wal']));
  const bytes = Buffer.concat(await Promise.all(names.map((name) => readFile(join(dataDir, name)))));
  for (const form of [secretA, Buffer.from(secretA).toString('hex')])
    expect(bytes.includes(form)).toBe(false);
  await storage.close();
});

test('does not replace a missing secret file with a new one', async () => {
  await (await open()).storage.close();
  await unlink(join(dataDir, 'secret'));
  await expect(open()).rejects.toThrow(/is missing. Put the file .*secret back from a backup/u);
  expect(await readdir(dataDir)).not.toContain('secret');
});

test('two servers that start at once on an empty folder have the same keys', async () => {
  const [one, other] = await Promise.all([open(), open()]);
  for (const name of ['keyPepper', 'refreshTokenPepper', 'keyEncryptionKey'] as const)
    expect(one[name].equals(other[name])).toBe(true);
  await one.storage.close();
  await other.storage.close();
});
