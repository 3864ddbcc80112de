import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '../platform/errors.js';
import { makeFolder } from '../platform/folders.js';
import { repeat, type Repetition } from '../platform/repeat.js';
import { PostcodeDirectory } from './directory.js';
import { currentDirectoryFile, directoryFolder, pointerPath } from './file/directory-folder.js';
import { DirectoryFileError } from './file/directory-format.js';
import { readDirectoryFile, readDirectoryInfo } from './file/read-directory-file.js';
import { sampleDirectory } from './sample/sample-directory.js';
import type { DirectoryInfo } from './table/directory-data.js';

const POLL_INTERVAL_MS = 5_000;
/** An importer may replace the file between our reading its name and its content. */
const MAX_TRIES = 5;

/** The directory that answers lookups, always one that is whole. */
export interface DirectoryStore {
  current(): PostcodeDirectory;
  /** Whether the sample stands in for an imported directory that cannot be read. */
  isStandIn(): boolean;
  /** Takes a newly imported directory up at once; it is also noticed without this. */
  refresh(): Promise<void>;
  /** Resolves when nothing is being read any more. */
  close(): Promise<void>;
}

interface DirectoryStoreOptions {
  readonly dataDir: string;
  /** Another directory has taken over. */
  readonly onSwap?: (info: DirectoryInfo) => void;
  /** A directory could not be read; the previous one goes on serving. */
  readonly onError?: (error: unknown) => void;
  /** Reads files up to this format, in place of the newest there is. */
  readonly newestFormat?: number;
}

class WatchingStore implements DirectoryStore {
  readonly #options: DirectoryStoreOptions;
  readonly #pointer: string;
  #directory = new PostcodeDirectory(sampleDirectory());
  #file: string | undefined;
  #seen = '';
  #reported = '';
  #loading: Promise<void> = Promise.resolve();
  #watcher: FSWatcher | undefined;
  #poll: Repetition | undefined;

  constructor(options: DirectoryStoreOptions) {
    this.#options = options;
    this.#pointer = pointerPath(options.dataDir);
  }

  current(): PostcodeDirectory {
    return this.#directory;
  }

  isStandIn(): boolean {
    return this.#file === undefined && this.#reported !== '';
  }

  refresh(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#load());
    return this.#loading;
  }

  watch(): void {
    this.#poll = repeat({ everyMs: POLL_INTERVAL_MS, run: () => this.refresh() }, (error) =>
      this.#report(error),
    );
    try {
      this.#watcher = watch(directoryFolder(this.#options.dataDir), { persistent: false }, (_event, file) => {
        if (file === null || file === basename(this.#pointer)) void this.refresh();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Not every file system can be watched; the poll notices too, only later.
    }
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#poll?.stop();
    await this.#loading;
    this.#directory.table.details?.close();
  }

  /** Loads what the pointer names, if the pointer has changed since it was last followed. */
  async #load(): Promise<void> {
    const state = await this.#pointerState();
    if (state === this.#seen) return;
    this.#seen = state;
    try {
      await this.#follow();
      this.#reported = '';
    } catch (error) {
      // A damaged file stays damaged until the pointer changes; any other fault may pass.
      if (!(error instanceof DirectoryFileError)) this.#seen = '';
      this.#report(error);
    }
  }

  /** Says each fault once, however often it is met. */
  #report(error: unknown) {
    const fault = String(error);
    if (fault !== this.#reported) this.#options.onError?.(error);
    this.#reported = fault;
  }

  async #pointerState(): Promise<string> {
    try {
      const { ino, mtimeMs, size } = await stat(this.#pointer);
      return `${ino} ${mtimeMs} ${size}`;
    } catch (error) {
      return errorCode(error);
    }
  }

  async #follow(): Promise<void> {
    const { dataDir, newestFormat } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const file = await currentDirectoryFile(dataDir);
      if (file === undefined || file === this.#file) return;
      try {
        const before = this.#directory;
        this.#directory = new PostcodeDirectory(
          await readDirectoryFile(join(directoryFolder(dataDir), file), newestFormat),
        );
        this.#file = file;
        // A lookup asks for the current directory and is done with it at once: nobody reads the previous one.
        before.table.details?.close();
        this.#options.onSwap?.(this.#directory.info);
        return;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || tries === MAX_TRIES) throw error;
      }
    }
  }
}

/**
 * Opens the directory of a data folder: the imported one, or the embedded sample if nothing was imported.
 * A directory that is imported later is taken up without a restart and without a failed lookup.
 */
export async function openDirectoryStore(options: DirectoryStoreOptions): Promise<DirectoryStore> {
  const store = new WatchingStore(options);
  // A folder that cannot be made, on a read-only disk, leaves nothing to watch; the poll still looks.
  await makeFolder(directoryFolder(options.dataDir)).catch(options.onError);
  await store.refresh();
  store.watch();
  return store;
}

/** The edition, size and source of the directory in use: the imported one, or the sample if nothing was imported. */
export async function readCurrentInfo(dataDir: string): Promise<DirectoryInfo> {
  const file = await currentDirectoryFile(dataDir);
  if (file === undefined) return sampleDirectory().info;
  return readDirectoryInfo(join(directoryFolder(dataDir), file));
}
