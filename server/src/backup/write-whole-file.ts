import { createWriteStream } from 'node:fs';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { RandomBytes } from '../random-bytes.js';
import { ServiceError } from '../service-error.js';
import { fileProblem } from './file-problem.js';

const ownerOnlyFile = 0o600;

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Throws a ServiceError where there is something under the name that may not be replaced. */
export async function refuseToReplace(path: string): Promise<void> {
  if (!(await exists(path))) return;
  throw new ServiceError(
    'invalidRequest',
    `There is a file ${path} already. Name another one, or say --force to replace it.`,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `flush` has the file on the disk before it gets its name. */
const writeDraft = (draft: string, text: AsyncIterable<string>): Promise<void> =>
  pipeline(
    Readable.from(text),
    createGzip(),
    createWriteStream(draft, { flags: 'wx', mode: ownerOnlyFile, flush: true }),
  );

/**
 * Writes a text, compressed with gzip, to a file that its owner alone can read; whole or not at all under that name.
 * Answers the number of bytes; throws a ServiceError where the disk is full or the file cannot be written.
 */
export async function writeWholeFile(
  path: string,
  text: AsyncIterable<string>,
  randomBytes: RandomBytes,
): Promise<number> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.partial`;
  try {
    await writeDraft(draft, text);
    const { size } = await stat(draft);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return size;
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw fileProblem(path, error);
  }
}
