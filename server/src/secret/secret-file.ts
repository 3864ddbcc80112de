import { isUtf8 } from 'node:buffer';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, reasonOf, ServiceError } from '../platform/errors.js';
import { makeFolder, syncFolder } from '../platform/folders.js';
import type { RandomBytes } from '../platform/random.js';
import { shownFingerprint } from './installation.js';

const SECRET_BYTES = 32;
const ownerOnlyFile = 0o600;

/** The path of the file that holds the secret unless another secret is configured. Signpost creates it. */
export const secretFileIn = (dataDir: string): string => join(dataDir, 'secret');

/** The path of the file that holds the new secret while the database is moved to that secret. */
export const nextSecretFile = (path: string): string => `${path}.next`;

/**
 * The path of the file that keeps a replaced secret, which older backups need. `fingerprint` is that of the replaced
 * secret.
 */
export const keptSecretFile = (path: string, fingerprint: string): string =>
  `${path}.${shownFingerprint(fingerprint)}`;

const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

const READING_ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Give this user the right to read it and the folders around it.',
  EISDIR: 'Name the file in it that holds the secret.',
};

interface SecretFile {
  readonly text: string;
  /** The file's mode, which includes its permission bits. */
  readonly mode: number;
}

/** Reads a secret's file; undefined if there is none. Throws a ServiceError if it cannot be read or is not UTF-8. */
export async function readSecretFile(path: string): Promise<SecretFile | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (NOT_THERE.includes(code)) return undefined;
    const words = `The secret file ${path} cannot be read: ${reasonOf(error)}. ${READING_ADVICE[code] ?? 'Correct that.'}`;
    throw new ServiceError('internal', words, { cause: error });
  }
  if (!isUtf8(bytes)) {
    throw new ServiceError(
      'internal',
      `The secret file ${path} is not plain text in UTF-8. Put the secret there as text.`,
    );
  }
  const { mode } = await stat(path);
  return { text: bytes.toString('utf8'), mode };
}

async function writeDraft(path: string, text: string, randomBytes: RandomBytes): Promise<string> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', ownerOnlyFile);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}

/** Renames a file within its folder, replacing any existing file, and syncs the folder to disk. */
export async function renameSecretFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a secret atomically to a file that only its owner can read, replacing any existing file. */
export async function writeSecretFile(path: string, text: string, randomBytes: RandomBytes): Promise<void> {
  await renameSecretFile(await writeDraft(path, text, randomBytes), path);
}

/**
 * Generates a secret and writes it atomically to a file that only its owner can read. Never overwrites: if another
 * process was faster, that process's file stays.
 */
export async function createSecretFile(path: string, randomBytes: RandomBytes): Promise<void> {
  await makeFolder(dirname(path));
  const text = `${randomBytes(SECRET_BYTES).toString('base64url')}\n`;
  const draft = await writeDraft(path, text, randomBytes);
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(dirname(path));
}
