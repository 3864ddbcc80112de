import { LIMITS } from '@signpost/contract';
import { access, constants, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';

/** Where Linux keeps what programs share in memory; other systems have no such folder. */
const FOLDER = '/dev/shm';

const BYTES_PER_PIXEL = 4;
/** A page's painted tiles, of which Chromium keeps some 540 MB at most, and what little else it shares. */
const TILES_BYTES = 600_000_000;

interface Captures {
  /** As many as there may be at the same time. */
  readonly concurrency: number;
  readonly maxPageHeightPixels: number;
}

/** What is free, and of what a service or a container may use, no more than half. */
function usableBytes(): number {
  const limit = process.constrainedMemory();
  return limit === 0 ? freemem() : Math.min(freemem(), limit / 2);
}

/**
 * Whether a browser may keep its bitmaps there, which is faster than in files of the temporary folder. It needs room
 * for the tallest and widest captures at once: a browser that runs out of it answers blank pictures.
 */
export async function fitsSharedMemory(
  { concurrency, maxPageHeightPixels }: Captures,
  memoryBytes = usableBytes(),
  folder = FOLDER,
): Promise<boolean> {
  const pictureBytes = LIMITS.viewport.maxPixels * maxPageHeightPixels * BYTES_PER_PIXEL;
  const neededBytes = concurrency * (pictureBytes + TILES_BYTES);
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return Math.min(bavail * bsize, memoryBytes) >= neededBytes;
  } catch {
    return false;
  }
}
