import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'last-backup');

/** Stores the time of the newest backup in the data folder, where servers read it. */
export async function noteBackup(dataDir: string, createdAt: string): Promise<void> {
  const file = fileIn(dataDir);
  // All users may read the file, unless the umask forbids it, because the server may run as another user than the
  // command.
  await writeFile(`${file}.partial`, `${createdAt}\n`, { mode: 0o644 });
  await rename(`${file}.partial`, file);
}

/** When the backup that `noteBackup` stored last was made, in milliseconds since 1970; 0 if none. */
export async function readLastBackupMs(dataDir: string): Promise<number> {
  const file = fileIn(dataDir);
  try {
    return Date.parse((await readFile(file, 'utf8')).trim()) || 0;
  } catch {
    // If the server may not read the file because of another user's umask, the file's modification time says the
    // same.
    return stat(file).then(
      ({ mtimeMs }) => Math.floor(mtimeMs),
      () => 0,
    );
  }
}
