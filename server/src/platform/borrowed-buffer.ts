/** Bytes in a shared buffer. Send or copy them at once, or call `keep`: otherwise the next response overwrites them. */
export interface BorrowedBuffer {
  readonly bytes: Buffer;
  /** Hands the buffer over to the caller. Its owner uses another one from then on. */
  readonly keep: () => void;
}
