import { createReadStream, createWriteStream } from 'node:fs';
import { access, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { z } from 'zod';
import { makeFolder } from '../../make-folder.js';

const manifest = z.object({ version: z.string() });

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The headless shell inside the npm package @sparticuz/chromium, unpacked once per version. Answers its path, or
 * undefined on anything but Linux on x64. It goes into the user's own cache folder, not where the package would
 * put it: a program in the shared temporary folder may be anyone's.
 */
export async function unpackEmbeddedBrowser(
  cacheFolder = join(homedir(), '.cache', 'signpost'),
): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = manifest.parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
  const program = join(cacheFolder, `chromium-${version}`, 'chromium-headless-shell');
  if (await exists(program)) return program;

  await makeFolder(dirname(program));
  // Under another name until it is whole: a start that is cut off leaves nothing that looks like a program.
  const partial = `${program}.${process.pid}`;
  try {
    await pipeline(
      createReadStream(join(packageFolder, 'bin', 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(partial, { mode: 0o700 }),
    );
    await rename(partial, program);
  } finally {
    await rm(partial, { force: true });
  }
  return program;
}
