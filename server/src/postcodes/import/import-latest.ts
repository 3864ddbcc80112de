import { join } from 'node:path';
import { currentDirectoryFile, directoryFolder } from '../file/directory-folder.js';
import { readDirectoryFile } from '../file/read-directory-file.js';
import type { DirectoryInfo } from '../table/directory-data.js';
import {
  currentInfo,
  importDirectory,
  type ImportOptions,
  type ImportReport,
  removeDownloads,
} from './import-directory.js';
import { findLatestEdition, type LatestEdition } from './latest-edition.js';
import { olderThanCurrent, worseDirectoryError } from './worse-directory.js';

export interface LatestOptions extends Omit<ImportOptions, 'source' | 'expected'> {
  /** The address of the portal's search. */
  readonly searchUrl: string;
  /** Called with the edition that was found, before anything is downloaded. */
  readonly onFound?: (latest: LatestEdition) => void;
}

/** The information about the directory in use if nothing had to be imported, otherwise the report of the import. */
type LatestReport =
  | { readonly isUpToDate: true; readonly latest: LatestEdition; readonly info: DirectoryInfo }
  | ({ readonly isUpToDate: false; readonly latest: LatestEdition } & ImportReport);

/**
 * Whether a directory is an ONSPD at least as new as this edition, and has or lacks Northern Ireland as requested. For
 * the same edition, compares the time of the import with the publication, in case the edition was published again.
 */
function isUpToDate(
  info: DirectoryInfo,
  { edition, publishedAt }: LatestEdition,
  withoutNorthernIreland: boolean,
): boolean {
  if (info.source !== 'ONSPD' || info.withoutNorthernIreland !== withoutNorthernIreland) return false;
  // An unknown edition is treated as older: the word "unknown" would sort after all years.
  if (!/^\d/u.test(info.edition)) return false;
  if (info.edition !== edition) return info.edition > edition;
  // If the directory has no details, an older version of Signpost made it, so the edition is imported again.
  return info.hasDetails && (info.importedAt ?? '') >= publishedAt;
}

/**
 * Whether the directory in use can be read without errors, so that a server can load it. Does not check its details.
 */
async function isReadable(dataDir: string): Promise<boolean> {
  try {
    const file = await currentDirectoryFile(dataDir);
    if (file === undefined) return false;
    const { details } = await readDirectoryFile(join(directoryFolder(dataDir), file));
    details?.close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Imports the newest edition of the ONSPD from the portal of the Office for National Statistics. Imports nothing if the
 * directory in use is intact and up to date (see `isUpToDate`), unless `force` is set.
 */
export async function importLatest({ searchUrl, onFound, ...options }: LatestOptions): Promise<LatestReport> {
  const latest = await findLatestEdition(searchUrl, options.fetch);
  onFound?.(latest);
  const info = await currentInfo(options.dataDir);
  const mustImport = options.force === true || info === undefined;
  const withoutNorthernIreland = options.excludeNorthernIreland ?? false;
  if (
    !mustImport &&
    isUpToDate(info, latest, withoutNorthernIreland) &&
    (await isReadable(options.dataDir))
  ) {
    // Cleaning up is optional, so a running import or a read-only folder is no error.
    await removeDownloads({ ...options, source: latest.url }).catch(() => undefined);
    return { isUpToDate: true, latest, info };
  }
  // The age is checked before the download. The newest ONSPD may replace an NSPL of any month.
  const older = mustImport || info.source !== 'ONSPD' ? undefined : olderThanCurrent(latest.edition, info);
  if (older !== undefined) throw worseDirectoryError([older]);
  const report = await importDirectory({ ...options, source: latest.url, expected: latest });
  return { isUpToDate: false, latest, ...report };
}
