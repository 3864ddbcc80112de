import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseVariables, removeDatabase } from './database-of-folder.js';

const program = join(import.meta.dirname, '../../server/bin/signpost.js');

type Environment = Readonly<Record<string, string>>;

/** A server of its own for a test: a process, an empty data folder and any free port. */
export interface SignpostServer {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Everything that was printed so far. */
  output(): string;
  /** Sends a JSON request with the first key. */
  post(path: string, body: unknown, apiKey?: string): Promise<Response>;
  get(path: string, apiKey?: string): Promise<Response>;
  /** Runs `signpost` with these words on the same data folder. */
  run(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Ends the process by a signal and waits for its end; the data folder stays. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  remove(): Promise<void>;
}

const environmentOf = (dataDir: string, more: Environment) => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  SIGNPOST_PORT: '0',
  SIGNPOST_DATA_DIR: dataDir,
  ...more,
});

/** Runs the command line to its end. */
export async function runSignpost(dataDir: string, words: readonly string[], more: Environment = {}) {
  const env = environmentOf(dataDir, { ...(await databaseVariables(dataDir)), ...more });
  const child = spawn(process.execPath, [program, ...words], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end();
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** Starts the built server and waits until it answers. */
export async function startSignpost(
  more: Environment = {},
  existingDataDir?: string,
): Promise<SignpostServer> {
  const dataDir = existingDataDir ?? (await mkdtemp(join(tmpdir(), 'signpost-test-')));
  const env = environmentOf(dataDir, { ...(await databaseVariables(dataDir)), ...more });
  const child = spawn(process.execPath, [program, 'start'], { env });
  let output = '';
  const started = new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const url = /running at (\S+)[\s\S]*Browser: .*\n/u.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
  const url = await started;
  const apiKey = /sp_live_\w+/u.exec(output)?.[0] ?? '';

  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  return {
    url,
    apiKey,
    dataDir,
    process: child,
    output: () => output,
    post: (path, body, key = apiKey) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, key = apiKey) => fetch(`${url}${path}`, { headers: { 'X-Api-Key': key } }),
    run: (...words) => runSignpost(dataDir, words, more),
    end,
    async remove() {
      await end('SIGKILL');
      await removeDatabase(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
