import { parentPort } from 'node:worker_threads';
import type { Log } from '../../platform/log.js';
import { systemRandomBytes } from '../../platform/random.js';
import type { CaptureService, Pdf, Screenshot } from '../capture-service.js';
import { startCapture, type CaptureSettings } from '../start-capture.js';
import { startBeating } from './heartbeat.js';
import {
  failureOf,
  START_CALL,
  type WorkerRequest,
  type LogLevel,
  type WorkerEvent,
} from './worker-messages.js';

/** The entry of the thread that takes captures. */

/** A browser may come or go at any time; nobody says so. */
const STATE_INTERVAL_MS = 100;

if (parentPort === null) throw new Error('This is the entry of a thread, and not of a process.');
const port = parentPort;
const tell = (told: WorkerEvent, moved: readonly ArrayBuffer[] = []) => port.postMessage(told, moved);

const logAt = (level: LogLevel) => (fields: object, message: string) => {
  try {
    tell({ kind: 'log', level, fields, message });
  } catch {
    // Fields that no message can hold are not worth a thread with its captures.
    tell({ kind: 'log', level, fields: {}, message });
  }
};
const log: Log = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };

/** A buffer in memory of its own, which can be given away. */
const movable = (body: Buffer): Buffer<ArrayBuffer> => {
  const { buffer } = body;
  const isItsOwn = buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength;
  return isItsOwn ? Buffer.from(buffer) : Buffer.from(new Uint8Array(body).buffer);
};

class CaptureThread {
  readonly #capture: CaptureService;
  readonly #calls = new Map<number, AbortController>();
  readonly #looking: NodeJS.Timeout;
  #toldState = '';

  constructor(capture: CaptureService) {
    this.#capture = capture;
    this.tellState();
    capture.onPlaces(() => this.tellState());
    this.#looking = setInterval(() => this.tellState(), STATE_INTERVAL_MS);
  }

  answer(asked: Exclude<WorkerRequest, { kind: 'start' }>): void {
    const capture = this.#capture;
    if (asked.kind === 'screenshot')
      void this.#take(asked.call, (signal) => capture.screenshot(asked.request, signal));
    else if (asked.kind === 'pdf')
      void this.#take(asked.call, (signal) => capture.pdf(asked.request, signal));
    else if (asked.kind === 'abort') this.#calls.get(asked.call)?.abort();
    else if (asked.kind === 'allowPage') capture.allowPage(asked.url);
    else void this.#close(asked.call);
  }

  tellState(): void {
    const state = this.#capture.state();
    const text = JSON.stringify(state);
    if (text === this.#toldState) return;
    this.#toldState = text;
    tell({ kind: 'state', state });
  }

  async #take(call: number, take: (signal: AbortSignal) => Promise<Screenshot | Pdf>): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    try {
      const taking = take(controller.signal);
      this.tellState();
      const result = await taking;
      const body = movable(result.body);
      tell({ kind: 'done', call, result: { ...result, body } }, [body.buffer]);
    } catch (error) {
      tell({ kind: 'failed', call, failure: failureOf(error) });
    } finally {
      this.#calls.delete(call);
      this.tellState();
    }
  }

  async #close(call: number): Promise<void> {
    clearInterval(this.#looking);
    try {
      await this.#capture.close();
      this.tellState();
      tell({ kind: 'done', call, result: undefined });
    } catch (error) {
      tell({ kind: 'failed', call, failure: failureOf(error) });
    }
  }
}

async function start(settings: CaptureSettings): Promise<CaptureThread> {
  const thread = new CaptureThread(await startCapture({ ...settings, randomBytes: systemRandomBytes, log }));
  tell({ kind: 'done', call: START_CALL, result: undefined });
  return thread;
}

let thread: CaptureThread | undefined;
port.on('message', (asked: WorkerRequest) => {
  if (asked.kind !== 'start') {
    thread?.answer(asked);
    return;
  }
  startBeating(asked.heartbeat);
  start(asked.settings).then(
    (started) => (thread = started),
    (error: unknown) => tell({ kind: 'failed', call: START_CALL, failure: failureOf(error) }),
  );
});
