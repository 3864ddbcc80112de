import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hostFileName } from '@signpost/contract';

/**
 * A captured file that could not be written or kept. The message says what to do, and shows no path except the one that
 * the caller chose.
 */
export class OutputFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutputFileError';
  }
}

/** A file name from the page's host and the time in UTC, without extension, such as "example.com-20260102-030405". */
export function fileNameOf(pageUrl: string, now: Date): string {
  const [date = '', time = ''] = now.toISOString().slice(0, 19).replace(/[-:]/gu, '').split('T');
  return `${hostFileName(pageUrl)}-${date}-${time}`;
}

const MAX_PATH_CHARACTERS = 200;
/** Characters that a system may treat specially, as in drive names, alternate data streams and path separators. */
const NOT_IN_A_NAME = /[\p{Cc}\\:*?"<>|]/u;
/** Names that Windows treats as devices, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

const pathError = (outputFile: string, why: string) =>
  new OutputFileError(
    `outputFile ${JSON.stringify(outputFile.slice(0, 100))} cannot be used: ${why}. Give a plain name such as "page.pdf", or leave it out.`,
  );

/**
 * Splits a path that a caller chose into folders below the output folder and a file name, which gets the extension if
 * it has none. Throws OutputFileError if the path is too long or not relative, has a part that begins with a dot or
 * that not every system accepts, or has another extension.
 */
export function splitOutputFile(outputFile: string, extension: string): { folders: string[]; name: string } {
  if (outputFile.length > MAX_PATH_CHARACTERS)
    throw pathError(outputFile, `it has more than ${MAX_PATH_CHARACTERS} characters`);
  const parts = outputFile.split('/');
  for (const part of parts) {
    if (part === '' || part === '~')
      throw pathError(outputFile, 'it must be relative to the output folder and name a file');
    if (part.startsWith('.')) throw pathError(outputFile, 'no part of it may begin with a dot');
    if (NOT_IN_A_NAME.test(part) || DEVICE.test(part) || /[. ]$/u.test(part))
      throw pathError(outputFile, 'it has characters or names that not every system takes');
  }
  const folders = parts.slice(0, -1);
  const last = parts.at(-1) ?? '';
  const ending = /\.([^.]+)$/u.exec(last)?.[1]?.toLowerCase();
  if (ending === undefined) return { folders, name: `${last}.${extension}` };
  const isRight = ending === extension || (extension === 'jpg' && ending === 'jpeg');
  if (!isRight) throw pathError(outputFile, `it must end in .${extension}`);
  return { folders, name: last };
}

const folderError = (folders: readonly string[], folder: string) =>
  pathError(folders.join('/'), `${folder} is a link, a file, or cannot be made`);

/**
 * Returns the path of nested folders below `root`, and creates missing ones. Throws OutputFileError if one of
 * them is a link or a file, or cannot be created.
 */
export async function enterFolders(root: string, folders: readonly string[]): Promise<string> {
  let path = root;
  for (const folder of folders) {
    path = join(path, folder);
    await mkdir(path, { mode: 0o700 }).catch(() => undefined);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory() !== true) throw folderError(folders, folder);
  }
  return path;
}

/**
 * Returns the path of the deepest of the nested folders that exists, or `root` if none does. Throws OutputFileError if
 * one of them is a link or a file.
 */
export async function findLastFolder(root: string, folders: readonly string[]): Promise<string> {
  let path = root;
  for (const folder of folders) {
    const found = await lstat(join(path, folder)).catch(() => undefined);
    if (found === undefined) break;
    if (!found.isDirectory()) throw folderError(folders, folder);
    path = join(path, folder);
  }
  return path;
}
