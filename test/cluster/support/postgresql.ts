import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, 'postgresql-process.mjs');

/** A real PostgreSQL for one test, with all durability settings on. */
export interface Postgresql {
  /** The address of an empty database, including the password. */
  readonly url: string;
  /** Stops it: SIGINT shuts down cleanly, SIGKILL kills it. Its folder stays. */
  halt(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same folder and port. */
  resume(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** Starts PostgreSQL from the npm package that contains it. */
export async function startPostgresql(): Promise<Postgresql> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const line = await lines.next();
    if (line.done === true) throw new Error('The process of PostgreSQL ended.');
    return line.value;
  };
  const command = async (words: string) => {
    child.stdin.write(`${words}\n`);
    await nextLine();
  };
  return {
    url: await nextLine(),
    halt: (signal) => command(`halt ${signal}`),
    resume: () => command('resume'),
    async remove() {
      child.stdin.end();
      await exited;
    },
  };
}
