import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDirectory, type ImportOptions } from '../import/import-directory.js';

/** A folder of a test's own. */
export interface TemporaryFolder {
  readonly dataDir: string;
  write(name: string, content: string | Buffer): Promise<string>;
  /** Imports this content, as a file of this name, into the folder. */
  import(
    name: string,
    content: string | Buffer,
    options?: Partial<ImportOptions>,
  ): ReturnType<typeof importDirectory>;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signpost-postcodes-'));
  const write = async (name: string, content: string | Buffer) => {
    const path = join(dataDir, name);
    await writeFile(path, content);
    return path;
  };
  return {
    dataDir,
    write,
    import: async (name, content, options = {}) =>
      importDirectory({ source: await write(name, content), dataDir, clock: () => 0, ...options }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
