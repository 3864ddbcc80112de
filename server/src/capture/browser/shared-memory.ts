import { LIMITS } from '@signpost/contract';
import { access, constants, statfs } from 'node:fs/promises';

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

/**
 * Whether a browser may keep its bitmaps there, which is up to twice as fast as files in the temporary folder. It needs
 * room for the tallest and widest captures at once: a browser that runs out of it answers blank pictures.
 */
export async function fitsSharedMemory(
  { concurrency, maxPageHeightPixels }: Captures,
  folder = FOLDER,
): Promise<boolean> {
  const pictureBytes = LIMITS.viewport.maxPixels * maxPageHeightPixels * BYTES_PER_PIXEL;
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= concurrency * (pictureBytes + TILES_BYTES);
  } catch {
    return false;
  }
}
