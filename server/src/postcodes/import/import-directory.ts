import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../platform/clock.js';
import { errorCode } from '../../platform/errors.js';
import { makeFolder } from '../../platform/folders.js';
import {
  currentDirectoryFile,
  directoryFolder,
  PARTIAL_SUFFIX,
  removeOtherDirectories,
  removePartialFiles,
  setCurrentDirectoryFile,
  syncFolder,
} from '../file/directory-folder.js';
import { readDirectoryInfo } from '../file/read-directory-file.js';
import { writeDirectoryFile } from '../file/write-directory-file.js';
import {
  type ByNameColumn,
  type DirectoryData,
  type DirectoryInfo,
  type FillPercent,
  NAME_COLUMNS,
} from '../table/directory-data.js';
import { takeImportLock } from './import-lock.js';
import { download, fileNameOfUrl, isUrl } from './open-source.js';
import { readEdition } from './read-edition.js';
import { IMPORT_BOUNDS, type ImportBounds, ImportError } from './refusals.js';

/** What an import has come to. */
export interface ImportReport {
  readonly info: DirectoryInfo;
  /** Rows that gave way to a later row with the same postcode. */
  readonly duplicates: number;
  /** How many distinct codes of each column no table of names has words for. */
  readonly unknownCodes: ByNameColumn<number>;
  /** In what it is much worse than the directory before, where that was overruled. */
  readonly muchWorse: readonly string[];
  readonly seconds: number;
}

export interface ImportProgress {
  readonly phase: 'download' | 'read' | 'write';
  readonly doneBytes: number;
  /** Undefined where it is not known. */
  readonly totalBytes: number | undefined;
}

const MAX_ROWS_LOST_PERCENT = 10;
const MAX_FILL_LOST_POINTS = 10;
const FILLED: readonly (keyof FillPercent)[] = ['coordinates', ...NAME_COLUMNS];

/** In what a directory is much worse than the one in use; empty where it is not. */
export function whatIsMuchWorse(next: DirectoryInfo, current: DirectoryInfo): string[] {
  if (current.isSample) return [];
  const worse: string[] = [];
  const leastRows = current.rows * (1 - MAX_ROWS_LOST_PERCENT / 100);
  if (next.rows < leastRows) worse.push(`it has ${next.rows} rows instead of ${current.rows}`);
  for (const column of FILLED) {
    const before = current.fillPercent[column];
    const after = next.fillPercent[column];
    if (before - after > MAX_FILL_LOST_POINTS) {
      worse.push(`${column} is filled in ${after} % of the rows instead of ${before} %`);
    }
  }
  return worse;
}

export interface ImportOptions {
  /** Path of a zip or csv file, or an http or https address of one. */
  readonly source: string;
  readonly dataDir: string;
  readonly clock: Clock;
  /** Leaves every BT postcode out: those have a licence of their own. */
  readonly excludeNorthernIreland?: boolean;
  /** Takes a directory that is much worse than the one in use. */
  readonly force?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Other bounds than the usual ones. */
  readonly bounds?: Partial<ImportBounds>;
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);
const NOT_ALLOWED = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']);

/** Puts a failure to write into words; other errors stay as they are. */
function explained(error: unknown, folder: string): unknown {
  const code = errorCode(error);
  if (NO_SPACE.has(code)) {
    return new ImportError(`There is not enough space for the directory in ${folder} (${code}).`, error);
  }
  return NOT_ALLOWED.has(code)
    ? new ImportError(`The folder ${folder} cannot be written to (${code}).`, error)
    : error;
}

/** What the directory in use says of itself; undefined where there is none, or none that can be read. */
async function currentInfo(dataDir: string): Promise<DirectoryInfo | undefined> {
  try {
    const file = await currentDirectoryFile(dataDir);
    return file === undefined ? undefined : await readDirectoryInfo(join(directoryFolder(dataDir), file));
  } catch {
    return undefined;
  }
}

async function fetchAndRead(options: ImportOptions, folder: string) {
  const { source, clock, onProgress = () => undefined } = options;
  const bounds = { ...IMPORT_BOUNDS, ...options.bounds };
  const reading = {
    withoutNorthernIreland: options.excludeNorthernIreland ?? false,
    importedAt: new Date(clock()).toISOString(),
    bounds,
    onBytes: (doneBytes: number, totalBytes: number) => {
      onProgress({ phase: 'read', doneBytes, totalBytes });
    },
  };
  if (!isUrl(source)) return readEdition(source, basename(source), reading);
  const fetched = join(folder, `download-${randomUUID()}${PARTIAL_SUFFIX}`);
  try {
    await download(source, fetched, bounds.maxDownloadBytes, (doneBytes, totalBytes) => {
      onProgress({ phase: 'download', doneBytes, totalBytes });
    });
    return await readEdition(fetched, fileNameOfUrl(source), reading);
  } finally {
    await rm(fetched, { force: true });
  }
}

async function publish(data: DirectoryData, dataDir: string): Promise<void> {
  const folder = directoryFolder(dataDir);
  const partial = join(folder, `import-${randomUUID()}${PARTIAL_SUFFIX}`);
  try {
    const checksum = await writeDirectoryFile(partial, data);
    const name = `${data.info.source.toLowerCase()}-${data.info.edition}-${checksum}.sgp`;
    await rename(partial, join(folder, name));
    await syncFolder(folder);
    await setCurrentDirectoryFile(dataDir, name, partial);
    await removeOtherDirectories(folder, name);
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * Imports an edition of the ONSPD or the NSPL and makes it the directory in use, in one step at the very end:
 * until then, and whatever happens, the one before stays. Throws an ImportError that says what is wrong and where.
 */
export async function importDirectory(options: ImportOptions): Promise<ImportReport> {
  const { dataDir, source, clock } = options;
  const folder = directoryFolder(dataDir);
  const startedAt = clock();
  try {
    await makeFolder(folder);
    const lock = await takeImportLock(dataDir, source, clock);
    try {
      await removePartialFiles(folder);
      const { data, duplicates, unknownCodes } = await fetchAndRead(options, folder);
      const current = await currentInfo(dataDir);
      const muchWorse = current === undefined ? [] : whatIsMuchWorse(data.info, current);
      if (muchWorse.length > 0 && options.force !== true) {
        throw new ImportError(
          `The directory was not taken, for it is much worse than the one in use: ${muchWorse.join('; ')}. To take it all the same, add --force.`,
        );
      }
      options.onProgress?.({ phase: 'write', doneBytes: 0, totalBytes: undefined });
      await publish(data, dataDir);
      return { info: data.info, duplicates, unknownCodes, muchWorse, seconds: (clock() - startedAt) / 1000 };
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw explained(error, folder);
  }
}
