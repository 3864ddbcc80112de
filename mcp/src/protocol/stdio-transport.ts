import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  serializeMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server';
import { isFields } from '../tools/tool-result.js';

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

const ID_TYPES: ReadonlySet<string> = new Set(['undefined', 'string', 'number']);

/** Requests that came together in one line, which revision 2025-03-26 allows. */
interface Batch {
  readonly open: Set<unknown>;
  readonly responses: JSONRPCMessage[];
}

const isParams = (value: unknown) => value === undefined || (isFields(value) && !Array.isArray(value));

/**
 * Whether a value looks like a message. Only a quick check, because the SDK validates messages itself. The SDK's own
 * transport would validate them twice.
 */
const isMessage = (value: unknown): value is JSONRPCMessage =>
  isFields(value) &&
  value.jsonrpc === '2.0' &&
  ID_TYPES.has(typeof value.id) &&
  (!('method' in value) || (typeof value.method === 'string' && isParams(value.params)));

/** Removes parameters that are null. Some programs write that in messages without parameters. */
function dropNullParams(message: unknown): void {
  if (isFields(message) && message.params === null) Reflect.deleteProperty(message, 'params');
}

/** The response to an invalid request; undefined for anything that expects no response. */
function rejectionOf(value: unknown): string | undefined {
  if (!isFields(value) || !('method' in value)) return undefined;
  const { id } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const message =
    'This is not a JSON-RPC 2.0 request: "jsonrpc" must be "2.0", "method" must be text, and "params" must be an object or left out.';
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidRequest, message } })}\n`;
}

/**
 * A transport with one message or batch of messages per line. The SDK's own transport aborts open requests when the
 * input ends. This transport leaves that to its owner, and tells when every request is answered or cancelled.
 */
export class StdioTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  /** Open requests by their id. */
  readonly #open = new Map<unknown, JSONRPCMessage>();
  /** By the id of an open request: the batch that it came in. */
  readonly #batches = new Map<unknown, Batch>();
  #begunLine = '';
  /** Lines that are written together before the event loop continues. */
  readonly #lines: string[] = [];
  /** Resolves when `#lines` are written; undefined if there are none. */
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

  /** Resolves when the message is written, or collected for its batch. */
  async send(message: JSONRPCMessage): Promise<void> {
    const batch = 'method' in message ? undefined : this.#batches.get(message.id);
    if ('method' in message || batch === undefined) await this.#write(serializeMessage(message));
    else await this.#sendOfBatch(message.id, batch, message);
    if (!('method' in message)) this.#settle(message.id);
  }

  close(): Promise<void> {
    this.#input.off('data', this.#read);
    this.onclose?.();
    return Promise.resolve();
  }

  /** Resolves when no request is open any more. */
  idle(): Promise<void> {
    // Requests that are not valid are dropped, because the SDK never responds to them.
    for (const [id, message] of this.#open) if (!isJSONRPCRequest(message)) this.#open.delete(id);
    return this.#open.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onIdle.push(resolve);
        });
  }

  /** Writes a line. Lines that are ready at the same time are written with one system call. */
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
    for (const line of lines) if (line.trim() !== '') this.#handleLine(line);
    if (this.#begunLine.length <= STDIO_DEFAULT_MAX_BUFFER_SIZE) return;
    this.onerror?.(new Error(`A line has more than ${STDIO_DEFAULT_MAX_BUFFER_SIZE} characters.`));
    void this.close();
  };

  /** Handles one line: a message or a batch of messages. */
  #handleLine(line: string): void {
    const value = this.#parse(line);
    for (const message of [value].flat()) dropNullParams(message);
    if (!Array.isArray(value) || value.length === 0) {
      this.#receive(value);
      return;
    }
    const messages: unknown[] = value;
    const ids = messages.flatMap((one) => (isMessage(one) && 'method' in one && 'id' in one ? [one.id] : []));
    const batch: Batch = { open: new Set(ids), responses: [] };
    for (const id of ids) this.#batches.set(id, batch);
    for (const message of messages) this.#receive(message);
  }

  #parse(line: string): unknown {
    try {
      // Some programs begin their output with a byte order mark.
      return JSON.parse(line.replace(/^\ufeff/u, ''));
    } catch {
      return undefined;
    }
  }

  #receive(message: unknown): void {
    if (!isMessage(message)) {
      const rejection = rejectionOf(message);
      if (rejection !== undefined) void this.#write(rejection);
      this.onerror?.(new Error('It is not JSON, or no message of JSON-RPC 2.0.'));
      return;
    }
    if ('method' in message && 'id' in message) this.#open.set(message.id, message);
    else if ('method' in message && message.method === 'notifications/cancelled')
      this.#settle(message.params?.requestId);
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(toError(error));
    }
  }

  /**
   * Adds a response to its batch or, without a response, removes a cancelled request from it. Once no request of the
   * batch is open, writes its responses together.
   */
  async #sendOfBatch(id: unknown, batch: Batch, response?: JSONRPCMessage): Promise<void> {
    this.#batches.delete(id);
    batch.open.delete(id);
    if (response !== undefined) batch.responses.push(response);
    if (batch.open.size === 0 && batch.responses.length > 0)
      await this.#write(`${JSON.stringify(batch.responses)}\n`);
  }

  #settle(id: unknown): void {
    const batch = this.#batches.get(id);
    if (batch !== undefined) void this.#sendOfBatch(id, batch);
    if (!this.#open.delete(id) || this.#open.size > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }
}
