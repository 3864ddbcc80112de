import { createSecretKey } from 'node:crypto';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { systemRandomBytes } from '../platform/random.js';
import { deriveKey } from './sealing.js';
import { secretFingerprint } from './installation.js';
import { loadSecret, type ConfiguredSecret } from './load-secret.js';

let dataDir: string;
let path: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-secret-'));
  path = join(dataDir, 'secret');
});

afterEach(() => rm(dataDir, { recursive: true }));

const load = (configured?: ConfiguredSecret, fingerprint?: string) =>
  loadSecret({ configured, dataDir, fingerprint, randomBytes: systemRandomBytes });

test('creates a secret for a new installation, in a file that only its owner can read', async () => {
  const { secret, warnings } = await load();
  expect(warnings).toEqual([]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(secret.export().toString()).toBe((await readFile(path, 'utf8')).trim());
  expect(await readdir(dataDir)).toEqual(['secret']);
});

test('reads the same secret at the next start', async () => {
  const first = await load();
  const text = await readFile(path, 'utf8');
  expect((await load()).secret.equals(first.secret)).toBe(true);
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('servers that start at once in a new folder share one secret', async () => {
  const loaded = await Promise.all([1, 2, 3, 4].map(() => load()));
  const secrets = new Set(loaded.map(({ secret }) => secret.export().toString()));
  expect(secrets.size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret']);
});

test('warns about a secret that other users can read, with the command that fixes it', async () => {
  await load();
  await chmod(path, 0o640);
  expect((await load()).warnings).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
});

test.each(['', 'short', 'x'.repeat(44)])(
  'a damaged secret file with the text %j is refused and left unchanged',
  async (text) => {
    await writeFile(path, text);
    await expect(load()).rejects.toThrow(/does not hold a secret any more: .*Put it back from a backup/u);
    expect(await readFile(path, 'utf8')).toBe(text);
  },
);

test('fails, and makes no second secret, if the secret that a database was set up with is missing', async () => {
  await expect(load(undefined, 'f'.repeat(64))).rejects.toThrow(
    /secret that this database was set up with is missing/u,
  );
  expect(await readdir(dataDir)).toEqual([]);
});

test('uses a configured secret and does not store it', async () => {
  const { secret } = await load('3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE');
  expect(secret.export().toString()).toBe('3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE');
  expect(await readdir(dataDir)).toEqual([]);
});

const hex = 'c14f2d0b9e8a76533f1e0d2c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978';
const base64 = 'p3Qk+0Zr/8sXwYv1uT6mNcJ4hGfD5aSl2eBi7oKj9Mw=';
const base64url = 'Zk3vQ9_s7XwYv1uT6mNcJ4hGfD5aSl2eBi7oKj9M-w0';
const severalLines = `${base64}\n${hex}`;

test.each([
  ['made by Signpost', base64url],
  ['of 64 hexadecimal digits', hex],
  ['in base64', base64],
  ['of several lines', severalLines],
  ['of any characters', 'Grün ist die Heide, 47 Käfer sitzen auf ihr'],
])(
  'a secret %s is the same from the variable, from a named file and from the data folder',
  async (_, text) => {
    const { secret } = await load(text);
    expect(secret.export().toString()).toBe(text);
    const named = join(dataDir, 'named');
    for (const written of [text, `${text}\n`, `${text}\r\n`, ` ${text} \n\n`, `\uFEFF${text}`]) {
      const asWindowsDoes = written.replaceAll(/\r?\n/gu, '\r\n');
      for (const content of [written, asWindowsDoes]) {
        for (const file of [named, path]) await writeFile(file, content, { mode: 0o600 });
        const loaded = [
          await load(content),
          await load({ file: named }, 'f'.repeat(64)),
          await load(undefined, 'f'.repeat(64)),
        ];
        expect(loaded.map((one) => [one.secret.equals(secret), one.warnings])).toEqual(
          loaded.map(() => [true, []]),
        );
      }
    }
  },
);

test('rejects a named file that does not exist, and does not create it', async () => {
  const file = join(dataDir, 'named');
  await expect(load({ file })).rejects.toThrow('The file that SIGNPOST_SECRET_FILE names is not there.');
  expect(await readdir(dataDir)).toEqual([]);
});

test.each([
  [
    'an empty one',
    Buffer.from(''),
    /SIGNPOST_SECRET_FILE\) is empty and needs at least 32 characters\. Put random/u,
  ],
  [
    'one that is too short',
    Buffer.from('short-but-random\n'),
    /has 16 characters and needs at least 32\. Put/u,
  ],
  ['32 bytes that are no text', Buffer.alloc(32, 0xc3), /is not plain text in UTF-8/u],
  ['text of two bytes a character', Buffer.from(base64, 'utf16le'), /is not plain text/u],
])('the rejection of a named file names it and the fault: %s', async (_, content, words) => {
  const file = join(dataDir, 'named');
  await writeFile(file, content);
  await expect(load({ file })).rejects.toThrow(words);
  await expect(load({ file })).rejects.toThrow(file);
});

test('says so if the named file is a folder', async () => {
  await expect(load({ file: dataDir })).rejects.toThrow(
    `The secret file ${dataDir} cannot be read: it is a folder. Name the file in it that holds the secret.`,
  );
});

test('warns about a named file that others can write, but not about one that others can only read', async () => {
  const file = join(dataDir, 'named');
  await writeFile(file, hex);
  await chmod(file, 0o444);
  expect((await load({ file })).warnings).toEqual([]);
  await chmod(file, 0o620);
  expect((await load({ file })).warnings).toEqual([expect.stringContaining(`chmod go-w ${file}`)]);
});

test('accepts random secrets in hexadecimal and in base64', async () => {
  for (let round = 0; round < 200; round += 1) {
    await load(systemRandomBytes(16).toString('hex'));
    await load(systemRandomBytes(32).toString('base64'));
  }
});

test.each([
  ['short-but-random', /has 16 characters and needs at least 32/u],
  ['changeme'.repeat(5), /repeats itself too much/u],
  ['0123456789'.repeat(4), /repeats itself too much/u],
  ['a'.repeat(64), /repeats itself too much/u],
])(
  'a configured secret that is too short or too regular is refused without being shown: %j',
  async (configured, problem) => {
    const rejection = load(configured);
    await expect(rejection).rejects.toThrow(problem);
    await expect(rejection).rejects.toThrow(/openssl rand/u);
    await expect(rejection).rejects.not.toThrow(configured);
  },
);

test('derives different keys for different purposes and secrets, and printing a key does not show it', async () => {
  const { secret } = await load();
  const pepper = deriveKey(secret, 'key-pepper');
  const other = await load('3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE');
  expect(pepper.equals(deriveKey(secret, 'key-pepper'))).toBe(true);
  expect(pepper.equals(deriveKey(secret, 'installation-fingerprint'))).toBe(false);
  expect(pepper.equals(deriveKey(other.secret, 'key-pepper'))).toBe(false);
  for (const key of [secret, pepper]) {
    const printed = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key);
    for (const encoding of ['utf8', 'hex', 'base64'] as const) {
      expect(printed).not.toContain(key.export().toString(encoding));
    }
  }
});

test('a given secret gives the pepper for API keys that is recorded in this test', async () => {
  const { secret } = await load('3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE');
  expect(deriveKey(secret, 'key-pepper').export().toString('hex')).toMatchInlineSnapshot(
    `"edad7610bf6fac677e401b945bcc3ad585aea335f01e44a50031fe00096b26a6"`,
  );
});

test('loads a secret with the white space around it only if the database was set up with that', async () => {
  const text = ' 8b1f0c6d5e4a39271605f4e3d2c1b0a99887766554433221\n';
  const asWritten = createSecretKey(Buffer.from(text));
  const file = join(dataDir, 'named');
  await writeFile(file, text);
  for (const configured of [text, { file }]) {
    const { secret } = await load(configured, secretFingerprint(asWritten));
    expect(secret.equals(asWritten)).toBe(true);
    const trimmed = createSecretKey(Buffer.from(text.trim()));
    expect((await load(configured)).secret.equals(trimmed)).toBe(true);
    expect((await load(configured, secretFingerprint(trimmed))).secret.equals(trimmed)).toBe(true);
  }
});

test('the error does not repeat a secret that was put into the wrong variable', async () => {
  const text = '8b1f0c6d5e4a39271605f4e3d2c1b0a99887766554433221';
  await expect(load({ file: join(dataDir, text) })).rejects.not.toThrow(text);
});
