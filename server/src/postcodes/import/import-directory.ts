import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Clock } from '../../platform/clock.js';
import { errorCode, reasonOf } from '../../platform/errors.js';
import { makeFolder, syncFolder } from '../../platform/folders.js';
import {
  currentDirectoryFile,
  directoryFolder,
  PARTIAL_SUFFIX,
  removeOtherDirectories,
  removePartialFiles,
  setCurrentDirectoryFile,
} from '../file/directory-folder.js';
import { DetailSpool } from '../file/detail-spool.js';
import { readDirectoryInfo } from '../file/read-directory-file.js';
import { writeDirectoryFile } from '../file/write-directory-file.js';
import type { ByNameColumn, DirectoryData, DirectoryInfo } from '../table/directory-data.js';
import { BrokenOffError, download, downloadPaths, removeDownload } from './download.js';
import { compareDirectoryFiles, type EditionChanges } from './edition-changes.js';
import type { Fetch } from './fetch-following.js';
import { takeImportLock } from './import-lock.js';
import { BY_HAND, type LatestEdition } from './latest-edition.js';
import { fileNameOfUrl, isUrl } from './open-source.js';
import { readEdition } from './read-edition.js';
import { IMPORT_BOUNDS, type ImportBounds, ImportError } from './import-error.js';
import { olderThanCurrent, regressions, worseDirectoryError } from './worse-directory.js';

/** The result of an import. */
export interface ImportReport {
  readonly info: DirectoryInfo;
  /** Rows that were dropped because another row has the same postcode. */
  readonly duplicates: number;
  /** The number of distinct codes in each column that have a name neither in a table nor in a closed list. */
  readonly unknownCodes: ByNameColumn<number>;
  /**
   * The ways in which the imported directory is older or much worse than the previous one. Only `force` imports such
   * a directory.
   */
  readonly muchWorse: readonly string[];
  /** The changes since the previous directory; null if that was the sample, or the two cannot be compared. */
  readonly changes: EditionChanges | null;
  readonly seconds: number;
}

export interface ImportProgress {
  readonly phase: 'download' | 'read' | 'write' | 'compare';
  readonly doneBytes: number;
  /** The total size in this phase; undefined if it is not known. */
  readonly totalBytes: number | undefined;
  /** The name of the source, if it is known. */
  readonly what?: string;
}

export interface ImportOptions {
  /** Path of a zip or csv file or of a folder with csv files, or the http or https address of a zip or csv file. */
  readonly source: string;
  /** The name of an uploaded file, used instead of the path in messages and to recognise the edition. */
  readonly name?: string | undefined;
  /** Replaces the system's fetch. */
  readonly fetch?: Fetch | undefined;
  /** The edition that the source must contain, because the portal says so. */
  readonly expected?: LatestEdition;
  readonly dataDir: string;
  readonly clock: Clock;
  /** Leaves out all BT postcodes, which have a licence of their own. */
  readonly excludeNorthernIreland?: boolean;
  /** Imports a directory even if it is older or much worse than the one in use. */
  readonly force?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Replaces some of the usual bounds, for tests. */
  readonly bounds?: Partial<ImportBounds>;
}

/** Error codes of writing files, to distinguish them from errors of fetching and reading the source. */
const WRITE_ERRORS = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EACCES',
  'EPERM',
  'EROFS',
  'SQLITE_FULL',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/** For an error in writing files, returns an ImportError that names the folder. Returns other errors unchanged. */
function explainError(error: unknown, folder: string): unknown {
  if (!WRITE_ERRORS.has(errorCode(error))) return error;
  return new ImportError(`The directory cannot be written to ${folder}: ${reasonOf(error)}.`, error);
}

/** The information of the directory in use; undefined if there isn't one, or it cannot be read. */
export async function currentInfo(dataDir: string): Promise<DirectoryInfo | undefined> {
  try {
    const file = await currentDirectoryFile(dataDir);
    return file === undefined ? undefined : await readDirectoryInfo(join(directoryFolder(dataDir), file));
  } catch {
    return undefined;
  }
}

/** Throws an ImportError if the content of an archive is not the edition that the portal says. */
function assertExpectedEdition({ title, edition }: LatestEdition, info: DirectoryInfo): void {
  if (info.source === 'ONSPD' && info.edition === edition) return;
  throw new ImportError(
    `The portal's "${title}" holds the ${info.source} of ${info.edition}: it was not imported.`,
  );
}

async function fetchAndRead(options: ImportOptions, folder: string, spool: DetailSpool) {
  const { source, clock, expected, onProgress = () => undefined } = options;
  const bounds = { ...IMPORT_BOUNDS, ...options.bounds };
  const readingOptions = {
    withoutNorthernIreland: options.excludeNorthernIreland ?? false,
    importedAt: new Date(clock()).toISOString(),
    bounds,
    spool,
    onBytes: (doneBytes: number, totalBytes: number) => {
      onProgress({ phase: 'read', doneBytes, totalBytes });
    },
  };
  if (!isUrl(source)) return readEdition(source, options.name ?? basename(resolve(source)), readingOptions);
  const paths = downloadPaths(folder, source);
  const { maxDownloadBytes: maxBytes } = bounds;
  try {
    const onBytes = (doneBytes: number, totalBytes: number | undefined) => {
      onProgress({ phase: 'download', doneBytes, totalBytes });
    };
    const { fetch } = options;
    await download({ ...paths, url: source, maxBytes, expectedBytes: expected?.bytes, fetch, onBytes });
    const edition = await readEdition(paths.path, expected?.name ?? fileNameOfUrl(source), readingOptions);
    if (expected !== undefined) assertExpectedEdition(expected, edition.data.info);
    return edition;
  } catch (error) {
    if (!(error instanceof BrokenOffError)) await removeDownload(paths);
    if (expected === undefined || !(error instanceof ImportError)) throw error;
    throw new ImportError(`${error.message} ${BY_HAND}`, error);
  }
}

