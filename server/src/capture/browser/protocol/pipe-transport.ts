import type { Readable, Writable } from 'node:stream';
import { MAX_MESSAGE_BYTES, type Transport, type TransportListener } from './transport.js';

const END = 0;
const HEAD_BYTES = 100;

/** Cuts a stream of bytes into the messages that a zero byte ends each. */
export class MessageSplitter {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #tooLongHead: string | undefined;

  constructor(
    private readonly listener: Pick<TransportListener, 'onMessage' | 'onTooLong'>,
    private readonly maxBytes = MAX_MESSAGE_BYTES,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#tooLongHead !== undefined || part.length === 0) return;
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.maxBytes) return;
    this.#tooLongHead = Buffer.concat(this.#chunks).toString('utf8', 0, HEAD_BYTES);
    this.#chunks = [];
  }

  #finish(): void {
    const head = this.#tooLongHead;
    const chunks = this.#chunks;
    this.#tooLongHead = undefined;
    this.#chunks = [];
    this.#bytes = 0;
    if (head === undefined) this.listener.onMessage(Buffer.concat(chunks).toString());
    else this.listener.onTooLong(head);
  }
}

/** The two pipes of a browser that was started with `--remote-debugging-pipe`. */
export function pipeTransport(input: Writable, output: Readable): Transport {
  return {
    listen(listener) {
      const splitter = new MessageSplitter(listener);
      output.on('data', (chunk: Buffer) => {
        listener.onData();
        splitter.push(chunk);
      });
      output.once('close', () => listener.onClose());
      // A browser that ends breaks its pipes; that they are closed says it all.
      output.on('error', () => output.destroy());
      input.on('error', () => output.destroy());
    },
    send(message) {
      if (input.writable) input.write(`${message}\0`);
    },
    close() {
      input.destroy();
      output.destroy();
    },
  };
}
