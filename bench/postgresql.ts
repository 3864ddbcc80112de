import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onEnd } from './endings.js';

const program = join(import.meta.dirname, '../postgresql-process.mjs');

interface Postgresql {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

/** Starts an empty PostgreSQL from the npm package that the tests use. Its URL contains its password. */
export async function startPostgresql(): Promise<Postgresql> {
  // Runs in its own process group, which Ctrl-C does not reach: the benchmark ends the database after its servers.
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const end = onEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', () => reject(new Error('PostgreSQL did not start.')));
  });
  return { url: url.trim(), pid: child.pid ?? 0, end };
}
