import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import { errorCode, meaningOf, ServiceError } from '../platform/errors.js';
import { syncFolder } from '../platform/folders.js';
import type { RandomBytes } from '../platform/random.js';

/** Turns an expected error about a backup file into one that says what to do. Returns other errors unchanged. */
function fileProblem(path: string, error: unknown): unknown {
  const why = meaningOf(error);
  if (why === undefined) return error;
  const words = `The file ${path} cannot be used: ${why}. Correct that, or name another file.`;
  return new ServiceError('invalidRequest', words, { cause: error });
}

export const notABackup = (path: string, cause?: unknown) =>
  new ServiceError('invalidRequest', `${path} is not a backup of Signpost, or only the first bytes of one.`, {
    cause,
  });

export const truncatedBackup = (path: string, cause?: unknown) =>
  new ServiceError(
    'invalidRequest',
    `The backup ${path} is cut off: its end is missing. Use another copy of it, or another backup.`,
    { cause },
  );

export const changedBackup = (path: string, cause?: unknown) =>
  new ServiceError(
    'invalidRequest',
    `The backup ${path} was changed after it was written, or its disk is damaged. Use another copy of it, or another ` +
      'backup.',
    { cause },
  );

const ownerOnlyFile = 0o600;

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Throws a ServiceError if a file of that name exists. */
export async function rejectExistingFile(path: string): Promise<void> {
  if (!(await exists(path))) return;
  throw new ServiceError(
    'invalidRequest',
    `The file ${path} already exists. Choose another name, or add --force to replace it.`,
  );
}

// `flush` writes the draft to the disk before it is renamed.
const writeDraft = (draft: string, text: AsyncIterable<string>): Promise<void> =>
  pipeline(
    Readable.from(text),
    createGzip(),
    createWriteStream(draft, { flags: 'wx', mode: ownerOnlyFile, flush: true }),
  );

/**
 * Writes a text, compressed with gzip, to a file that only its owner can read. Returns the size of the file in bytes.
 * Throws a ServiceError if the disk is full or the file cannot be written; then there is no new file, and an existing
 * one of that name is unchanged.
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

/** A file with longer lines is not a backup. */
const MAX_LINE_CHARACTERS = 1_000_000;

/** Turns an error of zlib, or of reading the file, into one that says what is wrong with the backup. */
function problemOf(path: string, error: unknown, isBegun: boolean): unknown {
  if (error instanceof ServiceError) return error;
  const code = errorCode(error);
  if (code === 'Z_BUF_ERROR') return isBegun ? truncatedBackup(path, error) : notABackup(path, error);
  if (code.startsWith('Z_')) return isBegun ? changedBackup(path, error) : notABackup(path, error);
  return fileProblem(path, error);
}

/**
 * The lines of a text compressed with gzip, without line ends. A last line without a line end is left out. Throws a
 * ServiceError if the file cannot be read, is not compressed, is cut off, was changed as far as gzip can tell, or has a
 * line that is too long for a backup.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip();
  file.once('error', (error) => text.destroy(error)).pipe(text);
  const chunks: AsyncIterable<Buffer> = text;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isBegun = false;
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_CHARACTERS) throw isBegun ? changedBackup(path) : notABackup(path);
      for (const line of lines) {
        yield line;
        isBegun = true;
      }
    }
  } catch (error) {
    throw problemOf(path, error, isBegun);
  } finally {
    file.destroy();
    text.destroy();
  }
}
