import type { DirectoryInfo } from '../table/directory-data.js';
import {
  currentInfo,
  importDirectory,
  type ImportOptions,
  type ImportReport,
  removeDownloads,
} from './import-directory.js';
import { findLatestEdition, type LatestEdition } from './latest-edition.js';

export interface LatestOptions extends Omit<ImportOptions, 'source' | 'expected'> {
  /** Of the portal's search. */
  readonly searchUrl: string;
  /** Hears what the portal has, before anything of it is fetched. */
  readonly onFound?: (latest: LatestEdition) => void;
}

/** What came of it: the directory in use where that was the newest edition already, else what was imported. */
type LatestReport =
  | { readonly isUpToDate: true; readonly latest: LatestEdition; readonly info: DirectoryInfo }
  | ({ readonly isUpToDate: false; readonly latest: LatestEdition } & ImportReport);

/** Whether a directory is this edition or a newer one; one that was published again is told by when that was. */
function isAsNew(
  info: DirectoryInfo,
  { edition, publishedAt }: LatestEdition,
  withoutNorthernIreland: boolean,
): boolean {
  if (info.source !== 'ONSPD' || info.withoutNorthernIreland !== withoutNorthernIreland) return false;
  // "unknown" would sort behind all years.
  if (!/^\d/u.test(info.edition)) return false;
  return info.edition === edition ? (info.importedAt ?? '') >= publishedAt : info.edition > edition;
}

/** Imports the newest edition of the ONSPD that the portal of the Office for National Statistics has. */
export async function importLatest({ searchUrl, onFound, ...options }: LatestOptions): Promise<LatestReport> {
  const latest = await findLatestEdition(searchUrl);
  onFound?.(latest);
  const info = await currentInfo(options.dataDir);
  const isWanted = options.force === true || info === undefined;
  if (!isWanted && isAsNew(info, latest, options.excludeNorthernIreland ?? false)) {
    // Another import that is under way, or a folder that cannot be written to, takes nothing from this.
    await removeDownloads({ ...options, source: latest.url }).catch(() => undefined);
    return { isUpToDate: true, latest, info };
  }
  const report = await importDirectory({ ...options, source: latest.url, expected: latest });
  return { isUpToDate: false, latest, ...report };
}
