import { Writable } from 'node:stream';

/**
 * A stream before another that joins what is written while a write is under way: answers that are ready together
 * cost one call of the system, and one that is alone waits for nothing.
 */
export const batchedOutput = (target: Writable): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void target.write(chunk, done),
    writev: (chunks, done) => void target.write(chunks.map(({ chunk }) => String(chunk)).join(''), done),
  });
