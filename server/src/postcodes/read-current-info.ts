import { join } from 'node:path';
import { currentDirectoryFile, directoryFolder } from './current-directory.js';
import type { DirectoryInfo } from './directory-info.js';
import { readDirectoryInfo } from './read-directory-file.js';
import { sampleDirectory } from './sample/sample-directory.js';

/** What the directory in use says of itself: the imported one, or the sample where there is none. */
export async function readCurrentInfo(dataDir: string): Promise<DirectoryInfo> {
  const file = await currentDirectoryFile(dataDir);
  if (file === undefined) return sampleDirectory().info;
  return readDirectoryInfo(join(directoryFolder(dataDir), file));
}
