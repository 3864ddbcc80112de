import { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/log.js';
import { ServiceError } from '../../platform/errors.js';
import type { CaptureState } from '../capture-service.js';
import type { CaptureSettings } from '../start-capture.js';
import { createHeartbeat, watchBeats, type Heartbeat } from './heartbeat.js';
import {
  type CallResult,
  errorOf,
  START_CALL,
  type WorkerRequest,
  type WorkerEvent,
} from './worker-messages.js';

interface PendingCall {
  readonly resolve: (result: CallResult) => void;
  readonly reject: (error: unknown) => void;
}

const threadEnded = (cause?: unknown) =>
  new ServiceError('internal', 'The capture service crashed and is restarting. Try again.', { cause });

const neverStarted = () => new Error('The capture service ended before it had started.');

/**
 * The size of the thread's heap for new objects: smaller than the default, because the large data of captures is
 * stored elsewhere.
 */
const YOUNG_MEGABYTES = 4;

interface WorkerDeps {
  readonly entry: URL;
  readonly log: Log;
  /** How long the thread may hang before it is ended, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * One thread for captures, from its start to its end. Numbers the calls, and passes each response to its caller.
 * Begins to load at once, but keeps the process running only after `start`.
 */
export class WorkerCalls {
  readonly #worker: Worker;
  readonly #heartbeat: Heartbeat;
  readonly #calls = new Map<number, PendingCall>();
  #lastCall = START_CALL;
  #crash: unknown;
  #hasAnswered = false;
  #hasEnded = false;
  #onState: (state: CaptureState) => void = () => undefined;
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>;

  constructor({ entry, log, silenceMs }: WorkerDeps) {
    this.#heartbeat = createHeartbeat(silenceMs);
    this.#worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES } });
    const endWatch = watchBeats(this.#heartbeat, () => {
      this.#crash = new Error(`It stood still for ${silenceMs} ms.`);
      // The thread's browser ends with it. Nothing waits for the browser's process, so it stays as a zombie until
      // the server ends.
      void this.#worker.terminate();
    });
    this.#worker.on('message', (event: WorkerEvent) => {
      if (event.kind === 'state') this.#onState(event.state);
      else if (event.kind === 'log') log[event.level](event.fields, event.message);
      else this.#answer(event);
    });
    this.#worker.on('error', (error) => (this.#crash = error));
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        endWatch();
        this.#hasEnded = true;
        this.#endCalls();
        resolve();
      });
    });
    // Called last, because adding a message listener would undo `unref`.
    this.#worker.unref();
  }

  /** Whether the thread has responded to any call other than the start. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The error that ended the thread; undefined if no error did. */
  get crash(): unknown {
    return this.#crash;
  }

  /** Resolves when captures can be requested. Rejects with the error that says why they cannot. */
  async start(settings: CaptureSettings, onState: (state: CaptureState) => void): Promise<void> {
    this.#onState = onState;
    this.#worker.ref();
    await this.#request(START_CALL, { kind: 'start', settings, heartbeat: this.#heartbeat });
  }

  send(request: Extract<WorkerRequest, { kind: 'allowPage' }>): void {
    this.#worker.postMessage(request);
  }

  /**
   * Sends a request under a new number. Passes an abort of the signal on to the thread. Rejects with the error of the
   * request, or with a ServiceError if the thread ends first.
   */
  call(toRequest: (call: number) => WorkerRequest, signal?: AbortSignal): Promise<CallResult> {
    this.#lastCall += 1;
    const call = this.#lastCall;
    const answer = this.#request(call, toRequest(call));
    const abort = () => this.#worker.postMessage({ kind: 'abort', call } satisfies WorkerRequest);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', abort));
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.ended;
  }

  #request(call: number, request: WorkerRequest): Promise<CallResult> {
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
      if (this.#hasEnded) this.#endCalls();
      else this.#worker.postMessage(request);
    });
  }

  #endCalls(): void {
    for (const [call, { reject }] of this.#calls)
      reject(call === START_CALL ? (this.#crash ?? neverStarted()) : threadEnded(this.#crash));
    this.#calls.clear();
  }

  #answer(event: Extract<WorkerEvent, { kind: 'done' | 'failed' }>): void {
    const call = this.#calls.get(event.call);
    this.#calls.delete(event.call);
    if (event.call !== START_CALL) this.#hasAnswered = true;
    if (event.kind === 'failed') call?.reject(errorOf(event.failure));
    else call?.resolve(event.result);
  }
}
