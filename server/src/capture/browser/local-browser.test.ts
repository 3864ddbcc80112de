import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitsSharedMemory } from './local-browser.js';

const one = { concurrency: 1, maxPageHeightPixels: 1_000 };
/** The memory for a picture of the maximum width and of the height in `one`, and for the tiles that are painted. */
const NEEDED_BYTES = 7_680 * 1_000 * 4 + 600_000_000;

test('the bitmaps of captures fit if the memory is just large enough, but not if it is smaller', async () => {
  expect(await fitsSharedMemory(one, NEEDED_BYTES, tmpdir())).toBe(true);
  expect(await fitsSharedMemory(one, NEEDED_BYTES - 1, tmpdir())).toBe(false);
  expect(await fitsSharedMemory({ ...one, concurrency: 2 }, 2 * NEEDED_BYTES - 1, tmpdir())).toBe(false);
});

test('the bitmaps of captures do not fit if the shared memory folder is too small, however much memory there is', async () => {
  expect(await fitsSharedMemory({ ...one, concurrency: 1_000_000_000 }, Infinity, tmpdir())).toBe(false);
});

test('the bitmaps of captures do not fit if the shared memory folder does not exist', async () => {
  expect(await fitsSharedMemory(one, Infinity, join(tmpdir(), 'there-is-no-such-folder'))).toBe(false);
});
