import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../platform/log.js';
import { ServiceError } from '../../platform/errors.js';
import type { CaptureService, CaptureState, Pdf, Screenshot } from '../capture-service.js';
import { serverStopping } from '../capture-errors.js';
import type { QuotaUser } from '../fair-queue.js';
import { ANYONE } from '../page/work-permits.js';
import type { CaptureSettings } from '../start-capture.js';
import type { WorkerRequest } from './worker-messages.js';
import { WorkerCalls } from './worker-calls.js';

const ENTRY = new URL('capture-thread.js', import.meta.url);
const RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 30_000;
/** How long the thread that makes the captures may show no sign of life before a new one replaces it. */
const MAX_SILENCE_MS = 30_000;

const BEFORE_START: CaptureState = {
  browser: 'starting',
  program: '',
  slots: 0,
  active: 0,
  working: 0,
  captures: 0,
  restarts: 0,
  endpoints: [],
};

const startingAgain = () =>
  new ServiceError('overloaded', 'The capture service is restarting. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });

/**
 * The account and quota of a capture's user; ANYONE if there is none. A user may be a reservation, whose functions
 * cannot be sent to another thread.
 */
const plainUser = ({ accountId, quota } = ANYONE): QuotaUser => ({ accountId, quota });

/** Converts bytes to a Buffer, because they arrive from another thread as a plain Uint8Array. */
const withBuffer = <Result extends Screenshot | Pdf>(result: Result): Result => {
  const { buffer, byteOffset, byteLength } = result.body;
  return { ...result, body: Buffer.from(buffer, byteOffset, byteLength) };
};

/** Keeps one thread for captures running until `close` is called. */
class CaptureThreadKeeper implements CaptureService {
  readonly #settings: CaptureSettings;
  readonly #log: Log;
  readonly #load: () => WorkerCalls;
  readonly #allowedPages: string[] = [];
  readonly #closing = new AbortController();
  #state = BEFORE_START;
  #onSlotsChange: () => void = () => undefined;
  /** The counts of earlier threads, which have ended. */
  #earlierCounts = { captures: 0, restarts: 0 };
  #thread: WorkerCalls | undefined;
  #keeping: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(settings: CaptureSettings, log: Log, load: () => WorkerCalls) {
    this.#settings = settings;
    this.#log = log;
    this.#load = load;
  }

  async start(loading: WorkerCalls): Promise<void> {
    this.#thread = await this.#startThread(loading);
    this.#keeping = this.#keepRunning(this.#thread);
  }

  async screenshot(...[request, signal, user]: Parameters<CaptureService['screenshot']>) {
    const result = await this.#call(
      (call) => ({ kind: 'screenshot', call, user: plainUser(user), request }),
      signal,
    );
    if (result === undefined || !('mediaType' in result)) throw new TypeError('This is no screenshot.');
    return withBuffer(result);
  }

  async pdf(...[request, signal, user]: Parameters<CaptureService['pdf']>) {
    const result = await this.#call(
      (call) => ({ kind: 'pdf', call, user: plainUser(user), request }),
      signal,
    );
    if (result === undefined || !('pageCount' in result)) throw new TypeError('This is no PDF.');
    return withBuffer(result);
  }

  async content(...[request, signal, user]: Parameters<CaptureService['content']>) {
    const result = await this.#call(
      (call) => ({ kind: 'content', call, user: plainUser(user), request }),
      signal,
    );
    if (result === undefined || !('content' in result)) throw new TypeError('This is no text of a page.');
    return result;
  }

  state(): CaptureState {
    if (this.#thread !== undefined) return this.#state;
    // While no thread runs, captures wait for the next one. If none starts, captures are let through, so that they
    // fail with the message that says so.
    return { ...this.#state, slots: this.#state.browser === 'down' ? this.#settings.concurrency : 0 };
  }

  onSlotsChange(listener: () => void): void {
    this.#onSlotsChange = listener;
  }

  allowPage(url: string): void {
    this.#allowedPages.push(url);
    this.#thread?.send({ kind: 'allowPage', url });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    const thread = this.#thread;
    if (thread !== undefined) {
      await thread
        .call((call) => ({ kind: 'close', call }))
        .catch((error: unknown) =>
          this.#log.error({ err: error }, 'The capture service did not end properly.'),
        );
      this.#thread = undefined;
      await thread.end();
    }
    await this.#keeping;
  }

  #call(toRequest: (call: number) => WorkerRequest, signal: AbortSignal) {
    const thread = this.#thread;
    if (thread !== undefined) return thread.call(toRequest, signal);
    throw this.#isClosing() ? serverStopping() : startingAgain();
  }

  /** A method and not a field, because TypeScript would assume that the value does not change during awaits. */
  #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #startThread(thread = this.#load()): Promise<WorkerCalls> {
    const { captures, restarts } = this.#earlierCounts;
    const onState = (state: CaptureState) => {
      this.#state = { ...state, captures: captures + state.captures, restarts: restarts + state.restarts };
      this.#onSlotsChange();
    };
    try {
      await thread.start(this.#settings, onState);
    } catch (error) {
      await thread.end();
      throw error;
    }
    for (const url of this.#allowedPages) thread.send({ kind: 'allowPage', url });
    return thread;
  }

  /** Replaces a thread that ended by itself, after a delay that grows until a thread has responded to a call. */
  async #keepRunning(first: WorkerCalls): Promise<void> {
    let thread: WorkerCalls | undefined = first;
    let waitMs = RESTART_DELAY_MS / 2;
    while (!this.#isClosing()) {
      await thread?.ended;
      if (this.#isClosing()) return;
      if (thread !== undefined) this.#noteEnd(thread);
      waitMs = thread?.hasAnswered === true ? RESTART_DELAY_MS : Math.min(2 * waitMs, MAX_RESTART_DELAY_MS);
      await delay(waitMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (this.#isClosing()) return;
      thread = await this.#startThread().catch((error: unknown) => {
        this.#log.error({ err: error }, 'The capture service cannot be started.');
        this.#state = { ...this.#state, browser: 'down' };
        return undefined;
      });
      if (this.#isClosing()) await thread?.end();
      else this.#thread = thread;
      this.#onSlotsChange();
    }
  }

  #noteEnd({ crash }: WorkerCalls): void {
    this.#thread = undefined;
    this.#log.error({ err: crash }, 'The capture service crashed and is restarting.');
    const { captures, restarts, endpoints } = this.#state;
    this.#earlierCounts = { captures, restarts: restarts + 1 };
    this.#state = {
      ...this.#state,
      ...this.#earlierCounts,
      browser: 'starting',
      active: 0,
      working: 0,
      endpoints: endpoints.map((endpoint) => ({ ...endpoint, browser: 'starting', active: 0 })),
    };
  }
}

/**
 * Begins to load a thread for captures, which does not keep the process running yet. Returns a function, to be called
 * once, that starts the capture service in the thread. Captures have a thread of their own, so that driving the
 * browser, large files and the traffic of pages do not delay other responses. If the thread crashes or hangs for
 * `silenceMs` milliseconds, only its running captures fail, and a new thread replaces it. Starting throws the same
 * errors as `startCapture`, or the error that ended the thread.
 */
export function loadCaptureThread(
  log: Log,
  entry = ENTRY,
  silenceMs = MAX_SILENCE_MS,
): (settings: CaptureSettings) => Promise<CaptureService> {
  const loading = new WorkerCalls({ entry, log, silenceMs });
  return async (settings) => {
    const keeper = new CaptureThreadKeeper(settings, log, () => new WorkerCalls({ entry, log, silenceMs }));
    await keeper.start(loading);
    return keeper;
  };
}
