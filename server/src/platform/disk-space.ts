import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  /** What this user may still write. */
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** How much room the disk of a folder has; undefined where that cannot be told. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  if (stats === undefined) return undefined;
  return { freeBytes: stats.bavail * stats.bsize, sizeBytes: stats.blocks * stats.bsize };
}
