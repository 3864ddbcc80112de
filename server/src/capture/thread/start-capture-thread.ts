import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.js';
import { ServiceError } from '../../service-error.js';
import type { CaptureService, CaptureState, Pdf, Screenshot } from '../capture-service.js';
import { stopping } from '../slots.js';
import type { CaptureSettings } from '../start-capture.js';
import type { Asked } from './thread-messages.js';
import { WorkerCalls } from './worker-calls.js';

const ENTRY = new URL('capture-thread.js', import.meta.url);
const START_AGAIN_MS = 1_000;

const BEFORE_START: CaptureState = {
  browser: 'starting',
  program: '',
  active: 0,
  queued: 0,
  captures: 0,
  restarts: 0,
  endpoints: [],
};

const startingAgain = () =>
  new ServiceError('overloaded', 'What takes captures is being started again. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });

/** Bytes come from another thread as a plain array, without what makes a Buffer of them. */
const withBuffer = <Result extends Screenshot | Pdf>(result: Result): Result => {
  const { buffer, byteOffset, byteLength } = result.body;
  return { ...result, body: Buffer.from(buffer, byteOffset, byteLength) };
};

/** Keeps one thread for captures running until it is closed. */
class CaptureThreadKeeper implements CaptureService {
  readonly #settings: CaptureSettings;
  readonly #log: Log;
  readonly #entry: URL;
  readonly #allowedPages: string[] = [];
  #state = BEFORE_START;
  #thread: WorkerCalls | undefined;
  #kept: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(settings: CaptureSettings, log: Log, entry: URL) {
    this.#settings = settings;
    this.#log = log;
    this.#entry = entry;
  }

  async start(): Promise<void> {
    const thread = await this.#startThread();
    this.#kept = this.#keep(thread);
  }

  async screenshot(request: Parameters<CaptureService['screenshot']>[0], signal: AbortSignal) {
    const result = await this.#ask((call) => ({ kind: 'screenshot', call, request }), signal);
    if (result === undefined || !('mediaType' in result)) throw new TypeError('This is no screenshot.');
    return withBuffer(result);
  }

  async pdf(request: Parameters<CaptureService['pdf']>[0], signal: AbortSignal) {
    const result = await this.#ask((call) => ({ kind: 'pdf', call, request }), signal);
    if (result === undefined || !('pageCount' in result)) throw new TypeError('This is no PDF.');
    return withBuffer(result);
  }

  state(): CaptureState {
    return this.#state;
  }

  allowPage(url: string): void {
    this.#allowedPages.push(url);
    this.#thread?.tell({ kind: 'allowPage', url });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    await thread?.ask((call) => ({ kind: 'close', call }));
    await thread?.end();
    await this.#kept;
  }

  #ask(asking: (call: number) => Asked, signal: AbortSignal) {
    const thread = this.#thread;
    if (thread !== undefined) return thread.ask(asking, signal);
    throw this.#isClosed ? stopping() : startingAgain();
  }

  async #startThread(): Promise<WorkerCalls> {
    const onState = (state: CaptureState) => (this.#state = state);
    const thread = new WorkerCalls({ entry: this.#entry, log: this.#log, onState });
    try {
      await thread.start(this.#settings);
    } catch (error) {
      await thread.end();
      throw error;
    }
    for (const url of this.#allowedPages) thread.tell({ kind: 'allowPage', url });
    this.#thread = thread;
    return thread;
  }

  /** Puts another thread in the place of one that ended by itself, as often as that happens. */
  async #keep(first: WorkerCalls): Promise<void> {
    let thread: WorkerCalls | undefined = first;
    for (;;) {
      await thread?.ended;
      this.#thread = undefined;
      if (this.#isClosed) return;
      if (thread !== undefined)
        this.#log.error({ err: thread.crash }, 'What takes captures crashed; it is started again.');
      this.#state = { ...this.#state, browser: 'starting', active: 0, queued: 0 };
      await delay(START_AGAIN_MS);
      thread = await this.#startThread().catch((error: unknown) => {
        this.#log.error({ err: error }, 'What takes captures cannot be started.');
        return undefined;
      });
    }
  }
}

/**
 * Starts captures in a thread of their own, so that driving the browser, files of many megabytes and the traffic of
 * pages never hold up other answers; a crash there ends the captures under way and nothing else. Throws as
 * `startCapture` does.
 */
export async function startCaptureThread(
  settings: CaptureSettings,
  log: Log,
  entry = ENTRY,
): Promise<CaptureService> {
  const keeper = new CaptureThreadKeeper(settings, log, entry);
  await keeper.start();
  return keeper;
}
