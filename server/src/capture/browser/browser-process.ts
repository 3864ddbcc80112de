import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { settledWithin } from '../../platform/within-time.js';
import { makeBrowserHome, commandWithHome } from './browser-home.js';
import { ProtocolConnection } from './protocol/connection.js';
import { pipeTransport } from './protocol/pipe-transport.js';

/** How long a browser that was asked to end may take, before it is killed. */
const GRACE_MS = 5_000;
/** How much of the end of a program's error output is kept. */
const MAX_OUTPUT_CHARACTERS = 10_000;

const IS_WINDOWS = process.platform === 'win32';
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

/** A local program that speaks the protocol over a pipe. It also ends if this process ends. */
export interface BrowserProcess {
  readonly connection: ProtocolConnection;
  /** Returns the end of the program's error output, and stops reading it: pages can make a browser write any amount. */
  readonly takeOutput: () => string;
  /** Ends the program and everything that it has started, and removes its profile. Resolves when that is done. */
  readonly end: () => Promise<void>;
}

/** Ends the program and everything that it has started. */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (IS_WINDOWS) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the program is left.
  }
}

/** The two pipes for the protocol: the program reads from file descriptor 3 and writes to 4. */
function pipesOf(child: ChildProcess): { readonly input: Writable; readonly output: Readable } {
  const [, , , input, output] = child.stdio;
  if (input instanceof Writable && output instanceof Readable) return { input, output };
  throw new Error('The program was started without its pipes.');
}

function collectOutput(stream: Readable | null): () => string {
  let words = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MAX_OUTPUT_CHARACTERS);
  });
  return () => {
    stream?.destroy();
    return words;
  };
}

/** The certificates that the program trusts beside the public ones. */
export interface TrustOptions {
  readonly extraCaFile?: string | undefined;
  /**
   * Called if the program cannot be made to trust the extra certificates. The program starts anyway, for pages that do
   * not need these certificates.
   */
  readonly onDistrust?: (error: unknown) => void;
}

/** Starts a program with its own profile. Throws if the program cannot be started. */
export async function startBrowserProcess(
  program: string,
  flags: readonly string[],
  { extraCaFile, onDistrust = () => undefined }: TrustOptions = {},
): Promise<BrowserProcess> {
  const profile = await mkdtemp(join(tmpdir(), 'signpost-browser-'));
  const home = join(profile, 'home');
  const isTrusting =
    extraCaFile !== undefined &&
    (await makeBrowserHome(home, extraCaFile).then(
      () => true,
      (error: unknown) => {
        onDistrust(error);
        return false;
      },
    ));
  const [command, ...words] = isTrusting ? commandWithHome(home, program) : [program];
  const child = spawn(
    command,
    [...words, ...flags, `--user-data-dir=${profile}`, '--remote-debugging-pipe'],
    {
      // The program gets a process group of its own, so that signals from a terminal do not reach it, and one signal
      // can end the whole group.
      detached: !IS_WINDOWS,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  const endNow = () => {
    killTree(child);
    rmSync(profile, REMOVAL);
  };
  process.once('exit', endNow);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  }).then(async () => {
    killTree(child);
    await rm(profile, REMOVAL).catch(() => undefined);
    process.removeListener('exit', endNow);
  });
  const takeOutput = collectOutput(child.stderr);
  const pipes = pipesOf(child);
  const connection = new ProtocolConnection(pipeTransport(pipes.input, pipes.output));
  if (child.pid === undefined) await once(child, 'spawn');
  const end = async () => {
    if (connection.isOpen) {
      void connection.root.send('Browser.close').catch(() => undefined);
      await settledWithin(ended, GRACE_MS);
    }
    killTree(child);
    await ended;
  };
  return { connection, takeOutput, end };
}
