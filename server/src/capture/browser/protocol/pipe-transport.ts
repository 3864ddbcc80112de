import type { Readable, Writable } from 'node:stream';
import { MAX_EVENT_BYTES } from './event-budget.js';
import { END_BYTES, isEvent } from './message-head.js';
import { MAX_MESSAGE_BYTES, type Transport, type TransportListener } from './transport.js';

const END = 0;

/**
 * The maximum sizes in bytes of an event and of a reply. If a message is longer, only its beginning and end are kept.
 */
interface MessageLimits {
  readonly eventBytes: number;
  readonly replyBytes: number;
}

/** The beginning and the end of a message that is too long. */
interface HeadAndTail {
  readonly head: string;
  tail: Buffer;
}

const lastBytes = (bytes: Buffer) => bytes.subarray(Math.max(0, bytes.length - END_BYTES));

/** Splits a stream of bytes into messages, each of which ends with a zero byte. */
export class MessageSplitter {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #maxBytes: number;
  #tooLong: HeadAndTail | undefined;

  readonly #listener: Pick<TransportListener, 'onMessage' | 'onTooLong'>;
  readonly #limits: MessageLimits;

  constructor(
    listener: Pick<TransportListener, 'onMessage' | 'onTooLong'>,
    limits: MessageLimits = {
      eventBytes: MAX_EVENT_BYTES,
      replyBytes: MAX_MESSAGE_BYTES,
    },
  ) {
    this.#listener = listener;
    this.#limits = limits;
    this.#maxBytes = limits.eventBytes;
  }

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
    if (part.length === 0) return;
    if (this.#tooLong !== undefined) {
      this.#tooLong.tail = Buffer.from(lastBytes(Buffer.concat([this.#tooLong.tail, lastBytes(part)])));
      return;
    }
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#dropIfTooLong();
  }

  /**
   * Keeps only the beginning and the end of the message if it is too long: an event that exceeds the limit of events,
   * or a reply that exceeds that of replies.
   */
  #dropIfTooLong(): void {
    const { replyBytes } = this.#limits;
    const whole = Buffer.concat(this.#chunks);
    const head = whole.toString('utf8', 0, END_BYTES);
    if (!isEvent(head) && this.#bytes <= replyBytes) {
      this.#maxBytes = replyBytes;
      this.#chunks = [whole];
      return;
    }
    this.#tooLong = { head, tail: Buffer.from(lastBytes(whole)) };
    this.#chunks = [];
  }

  #finish(): void {
    const tooLong = this.#tooLong;
    const chunks = this.#chunks;
    this.#tooLong = undefined;
    this.#chunks = [];
    this.#bytes = 0;
    this.#maxBytes = this.#limits.eventBytes;
    if (tooLong === undefined) this.#listener.onMessage(Buffer.concat(chunks).toString());
    else this.#listener.onTooLong(tooLong.head, tooLong.tail.toString());
  }
}

/** A transport over the two pipes of a browser that was started with `--remote-debugging-pipe`. */
export function pipeTransport(input: Writable, output: Readable): Transport {
  return {
    listen(listener) {
      const splitter = new MessageSplitter(listener);
      output.on('data', (chunk: Buffer) => {
        listener.onData();
        splitter.push(chunk);
      });
      output.once('close', () => listener.onClose());
      // An error of either pipe closes the output, and is otherwise ignored: both pipes break when the browser ends,
      // which is handled elsewhere.
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
