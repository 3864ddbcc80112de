import { isUtf8 } from 'node:buffer';
import { link, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, ServiceError } from '../platform/errors.js';
import { makeFolder } from '../platform/folders.js';
import type { RandomBytes } from '../platform/random.js';

const secretBytes = 32;
const ownerOnlyFile = 0o600;

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
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new ServiceError(
      'internal',
      `The secret file ${path} cannot be read: ${errorCode(error)}. Put that right.`,
      {
        cause: error,
      },
    );
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

/**
 * Puts a new secret into a file that its owner alone can read: whole or not at all, and never over one that is
 * there. Where another process was faster, its file stays.
 */
export async function createSecretFile(path: string, randomBytes: RandomBytes): Promise<void> {
  await makeFolder(dirname(path));
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', ownerOnlyFile);
  try {
    await handle.writeFile(`${randomBytes(secretBytes).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(dirname(path));
}
