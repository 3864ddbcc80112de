import { mkdtemp, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where files go when nobody said: "signpost" in the user's downloads, or without downloads a new temporary folder.
 * The place for temporary files is taken when this is called, the folder made when the result is.
 */
export function defaultFolder(): () => Promise<string> {
  const temporary = tmpdir();
  const downloads = join(homedir(), 'Downloads');
  return async () => {
    const found = await stat(downloads).catch(() => undefined);
    return found?.isDirectory() === true
      ? join(downloads, 'signpost')
      : mkdtemp(join(temporary, 'signpost-files-'));
  };
}
