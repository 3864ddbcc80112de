import { Socket } from 'node:net';
import { keepUnlessSent } from './operation-route.js';

const socketWith = (writableLength: number) =>
  Object.defineProperty(new Socket(), 'writableLength', { value: writableLength });

test.each([
  ['all was written', true, socketWith(0), false],
  ['some of it waits for the reader', true, socketWith(1), true],
  ['the answer waits for the one before it', true, null, true],
  ['the answer has not ended', false, socketWith(0), true],
])('keeps the bytes only while they are unsent: %s', (_what, writableEnded, socket, isKept) => {
  let wasKept = false;
  keepUnlessSent({ writableEnded, socket }, { bytes: Buffer.from('{}'), keep: () => (wasKept = true) });
  expect(wasKept).toBe(isKept);
});
