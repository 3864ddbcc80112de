import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type App, type Surroundings } from '../../server/src/app.js';
import { startCapture } from '../../server/src/capture/start-capture.js';
import { readConfig } from '../../server/src/config.js';
import type { FirstInstallation } from '../../server/src/first-installation.js';
import { createLogger } from '../../server/src/logger.js';
import { systemRandomBytes } from '../../server/src/random-bytes.js';
import { databaseVariables, removeDatabase } from './database-of-folder.js';

/** A server inside the test's own process, whose clock the test turns. */
export interface ConsoleApp {
  readonly url: string;
  readonly first: FirstInstallation;
  readonly dataDir: string;
  readonly app: App;
  /** Lets that much time pass, in milliseconds. */
  pass(ms: number): void;
  now(): number;
  /** Every line of the log so far, from its most talkative level on. */
  log(): string;
  /** The bytes of every file in the data folder. */
  storedBytes(): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Starts a server on an empty data folder, with everything on loopback allowed to be captured, or with what takes
 * captures in the browser's place.
 */
export async function startConsoleApp(
  settings: Readonly<Record<string, string>> = {},
  inBrowsersPlace?: Surroundings['startCapture'],
): Promise<ConsoleApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signpost-console-'));
  const config = readConfig({
    PATH: process.env.PATH ?? '',
    SIGNPOST_PORT: '0',
    SIGNPOST_DATA_DIR: dataDir,
    SIGNPOST_CAPTURE_CONCURRENCY: '1',
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    ...(await databaseVariables(dataDir)),
    ...settings,
  });
  let passedMs = 0;
  let log = '';
  const pauses: { readonly endMs: number; readonly end: () => void }[] = [];
  const clock = () => Date.now() + passedMs;
  const randomBytes = systemRandomBytes;
  const logger = createLogger('debug', { write: (line: string) => (log += line) });
  const app = await startApp(config, {
    clock,
    monotonicMs: () => performance.now() + passedMs,
    pause: (ms) => new Promise((end) => pauses.push({ endMs: passedMs + ms, end })),
    randomBytes,
    log: logger,
    startCapture: inBrowsersPlace ?? ((settings) => startCapture({ ...settings, randomBytes, log: logger })),
  });
  if (app.first === undefined) throw new Error('The data folder was not empty.');
  return {
    url: app.localUrl,
    first: app.first,
    dataDir,
    app,
    pass: (ms) => {
      passedMs += ms;
      for (const { endMs, end } of pauses) if (endMs <= passedMs) end();
    },
    now: clock,
    log: () => log,
    storedBytes: async () => {
      const names = (await readdir(dataDir, { recursive: true })).filter((name) => /\.db/u.test(name));
      return Buffer.concat(await Promise.all(names.map((name) => readFile(join(dataDir, name)))));
    },
    close: async () => {
      await app.close();
      await removeDatabase(dataDir);
      await rm(dataDir, { recursive: true });
    },
  };
}
