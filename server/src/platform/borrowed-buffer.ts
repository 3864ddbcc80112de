/** Bytes over which their owner writes the next answer, unless they are kept: to be sent or copied at once. */
export interface BorrowedBuffer {
  readonly bytes: Buffer;
  /** Leaves the bytes to the code that has them: their owner takes others from then on. */
  readonly keep: () => void;
}
