import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syncFolder } from './folders.js';

test('syncing a folder to the disk succeeds, and fails if the folder does not exist', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-sync-'));
  try {
    await expect(syncFolder(folder)).resolves.toBeUndefined();
    await expect(syncFolder(join(folder, 'none'))).rejects.toThrow('ENOENT');
  } finally {
    await rm(folder, { recursive: true });
  }
});

(process.platform === 'linux' ? test : test.skip)(
  'a file system that cannot sync folders is no error',
  async () => {
    await expect(syncFolder('/proc/self')).resolves.toBeUndefined();
  },
);
