import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitsSharedMemory } from './local-browser.js';

const one = { concurrency: 1, maxPageHeightPixels: 1_000 };
/** The memory for a picture of the maximum width and of the height in `one`, and for the tiles that are painted. */
const NEEDED_BYTES = 7_680 * 1_000 * 4 + 600_000_000;

test('bitmaps fit into shared memory if just enough memory is free, but not with a byte less', async () => {
  expect(await fitsSharedMemory(one, NEEDED_BYTES, tmpdir())).toBe(true);
  expect(await fitsSharedMemory(one, NEEDED_BYTES - 1, tmpdir())).toBe(false);
  expect(await fitsSharedMemory({ ...one, concurrency: 2 }, 2 * NEEDED_BYTES - 1, tmpdir())).toBe(false);
});

test('bitmaps do not fit if the shared memory folder is too small, however much memory is free', async () => {
  expect(await fitsSharedMemory({ ...one, concurrency: 1_000_000_000 }, Infinity, tmpdir())).toBe(false);
});

test('the bitmaps of captures do not fit if the shared memory folder does not exist', async () => {
  expect(await fitsSharedMemory(one, Infinity, join(tmpdir(), 'there-is-no-such-folder'))).toBe(false);
});
