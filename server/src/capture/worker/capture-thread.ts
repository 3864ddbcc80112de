import { parentPort } from 'node:worker_threads';
import type { Log } from '../../platform/log.js';
import { systemRandomBytes } from '../../platform/random.js';
import type { CaptureService } from '../capture-service.js';
import { startCapture, type CaptureSettings } from '../start-capture.js';
import { startBeating } from './heartbeat.js';
import {
  type CallResult,
  failureOf,
  START_CALL,
  type WorkerRequest,
  type LogLevel,
  type WorkerEvent,
} from './worker-messages.js';

/** The entry point of the thread that takes captures. */

/** How often to report the state if it has changed, because a browser may come or go at any time without an event. */
const STATE_INTERVAL_MS = 100;

if (parentPort === null) throw new Error('This is the entry of a thread, and not of a process.');
const port = parentPort;
const send = (event: WorkerEvent, transferred: readonly ArrayBuffer[] = []) =>
  port.postMessage(event, transferred);

const logAt = (level: LogLevel) => (fields: object, message: string) => {
  try {
    send({ kind: 'log', level, fields, message });
  } catch {
    // If the fields cannot be sent in a message, they are dropped, so that they do not crash the thread and its
    // captures.
    send({ kind: 'log', level, fields: {}, message });
  }
};
const log: Log = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };

/**
 * The bytes in a buffer with memory of its own, which can be transferred to another thread. Copies the bytes unless the
 * given buffer has such memory already.
 */
const transferable = (body: Buffer): Buffer<ArrayBuffer> => {
  const { buffer } = body;
  const isItsOwn = buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength;
  return isItsOwn ? Buffer.from(buffer) : Buffer.from(new Uint8Array(body).buffer);
};

class CaptureThread {
  readonly #capture: CaptureService;
  readonly #calls = new Map<number, AbortController>();
  readonly #stateTimer: NodeJS.Timeout;
  #sentState = '';

  constructor(capture: CaptureService) {
    this.#capture = capture;
    this.sendState();
    capture.onSlotsChange(() => this.sendState());
    this.#stateTimer = setInterval(() => this.sendState(), STATE_INTERVAL_MS);
  }

  handle(message: Exclude<WorkerRequest, { kind: 'start' }>): void {
    const capture = this.#capture;
    if (message.kind === 'screenshot')
      void this.#take(message.call, (signal) => capture.screenshot(message.request, signal, message.user));
    else if (message.kind === 'pdf')
      void this.#take(message.call, (signal) => capture.pdf(message.request, signal, message.user));
    else if (message.kind === 'content')
      void this.#take(message.call, (signal) => capture.content(message.request, signal, message.user));
    else if (message.kind === 'abort') this.#calls.get(message.call)?.abort();
    else if (message.kind === 'allowPage') capture.allowPage(message.url);
    else void this.#close(message.call);
  }

  sendState(): void {
    const state = this.#capture.state();
    const text = JSON.stringify(state);
    if (text === this.#sentState) return;
    this.#sentState = text;
    send({ kind: 'state', state });
  }

  async #take(
    call: number,
    take: (signal: AbortSignal) => Promise<Exclude<CallResult, undefined>>,
  ): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    try {
      const taking = take(controller.signal);
      this.sendState();
      const result = await taking;
      if ('body' in result) {
        const body = transferable(result.body);
        send({ kind: 'done', call, result: { ...result, body } }, [body.buffer]);
      } else send({ kind: 'done', call, result });
    } catch (error) {
      send({ kind: 'failed', call, failure: failureOf(error) });
    } finally {
      this.#calls.delete(call);
      this.sendState();
    }
  }

  async #close(call: number): Promise<void> {
    clearInterval(this.#stateTimer);
    try {
      await this.#capture.close();
      this.sendState();
      send({ kind: 'done', call, result: undefined });
    } catch (error) {
      send({ kind: 'failed', call, failure: failureOf(error) });
    }
  }
}

async function start(settings: CaptureSettings): Promise<CaptureThread> {
  const thread = new CaptureThread(await startCapture({ ...settings, randomBytes: systemRandomBytes, log }));
  send({ kind: 'done', call: START_CALL, result: undefined });
  return thread;
}

let thread: CaptureThread | undefined;
port.on('message', (message: WorkerRequest) => {
  if (message.kind !== 'start') {
    thread?.handle(message);
    return;
  }
  startBeating(message.heartbeat);
  start(message.settings).then(
    (started) => (thread = started),
    (error: unknown) => send({ kind: 'failed', call: START_CALL, failure: failureOf(error) }),
  );
});
