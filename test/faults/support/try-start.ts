import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../../server/bin/signpost.js');
const HANG_MS = 20_000;

/** The outcome of a start, and its output. */
export interface Start {
  readonly outcome: 'runs' | 'ended' | 'hangs';
  readonly code: number | null;
  readonly output: string;
}

/** Starts a server to see whether it starts. Leaves nothing running. */
export async function tryStart(dataDir: string): Promise<Start> {
  const child = spawn(process.execPath, [program, 'start'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      SIGNPOST_PORT: '0',
      SIGNPOST_DATA_DIR: dataDir,
    },
  });
  let output = '';
  const runs = new Promise<'runs'>((resolve) => {
    const read = (text: string) => {
      output += text;
      if (output.includes('Browser: ')) resolve('runs');
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
  });
  const closed = once(child, 'close');
  let tooLong: NodeJS.Timeout | undefined;
  const hangs = new Promise<'hangs'>((resolve) => {
    tooLong = setTimeout(() => resolve('hangs'), HANG_MS);
  });
  const outcome = await Promise.race([runs, closed.then(() => 'ended' as const), hangs]);
  clearTimeout(tooLong);
  child.kill(outcome === 'hangs' ? 'SIGKILL' : 'SIGTERM');
  await closed;
  return { outcome, code: outcome === 'ended' ? child.exitCode : null, output };
}
