import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/**
 * Messages as lines of two streams. The SDK's own transport gives up what is under way when the input ends; this one
 * leaves that to who closes it, and tells when every request is answered or cancelled.
 */
export class StdioTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new ReadBuffer();
  readonly #open = new Set<unknown>();
  #onIdle: (() => void)[] = [];

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    this.#input.on('data', this.#read);
    return Promise.resolve();
  }

  /** Resolves once it is written; where nobody reads any more, never. */
  async send(message: JSONRPCMessage): Promise<void> {
    await new Promise<void>((resolve) => this.#output.write(serializeMessage(message), () => resolve()));
    if (!('method' in message)) this.#settle(message.id);
  }

  close(): Promise<void> {
    this.#input.off('data', this.#read);
    this.onclose?.();
    return Promise.resolve();
  }

  /** Resolves when no request is open, at once where that is so already. */
  idle(): Promise<void> {
    return this.#open.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onIdle.push(resolve);
        });
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      this.#lines.append(chunk);
    } catch (error) {
      this.onerror?.(toError(error));
      void this.close();
    }
    while (this.#takeLine());
  };

  /** Whether there was a line; what is no message is told and left out. */
  #takeLine(): boolean {
    try {
      const message = this.#lines.readMessage();
      if (message === null) return false;
      // What was read is a message, so that it need not be parsed again to see of which kind, as the SDK's guards do.
      if ('method' in message && 'id' in message) this.#open.add(message.id);
      else if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.requestId);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(toError(error));
    }
    return true;
  }

  #settle(id: unknown): void {
    if (!this.#open.delete(id) || this.#open.size > 0) return;
    for (const resolve of this.#onIdle) resolve();
    this.#onIdle = [];
  }
}
