import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, 'postgresql-process.mjs');

/** A real PostgreSQL of a test's own, with everything that makes it durable. */
export interface Postgresql {
  /** Of an empty database, with a password. */
  readonly url: string;
  /** Ends it: SIGINT in order, SIGKILL at once. Its folder stays. */
  halt(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same folder and port. */
  resume(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** Starts it, from the npm package that ships the server. */
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
