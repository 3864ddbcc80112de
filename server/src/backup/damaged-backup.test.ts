import { createHmac, createSecretKey } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { ServiceError } from '../platform/errors.js';
import { VERSION } from '../platform/version.js';
import { backUpInstallation } from './back-up-installation.js';
import { restoreInstallation } from './restore-installation.js';
import {
  bind,
  clock,
  createTestInstallation,
  keptRows,
  type TestInstallation,
} from '../../../test/fixtures/backup/test-installation.js';

const CUTS = 40;
const FLIPS = 120;

let installation: TestInstallation;
let path: string;
let whole: Buffer;
let before: unknown;

beforeAll(async () => {
  installation = await createTestInstallation();
  path = join(installation.folder, 'signpost.backup');
  const { db } = installation.storage;
  await bind(db);
  const ids = Array.from({ length: 200 }, (_, index) => index);
  await db('return_urls').insert(
    ids.map((id) => ({ id: `ret_${id}`, url: `https://${id}.example/`, name: `App ${id}`, created_at: id })),
  );
  await backUpInstallation({ location: installation.location, path, force: false, clock, randomBytes });
  whole = await readFile(path);
  await db('return_urls').where('created_at', '>', 100).delete();
  before = await keptRows(db);
});

afterAll(() => installation.remove());

async function restored(bytes: Buffer): Promise<unknown> {
  await writeFile(path, bytes);
  return restoreInstallation({ location: installation.location, path, force: false, randomBytes }).then(
    () => 'restored',
    (error: unknown) => error,
  );
}

async function rejection(bytes: Buffer): Promise<string> {
  const error = await restored(bytes);
  expect(error).toBeInstanceOf(ServiceError);
  return String(error);
}

const textOf = () => gunzipSync(whole).toString();
const linesOf = () => textOf().trimEnd().split('\n');
const packed = (lines: readonly string[]) => gzipSync(lines.map((line) => `${line}\n`).join(''));

test('rejects a backup that is cut off at any of many places, and changes nothing', async () => {
  for (let cut = 0; cut < CUTS; cut += 1) {
    const words = await rejection(whole.subarray(0, Math.floor((whole.length * cut) / CUTS)));
    expect(words).toMatch(cut < CUTS / 2 ? /cut off|first bytes of one/u : /cut off/u);
  }
  expect(await rejection(whole.subarray(0, -1))).toMatch(/cut off/u);
  for (const count of [1, 2, 50])
    expect(await rejection(packed(linesOf().slice(0, -count)))).toMatch(/cut off/u);
  expect(await keptRows(installation.storage.db)).toEqual(before);
});

test('rejects a backup with one flipped bit at any of many places after the gzip header', async () => {
  let refused = 0;
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const bytes = Buffer.from(whole);
    const at = Math.floor((bytes.length * flip) / FLIPS);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8));
    // Skips the ten bytes of the gzip header, because the time and the system in it have no effect.
    if (at < 10) continue;
    expect(await rejection(bytes)).toMatch(/was changed|cut off|not a backup|another version/u);
    refused += 1;
  }
  expect(refused).toBeGreaterThan(FLIPS / 2);
  expect(await keptRows(installation.storage.db)).toEqual(before);
});

test('rejects a backup in which a row was changed, left out, repeated or added', async () => {
  const lines = linesOf();
  const row = lines.findIndex((line) => line.includes('App 7"'));
  const with_ = (change: (copy: string[]) => void) => {
    const copy = [...lines];
    change(copy);
    return packed(copy);
  };
  for (const changed of [
    with_((copy) => (copy[row] = (copy[row] ?? '').replace('App 7', 'App 8'))),
    with_((copy) => copy.splice(row, 1)),
    with_((copy) => copy.splice(row, 0, copy[row] ?? '')),
    with_((copy) => copy.push(copy[row] ?? '')),
    with_((copy) => copy.splice(row, 1, '[null]')),
    with_((copy) => copy.splice(row, 1, '{"table":"sessions"}')),
    with_((copy) => copy.splice(row, 1, 'not JSON')),
  ]) {
    expect(await rejection(changed)).toMatch(/was changed/u);
  }
  expect(await keptRows(installation.storage.db)).toEqual(before);
});

test('rejects a well-formed backup made without the secret', async () => {
  const { createHash } = await import('node:crypto');
  const lines = linesOf()
    .slice(0, -1)
    .map((line) => line.replace('App 7"', 'Evil"'));
  const sha256 = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
  const mac = createHmac('sha256', createSecretKey(Buffer.from('a guess')))
    .update(sha256)
    .digest('hex');
  const footer = { ...JSON.parse(linesOf().at(-1) ?? ''), sha256, mac };
  expect(await rejection(packed([...lines, JSON.stringify(footer)]))).toMatch(
    /not written with this installation's secret/u,
  );
  expect(await keptRows(installation.storage.db)).toEqual(before);
});

test('says why it rejects a file that is not a backup, or a backup of a newer version', async () => {
  const [header = '', ...others] = linesOf();
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('PK\u0003\u0004'),
    Buffer.from(header),
    gzipSync('hello\n'),
    gzipSync('{"a":1}\n'),
    gzipSync(Buffer.alloc(3_000_000)),
  ]) {
    expect(await rejection(bytes)).toMatch(/not a backup/u);
  }
  const newer = header.replace(`"program":"${VERSION}"`, '"program":"9.0.0"');
  expect(
    await rejection(packed([newer.replace('"formatVersion":1', '"formatVersion":2'), ...others])),
  ).toMatch(/Signpost 9\.0\.0 in a newer format/u);
  const migrated = newer.replace('"migrations":[', '"migrations":["000-unknown",');
  expect(await rejection(packed([migrated, ...others]))).toMatch(/another version of Signpost, 9\.0\.0/u);
});

test('names a backup that cannot be read, with the reason', async () => {
  const restoreFrom = (file: string) =>
    restoreInstallation({ location: installation.location, path: file, force: false, randomBytes });
  const [none, aFolder] = [join(installation.folder, 'none'), join(installation.folder, 'folder')];
  await expect(restoreFrom(none)).rejects.toThrow(`${none} cannot be used: there is no such file or folder`);
  await mkdir(aFolder);
  await expect(restoreFrom(aFolder)).rejects.toThrow(`${aFolder} cannot be used: it is a folder`);
});

test('names a backup that cannot be written, with the reason, and leaves nothing behind', async () => {
  const backUpTo = (file: string) =>
    backUpInstallation({ location: installation.location, path: file, force: true, clock, randomBytes });
  const [none, other] = [join(installation.folder, 'none', 'b'), join(installation.folder, 'other')];
  await mkdir(other);
  const filesBefore = await readdir(installation.folder, { recursive: true });
  await expect(backUpTo(none)).rejects.toThrow(`${none} cannot be used: there is no such file or folder`);
  await expect(backUpTo(other)).rejects.toThrow(`${other} cannot be used: it is a folder`);
  expect(await readdir(installation.folder, { recursive: true })).toEqual(filesBefore);
});
