import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.local/share/fonts')];
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['emoji', /emoji/iu],
  ['East Asian characters', /cjk|sourcehan|wqy|takao|ipag|nanum|unfonts/iu],
];

/** Kinds of characters that no font of this machine shows; macOS and Windows have them all. */
export async function fontsMissing(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const entries = await Promise.all(
    FOLDERS.map((folder) => readdir(folder, { recursive: true }).catch(() => [])),
  );
  const fonts = entries.flat().filter((entry) => /\.(?:ttf|ttc|otf|otc)$/iu.test(entry));
  return KINDS.flatMap(([name, pattern]) => (fonts.some((font) => pattern.test(font)) ? [] : [name]));
}
