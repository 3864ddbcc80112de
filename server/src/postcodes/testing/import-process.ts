import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const COMPILED = join(import.meta.dirname, '../../../dist/postcodes/import/import-directory.js');
const SCRIPT = `
  import { importDirectory } from ${JSON.stringify(COMPILED)};
  const [source, dataDir] = process.argv.slice(1);
  const onProgress = ({ phase, doneBytes }) => process.stdout.write(phase + ' ' + doneBytes + '\\n');
  try {
    await importDirectory({ source, dataDir, clock: () => Date.now(), onProgress });
  } catch (error) {
    process.stderr.write(error.message);
    process.exitCode = 1;
  }`;

/** An import in a process of its own, of the compiled code. */
interface ImportProcess {
  readonly pid: number;
  /** Resolves when it has said so many lines of progress, or has ended. */
  progressed(lines: number): Promise<void>;
  kill(): void;
  ended(): Promise<{ code: number | null; signal: string | null; error: string }>;
}

/** Starts an import; `mostKilobytes` is the size above which the system lets it write no file. */
export function startImport(source: string, dataDir: string, mostKilobytes?: number): ImportProcess {
  const limit = mostKilobytes === undefined ? '' : `ulimit -f ${mostKilobytes}; `;
  const command = `${limit}exec "$0" --input-type=module -e "$1" "$2" "$3"`;
  const child = spawn('bash', ['-c', command, process.execPath, SCRIPT, source, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let lines = 0;
  let error = '';
  child.stdout.on('data', (text: Buffer) => {
    lines += text.toString().split('\n').length - 1;
    child.emit('progress');
  });
  child.stderr.on('data', (text: Buffer) => {
    error += text.toString();
  });
  const end = once(child, 'close');
  return {
    pid: child.pid ?? 0,
    async progressed(wanted) {
      while (lines < wanted && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(child, 'progress'), end]);
      }
    },
    kill: () => child.kill('SIGKILL'),
    async ended() {
      await end;
      return { code: child.exitCode, signal: child.signalCode, error };
    },
  };
}
