import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/errors.js';
import { syncFolder } from '../../platform/folders.js';
import { DirectoryFileError } from './directory-format.js';

const POINTER = 'current.json';
const FILE_NAME = /^[a-z0-9.-]+\.sgp$/u;

const pointer = z.object({ file: z.string().regex(FILE_NAME) });

/** The folder of directories in the data folder. */
export const directoryFolder = (dataDir: string) => join(dataDir, 'postcodes');

export const pointerPath = (dataDir: string) => join(directoryFolder(dataDir), POINTER);

/**
 * The name of the directory file in use; undefined if none has been imported. Throws a DirectoryFileError if the
 * pointer file is damaged.
 */
export async function currentDirectoryFile(dataDir: string): Promise<string | undefined> {
  try {
    const text = await readFile(pointerPath(dataDir), 'utf8');
    return pointer.parse(JSON.parse(text)).file;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) !== '') throw error;
    throw new DirectoryFileError(
      `${POINTER} in the folder of directories is damaged: import the directory again.`,
      error,
    );
  }
}

/**
 * Makes a file of the directory folder the one in use, atomically. `partial` is the path of a temporary file to create
 * in the same folder.
 */
export async function setCurrentDirectoryFile(dataDir: string, file: string, partial: string): Promise<void> {
  const handle = await open(partial, 'wx');
  try {
    await handle.writeFile(`${JSON.stringify({ file })}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, pointerPath(dataDir));
  await syncFolder(directoryFolder(dataDir));
}

/** The suffix of unfinished files. */
export const PARTIAL_SUFFIX = '.partial';
const DIRECTORY_SUFFIX = '.sgp';

async function removeFiles(folder: string, isUnwanted: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter(isUnwanted);
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

/**
 * Removes unfinished files of imports, except those in `keptNames`. Call it only while holding the import lock, and
 * while this import needs no other unfinished file.
 */
export const removePartialFiles = (folder: string, keptNames: readonly string[] = []) =>
  removeFiles(folder, (name) => name.endsWith(PARTIAL_SUFFIX) && !keptNames.includes(name));

/** Removes all directory files of the folder except `current`. */
export const removeOtherDirectories = (folder: string, current: string) =>
  removeFiles(folder, (name) => name.endsWith(DIRECTORY_SUFFIX) && name !== current);
