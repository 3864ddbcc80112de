import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

const packedSchema = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.unknown()) }),
]);

/** Packs the built n8n package as `npm publish` would, and unpacks it into this folder as an installation would. */
export async function unpackPackage(folder: string): Promise<{ packedBytes: number; files: number }> {
  const scratch = await mkdtemp(join(tmpdir(), 'signpost-pack-'));
  try {
    const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', scratch];
    const { stdout } = await run('npm', args, { cwd: root });
    const [packed] = packedSchema.parse(JSON.parse(stdout));
    await mkdir(folder, { recursive: true });
    await run('tar', ['-xzf', join(scratch, packed.filename), '-C', folder, '--strip-components=1']);
    return { packedBytes: packed.size, files: packed.files.length };
  } finally {
    await rm(scratch, { recursive: true });
  }
}
