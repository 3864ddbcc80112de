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
/**
 * How many times one load reads the pointer, the file that names the directory's file, at most. The pointer is read
 * again if an import deleted the named file meanwhile.
 */
const MAX_TRIES = 5;

/** Provides the directory for lookups. */
export interface DirectoryStore {
  current(): PostcodeDirectory;
  /** Whether the sample is in use because an imported directory cannot be read. */
  isFallback(): boolean;
  /** Loads a newly imported directory at once. Without this call, it is noticed a little later. */
  refresh(): Promise<void>;
  /** Stops watching the folder, waits for a read in progress, and closes the directory. */
  close(): Promise<void>;
}

interface DirectoryStoreOptions {
  readonly dataDir: string;
  /** Called when a new directory is in use. */
  readonly onSwap?: (info: DirectoryInfo) => void;
  /** Called if the folder cannot be created, and for each new reason why a directory cannot be read. */
  readonly onError?: (error: unknown) => void;
  /** The newest file format to read, in place of the newest supported one. */
  readonly newestFormat?: number;
}

class WatchingStore implements DirectoryStore {
  readonly #options: DirectoryStoreOptions;
  readonly #pointer: string;
  #directory = new PostcodeDirectory(sampleDirectory());
  #file: string | undefined;
  #loadedState = '';
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

  isFallback(): boolean {
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
      // Not every file system can be watched. The regular check notices changes too, only later.
    }
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#poll?.stop();
    await this.#loading;
    this.#directory.table.details?.close();
  }

  /**
   * Loads the directory that the pointer file names, if the pointer has changed since the last load, or if that load
   * failed with an error that may be temporary.
   */
  async #load(): Promise<void> {
    const state = await this.#pointerState();
    if (state === this.#loadedState) return;
    this.#loadedState = state;
    try {
      await this.#loadCurrent();
      this.#reported = '';
    } catch (error) {
      // A damaged file stays damaged until the pointer changes. Any other error may be temporary, so the file is
      // tried again.
      if (!(error instanceof DirectoryFileError)) this.#loadedState = '';
      this.#report(error);
    }
  }

  /** Reports an error, unless it is the same as in the previous load. */
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

  async #loadCurrent(): Promise<void> {
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
        // No caller awaits anything between getting a directory and reading its details, so no caller still needs the
        // details of the previous directory.
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
 * Opens the directory of a data folder: the imported one, or the embedded sample if nothing was imported or the
 * imported one cannot be read. A later import is loaded without a restart.
 */
export async function openDirectoryStore(options: DirectoryStoreOptions): Promise<DirectoryStore> {
  const store = new WatchingStore(options);
  // If the folder cannot be created, for example on a read-only disk, it cannot be watched. Regular checks of the
  // pointer still work.
  await makeFolder(directoryFolder(options.dataDir)).catch(options.onError);
  await store.refresh();
  store.watch();
  return store;
}

/**
 * The information about the imported directory, or about the sample if none was imported. Reads only the header of the
 * file.
 */
export async function readCurrentInfo(dataDir: string): Promise<DirectoryInfo> {
  const file = await currentDirectoryFile(dataDir);
  if (file === undefined) return sampleDirectory().info;
  return readDirectoryInfo(join(directoryFolder(dataDir), file));
}
