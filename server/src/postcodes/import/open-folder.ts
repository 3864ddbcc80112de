import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { reasonOf } from '../../platform/errors.js';
import { ImportError } from './import-error.js';
import { holdsRows, isZip, MULTI_CSV, type Source, type SourceFile } from './source-files.js';

const BYTES_PER_CHUNK = 1024 * 1024;

/** A file on disk. Messages call it by `name`. */
export const sourceFile = (path: string, name: string, bytes: number): SourceFile => ({
  name,
  bytes,
  open: async () => {
    const file = await open(path).catch((error: unknown) => {
      throw new ImportError(`${name} cannot be read: ${reasonOf(error)}.`, error);
    });
    return file.createReadStream({ highWaterMark: BYTES_PER_CHUNK });
  },
});

/**
 * The relative paths of all files within a folder. Files in subfolders come after the folder's own files. Throws an
 * ImportError if there are more than `maxFiles` files and folders, including the folder itself.
 */
async function pathsWithin(folder: string, name: string, maxFiles: number): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (const inner of folders) {
    const entries = await readdir(join(folder, inner), { withFileTypes: true });
    for (const entry of entries) {
      const path = inner + entry.name;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else paths.push(path);
    }
    if (paths.length + folders.length > maxFiles) {
      throw new ImportError(
        `${name} has more than ${maxFiles} files and folders, which no edition has: name the folder that the archive was unpacked to.`,
      );
    }
  }
  return paths;
}

/**
 * Opens a folder, such as an unpacked archive or its "multi_csv" folder. Throws an ImportError if it exceeds
 * `maxFiles`, or if no csv file in it can contain rows, by its name.
 */
export async function openFolder(path: string, maxFiles: number): Promise<Source> {
  const folder = resolve(path);
  const name = basename(folder);
  const paths = await pathsWithin(folder, name, maxFiles);
  const parent = MULTI_CSV.test(`${name}/`) ? `${name}/` : '';
  const files: SourceFile[] = [];
  for (const inner of paths) {
    const found = await stat(join(folder, inner)).catch(() => undefined);
    if (found?.isFile() === true) files.push(sourceFile(join(folder, inner), parent + inner, found.size));
  }
  if (!files.some(holdsRows)) {
    const zip = files.find(isZip);
    throw new ImportError(
      `${name} is a folder without a postcode directory: looked for Data/ONSPD_….csv, Data/multi_csv/….csv and any other csv file` +
        `${zip === undefined ? '' : `. To import ${zip.name}, name it instead of its folder`}.`,
    );
  }
  return { files, close: () => undefined };
}
