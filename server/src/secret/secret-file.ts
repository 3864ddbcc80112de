import { isUtf8 } from 'node:buffer';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, ServiceError } from '../platform/errors.js';
import { makeFolder, syncFolder } from '../platform/folders.js';
import type { RandomBytes } from '../platform/random.js';
import { shownFingerprint } from './installation.js';

const SECRET_BYTES = 32;
const ownerOnlyFile = 0o600;

/** The file that holds a secret of Signpost's own making. */
export const secretFileIn = (dataDir: string): string => join(dataDir, 'secret');

/** Where the next secret waits while the database is made to go by it. */
export const nextSecretFile = (path: string): string => `${path}.next`;

/** Where the secret of before stays after that, for the backups that need it. */
export const keptSecretFile = (path: string, fingerprint: string): string =>
  `${path}.${shownFingerprint(fingerprint)}`;

const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

const READING_ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it. Give the user the right to read it and the folders around it',
  EISDIR: 'it is a folder. Name the file in it that holds the secret',
};

interface SecretFile {
  readonly text: string;
  /** Who else may do what with it, as `chmod` counts. */
  readonly mode: number;
}

/** Reads what a secret's file holds; undefined where there is none. */
export async function readSecretFile(path: string): Promise<SecretFile | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (NOT_THERE.includes(code)) return undefined;
    const advice = READING_ADVICE[code] ?? `${code}. Correct that`;
    throw new ServiceError('internal', `The secret file ${path} cannot be read: ${advice}.`, {
      cause: error,
    });
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

/** Gives a file of the same folder another name, in the place of one that has it, and has that on the disk. */
export async function renameSecretFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a secret to a file that its owner alone can read, whole or not at all, in the place of one that is there. */
export async function writeSecretFile(path: string, text: string, randomBytes: RandomBytes): Promise<void> {
  await renameSecretFile(await writeDraft(path, text, randomBytes), path);
}

/**
 * Puts a new secret into a file that its owner alone can read: whole or not at all, and never over one that is
 * there. Where another process was faster, its file stays.
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
