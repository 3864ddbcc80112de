import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'last-backup');

/** Stores the time of the newest backup in the data folder, where servers read it. */
export async function noteBackup(dataDir: string, createdAt: string): Promise<void> {
  const file = fileIn(dataDir);
  await writeFile(`${file}.partial`, `${createdAt}\n`, { mode: 0o600 });
  await rename(`${file}.partial`, file);
}

/** When a command last made a backup of this data folder, in milliseconds; 0 if never. */
export async function readLastBackupMs(dataDir: string): Promise<number> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '');
  return Date.parse(text.trim()) || 0;
}
