import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Actor } from '../../audit/audit.js';
import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { currentDirectoryFile, directoryFolder, PARTIAL_SUFFIX } from '../file/directory-folder.js';
import type { DirectoryInfo } from '../table/directory-data.js';
import { type ImportProgress, type ImportReport, whileLocked } from './import-directory.js';
import { assertWithin, IMPORT_BOUNDS, ImportError } from './import-error.js';

/** An import to run, in this or another process. */
export interface ImportJob {
  readonly source:
    | { readonly kind: 'latest' }
    | { readonly kind: 'address'; readonly url: string }
    | { readonly kind: 'file'; readonly path: string; readonly name: string };
  /** Leaves out all BT postcodes. */
  readonly excludeNorthernIreland: boolean;
  /**
   * Imports a directory even if it is older or much worse than the one in use, and the newest edition even if it is
   * in use.
   */
  readonly force: boolean;
}

/**
 * The result of an import. It has no report if the newest edition was requested, and a directory at least as new was
 * already in use.
 */
export interface ImportOutcome {
  readonly info: DirectoryInfo;
  readonly report: ImportReport | undefined;
}

/** Runs an import. Rejects with a ServiceError that says what is wrong. */
export type RunImport = (
  job: ImportJob,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
) => Promise<ImportOutcome>;

type Choices = Pick<ImportJob, 'excludeNorthernIreland' | 'force'>;

/** A file that is received as a stream. */
export interface ReceivedFile {
  readonly name: string;
  readonly body: Readable;
  /** The size of the file; undefined if it is not known in advance. */
  readonly totalBytes: number | undefined;
}

/** The progress of an import. */
export interface RunningImport {
  /** The name of the file, the address, or "The newest edition". */
  readonly what: string;
  readonly startedAtMs: number;
  readonly phase: 'start' | 'receive' | ImportProgress['phase'];
  readonly doneBytes: number;
  readonly totalBytes: number | undefined;
}

/** The result of the last import. */
export interface EndedImport {
  readonly what: string;
  readonly endedAtMs: number;
  readonly outcome?: ImportOutcome;
  /** Why the import failed. */
  readonly problem?: string;
}

interface DirectoryImportsDeps {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly run: RunImport;
  readonly log: Log;
  /** Called with the actor after a directory was imported. */
  readonly onImported: (actor: Actor, info: DirectoryInfo) => Promise<void>;
  readonly maxUploadBytes?: number;
}

const STALLED_AFTER_MS = MINUTE_MS;

const describe = ({ source }: ImportJob) =>
  source.kind === 'latest' ? 'The newest edition' : source.kind === 'address' ? source.url : source.name;

const remove = (path: string) => rm(path, { force: true });

/** The imports of a running server, one at a time, with their progress. */
export class DirectoryImports {
  readonly #deps: DirectoryImportsDeps;
  readonly #closing = new AbortController();
  #underWay: RunningImport | undefined;
  #last: EndedImport | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: DirectoryImportsDeps) {
    this.#deps = deps;
  }

  get underWay(): RunningImport | undefined {
    return this.#underWay;
  }

  get last(): EndedImport | undefined {
    return this.#last;
  }

  /** Begins an import. Throws a ServiceError if one is running. */
  start(actor: Actor, job: ImportJob): void {
    this.#begin(describe(job), 'start');
    this.#running = this.#run(actor, job);
  }

  /**
   * Receives a whole file, then begins its import. Throws a ServiceError if this server is running another import;
   * `last` has any other reason why the file was not received.
   */
  async receive(actor: Actor, file: ReceivedFile, choices: Choices): Promise<void> {
    this.#begin(file.name, 'receive');
    const { dataDir, clock } = this.#deps;
    const path = join(directoryFolder(dataDir), `upload-${randomUUID()}${PARTIAL_SUFFIX}`);
    const received = whileLocked({ dataDir, clock, source: `an upload, ${file.name}` }, () =>
      this.#write(file, path),
    );
    this.#running = received.catch(() => undefined);
    try {
      await received;
    } catch (error) {
      this.#fail(error);
      return;
    }
    const source = { kind: 'file', path, name: file.name } as const;
    this.#running = this.#run(actor, { ...choices, source }).finally(() => remove(path));
  }

  /** The size of the directory's file in bytes; undefined if none was imported, or it cannot be read. */
  async sizeBytes(): Promise<number | undefined> {
    const { dataDir } = this.#deps;
    try {
      const file = await currentDirectoryFile(dataDir);
      return file === undefined ? undefined : (await stat(join(directoryFolder(dataDir), file))).size;
    } catch {
      return undefined;
    }
  }

  /** Aborts the import or upload under way, and waits until it has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Throws a ServiceError if an import is running. */
  rejectIfRunning(): void {
    if (this.#underWay !== undefined) {
      throw new ServiceError(
        'invalidRequest',
        'Another import is running. Wait until it is done, then try again.',
      );
    }
  }

  #begin(what: string, phase: RunningImport['phase']): void {
    this.rejectIfRunning();
    const startedAtMs = this.#deps.clock();
    this.#underWay = { what, startedAtMs, phase, doneBytes: 0, totalBytes: undefined };
  }

  #note(progress: Partial<Omit<RunningImport, 'startedAtMs'>>): void {
    if (this.#underWay !== undefined) this.#underWay = { ...this.#underWay, ...progress };
  }

  async #run(actor: Actor, job: ImportJob): Promise<void> {
    const { run, clock, onImported } = this.#deps;
    try {
      const outcome = await run(job, (progress) => this.#note(progress), this.#closing.signal);
      if (outcome.report !== undefined) await onImported(actor, outcome.info);
      this.#end({ what: this.#underWay?.what ?? describe(job), outcome, endedAtMs: clock() });
    } catch (error) {
      this.#fail(error);
    }
  }

  #end(ended: EndedImport): void {
    this.#last = ended;
    this.#underWay = undefined;
  }

  #fail(error: unknown): void {
    const { clock, log } = this.#deps;
    const isForeseen = error instanceof ServiceError;
    if (!isForeseen) log.error({ err: error }, 'The postcode directory cannot be imported.');
    const problem = isForeseen ? error.message : 'The import failed. The log of the server says why.';
    this.#end({ what: this.#underWay?.what ?? '', problem, endedAtMs: clock() });
  }

  /** Writes a received file to `path`. If that fails, leaves nothing there. */
  async #write({ name, body, totalBytes }: ReceivedFile, path: string): Promise<void> {
    const { maxUploadBytes = IMPORT_BOUNDS.maxDownloadBytes } = this.#deps;
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS);
    let doneBytes = 0;
    const note = (bytes: number) => {
      timer.refresh();
      doneBytes += bytes;
      assertWithin(doneBytes, maxUploadBytes, `${name} has`);
      this.#note({ phase: 'receive', doneBytes, totalBytes });
    };
    async function* counted() {
      for await (const chunk of body) {
        if (!Buffer.isBuffer(chunk)) continue;
        note(chunk.length);
        yield chunk;
      }
    }
    try {
      // The pipeline itself does not end while `counted` waits for a body that has gone quiet.
      addAbortSignal(AbortSignal.any([stalled.signal, this.#closing.signal]), body);
      await pipeline(counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      if (doneBytes === 0) throw new ImportError('Choose a file that is not empty: nothing came.');
    } catch (error) {
      await remove(path);
      if (!stalled.signal.aborted) throw error;
      throw new ImportError(`Nothing more of ${name} came for a minute. Send it again.`, error);
    } finally {
      clearTimeout(timer);
    }
  }
}
