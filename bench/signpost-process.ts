import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, '../../server/bin/signpost.js');
const run = promisify(execFile);

/** The real server as a process of its own, with a key that has no limits. */
export interface SignpostProcess {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** Runs `signpost` with these words on the same data folder; what it printed. */
  run(...words: string[]): Promise<string>;
  end(): Promise<void>;
}

/** Starts the built server on an empty data folder, with a directory imported first where one is given. */
export async function startSignpost(directory: string | undefined): Promise<SignpostProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signpost-bench-'));
  const env = {
    ...process.env,
    SIGNPOST_PORT: '0',
    SIGNPOST_DATA_DIR: dataDir,
    SIGNPOST_RATE_PER_MINUTE: 'unlimited',
    SIGNPOST_RATE_PER_DAY: 'unlimited',
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.0/8',
  };
  if (directory !== undefined)
    await run(process.execPath, [program, 'postcodes', 'import', directory], { env });
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (/sp_live_\w+/u.test(text)) resolve(text);
    });
    child.once('exit', () => reject(new Error(`The server did not start:\n${text}`)));
  });
  return {
    url: /running at (\S+)/u.exec(output)?.[1] ?? '',
    apiKey: /sp_live_\w+/u.exec(output)?.[0] ?? '',
    dataDir,
    run: async (...words) => (await run(process.execPath, [program, ...words], { env })).stdout,
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
