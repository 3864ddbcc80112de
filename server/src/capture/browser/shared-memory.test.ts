import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitsSharedMemory } from './shared-memory.js';

const low = { concurrency: 0, maxPageHeightPixels: 1_000 };

test('captures fit a folder that has the room and can be written', async () => {
  expect(await fitsSharedMemory(low, tmpdir())).toBe(true);
});

test('more captures than any memory has room for do not fit', async () => {
  expect(await fitsSharedMemory({ ...low, concurrency: 1_000_000_000 }, tmpdir())).toBe(false);
});

test('nothing fits where there is no such folder', async () => {
  expect(await fitsSharedMemory(low, join(tmpdir(), 'there-is-no-such-folder'))).toBe(false);
});
