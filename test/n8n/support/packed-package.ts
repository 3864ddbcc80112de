import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Unpacks the packed n8n package into this folder, as an installation would. */
export async function unpackPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const packed = process.env.SIGNPOST_N8N_PACKAGE ?? '';
  await run('tar', ['-xzf', packed, '-C', folder, '--strip-components=1']);
}