/** Writes a new directory file and makes it the one in use. Returns its name. */
async function publish(
  data: DirectoryData,
  { dataDir, onProgress }: Pick<ImportOptions, 'dataDir' | 'onProgress'>,
): Promise<string> {
  const folder = directoryFolder(dataDir);
  const partial = join(folder, `import-${randomUUID()}${PARTIAL_SUFFIX}`);
  try {
    const checksum = await writeDirectoryFile(partial, data, (doneBytes, totalBytes) =>
      onProgress?.({ phase: 'write', doneBytes, totalBytes }),
    );
    const name = `${data.info.source.toLowerCase()}-${data.info.edition}-${checksum}.sgp`;
    await rename(partial, join(folder, name));
    await syncFolder(folder);
    await setCurrentDirectoryFile(dataDir, name, partial);
    return name;
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * Reads the source, and makes it the directory in use. Throws an ImportError if it is older or much worse than the
 * current one, unless forced.
 */
async function readAndPublish(options: ImportOptions, folder: string) {
  const spool = await DetailSpool.create(join(folder, `details-${randomUUID()}${PARTIAL_SUFFIX}`));
  try {
    return await publishUnlessWorse(options, await fetchAndRead(options, folder, spool));
  } finally {
    await spool.remove();
  }
}

async function publishUnlessWorse(
  options: ImportOptions,
  { data, isEditionNamed, duplicates, unknownCodes }: Awaited<ReturnType<typeof fetchAndRead>>,
) {
  const current = await currentInfo(options.dataDir);
  const muchWorse: string[] = [];
  if (current !== undefined) {
    const isOtherProduct = options.expected !== undefined && current.source !== data.info.source;
    const older = isOtherProduct ? undefined : olderThanCurrent(data.info.edition, current, isEditionNamed);
    if (older !== undefined) muchWorse.push(older);
    muchWorse.push(...regressions(data.info, current));
  }
  if (muchWorse.length > 0 && options.force !== true) throw worseDirectoryError(muchWorse);
  options.onProgress?.({ phase: 'write', doneBytes: 0, totalBytes: undefined });
  const file = await publish(data, options);
  return { file, summary: { info: data.info, duplicates, unknownCodes, muchWorse } };
}

/**
 * Compares the new directory with the previous one. Returns null if there was none, or if the comparison fails: the new
 * one is already in use, so an error here does not make the import fail.
 */
async function changesSince(
  before: string | undefined,
  now: string,
  folder: string,
  onProgress: ImportOptions['onProgress'],
) {
  if (before === undefined) return null;
  onProgress?.({ phase: 'compare', doneBytes: 0, totalBytes: undefined });
  try {
    return await compareDirectoryFiles(join(folder, before), join(folder, now), (doneBytes, totalBytes) =>
      onProgress?.({ phase: 'compare', doneBytes, totalBytes }),
    );
  } catch {
    return null;
  }
}

/** The name of the directory file in use; undefined if there isn't one, or the name cannot be read. */
const currentFile = (dataDir: string) => currentDirectoryFile(dataDir).catch(() => undefined);

/**
 * Runs `work` with the path of the directory folder while holding the import lock. Throws an ImportError if another
 * import holds the lock, or if a file cannot be written.
 */
export async function whileLocked<Result>(
  { dataDir, source, clock }: Pick<ImportOptions, 'dataDir' | 'source' | 'clock'>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = directoryFolder(dataDir);
  try {
    await makeFolder(folder);
    const lock = await takeImportLock(dataDir, source, clock);
    try {
      return await work(folder);
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw explainError(error, folder);
  }
}

/**
 * Removes all partial files of earlier imports, interrupted downloads included. Throws an ImportError if another import
 * is running.
 */
export const removeDownloads = (
  options: Pick<ImportOptions, 'dataDir' | 'source' | 'clock'>,
): Promise<void> => whileLocked(options, (folder) => removePartialFiles(folder));

/**
 * Imports an edition of the ONSPD or the NSPL. The new directory comes into use in a single step once it is completely
 * written; until then, the previous one stays in use. Throws an ImportError that says what is wrong and, for an error
 * in a file, where.
 */
export async function importDirectory(options: ImportOptions): Promise<ImportReport> {
  const { dataDir, source, clock, onProgress } = options;
  const startedAt = clock();
  return whileLocked(options, async (folder) => {
    const { path, statePath } = downloadPaths(folder, source);
    await removePartialFiles(
      folder,
      [path, statePath, source].map((file) => basename(file)),
    );
    const before = await currentFile(dataDir);
    const { file, summary } = await readAndPublish(options, folder);
    const changes = await changesSince(before, file, folder, onProgress);
    await removeOtherDirectories(folder, file);
    await removePartialFiles(folder);
    return { ...summary, changes, seconds: (clock() - startedAt) / 1000 };
  });
}
