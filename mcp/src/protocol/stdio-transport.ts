import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  serializeMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server';
import { isFields } from '../tools/tool-result.js';

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

const ID_TYPES: ReadonlySet<string> = new Set(['undefined', 'string', 'number']);

/** Only a quick check: the SDK validates messages itself, and its own transport would do that twice. */
const isMessage = (value: unknown): value is JSONRPCMessage =>
  isFields(value) && value.jsonrpc === '2.0' && ID_TYPES.has(typeof value.id);

/**
 * A transport of messages as lines. The SDK's own transport aborts open requests when the input ends; this one lets
 * the owner decide, and tells when every request is answered or cancelled.
 */
export class StdioTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  /** Open requests by their id. */
  readonly #open = new Map<unknown, JSONRPCMessage>();
  #begunLine = '';
  /** Lines to write at the end of this turn of the event loop, and a promise for that. */
  readonly #lines: string[] = [];
  #written: Promise<void> | undefined;
  #onIdle: (() => void)[] = [];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    this.#input.setEncoding('utf8').on('data', this.#read);
    return Promise.resolve();
  }

  /** Resolves when the message is written. Never resolves if nobody reads any more. */
  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(serializeMessage(message));
    if (!('method' in message)) this.#settle(message.id);
  }

  close(): Promise<void> {
    this.#input.off('data', this.#read);
    this.onclose?.();
    return Promise.resolve();
  }

  /** Resolves when no request is open. */
  idle(): Promise<void> {
    // The SDK does not respond to invalid requests.
    for (const [id, message] of this.#open) if (!isJSONRPCRequest(message)) this.#open.delete(id);
    return this.#open.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onIdle.push(resolve);
        });
  }

  /** Writes responses that are ready at the same time with one system call. */
  #write(line: string): Promise<void> {
    this.#lines.push(line);
    this.#written ??= new Promise((resolve) => {
      process.nextTick(() => {
        this.#written = undefined;
        this.#output.write(this.#lines.splice(0).join(''), () => resolve());
      });
    });
    return this.#written;
  }

  readonly #read = (chunk: string): void => {
    const lines = `${this.#begunLine}${chunk}`.split('\n');
    this.#begunLine = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#take(line);
    if (this.#begunLine.length <= STDIO_DEFAULT_MAX_BUFFER_SIZE) return;
    this.onerror?.(new Error(`A line has more than ${STDIO_DEFAULT_MAX_BUFFER_SIZE} characters.`));
    void this.close();
  };

  /** Handles one line. Reports and skips it if it is not a message. */
  #take(line: string): void {
    try {
      const message: unknown = JSON.parse(line);
      if (!isMessage(message)) throw new Error('It is no message of JSON-RPC 2.0.');
      if ('method' in message && 'id' in message) this.#open.set(message.id, message);
      else if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.requestId);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(toError(error));
    }
  }

  #settle(id: unknown): void {
    if (!this.#open.delete(id) || this.#open.size > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }
}
