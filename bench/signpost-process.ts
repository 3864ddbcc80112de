import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';

const program = join(import.meta.dirname, '../../server/bin/signpost.js');
/** The server before bundling, with one file per module, so that a module can be left out. */
const unbundled = join(import.meta.dirname, '../../server/dist/main.js');
const run = promisify(execFile);

/** The real server as a separate process, with a key without limits. */
export interface SignpostProcess {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Runs a `signpost` command on the same data. Returns its output. */
  run(...words: string[]): Promise<string>;
  end(): Promise<void>;
}

interface StartOptions {
  /** A postcode directory to import before the start. */
  readonly directory?: string | undefined;
  /** Settings for the server. They replace the benchmark's own settings of the same names. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Another server, whose key this one uses. `variables` must give both the same database and secret. */
  readonly joins?: SignpostProcess;
  /** A module to load before the server, which then runs unbundled. */
  readonly preload?: string;
}

/**
 * The caller's environment without its Signpost settings, such as the database. Settings for the browser are kept.
 */
const environmentOfCaller = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !name.startsWith('SIGNPOST_') ||
        ['SIGNPOST_BROWSER_PATH', 'SIGNPOST_BROWSER_WITHOUT_SANDBOX'].includes(name),
    ),
  );

/** Starts the built server on an empty data folder. It ends with the benchmark. */
export async function startSignpost({
  directory,
  variables = {},
  joins,
  preload,
}: StartOptions = {}): Promise<SignpostProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signpost-bench-'));
  const removeData = onEnd(() => rm(dataDir, { recursive: true, force: true }));
  const env = {
    ...environmentOfCaller(),
    SIGNPOST_PORT: '0',
    SIGNPOST_DATA_DIR: dataDir,
    SIGNPOST_RATE_PER_MINUTE: 'unlimited',
    SIGNPOST_RATE_PER_DAY: 'unlimited',
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.0/8',
    SIGNPOST_LOG_LEVEL: 'error',
    ...variables,
  };
  if (directory !== undefined)
    await run(process.execPath, [program, 'postcodes', 'import', directory], { env });
  const words = preload === undefined ? [program] : ['--import', preload, unbundled];
  const child = spawn(process.execPath, [...words, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const endProcess = onEnd(() => endChild(child));
  const ready = joins === undefined ? /sp_live_\w+/u : /running at \S+\s/u;
  const output = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (ready.test(text)) resolve(text);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The server did not start:\n${text}`)));
  });
  return {
    url: /running at (\S+)/u.exec(output)?.[1] ?? '',
    apiKey: joins?.apiKey ?? /sp_live_\w+/u.exec(output)?.[0] ?? '',
    dataDir,
    pid: child.pid ?? 0,
    run: async (...words) => (await run(process.execPath, [program, ...words], { env })).stdout,
    async end() {
      await endProcess();
      await removeData();
    },
  };
}
