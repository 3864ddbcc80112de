import { imageSize } from './fitting-capture.js';

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('0000050000000320', 'hex'),
]);
/** A start, an application segment and a comment, then the frame header. */
const jpeg = (frameMarker: string) =>
  Buffer.from(`ffd8ffe000044a46fffe000461 62${frameMarker}001108032005000301`.replaceAll(' ', ''), 'hex');

test.each([
  ['a PNG', png],
  ['a baseline JPEG', jpeg('ffc0')],
  ['a progressive JPEG', jpeg('ffc2')],
])('%s says its size', (_what, image) => {
  expect(imageSize(image)).toEqual({ width: 1280, height: 800 });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('<!doctype html><title>no picture</title>')],
  ['a JPEG that is cut off', jpeg('ffc0').subarray(0, 16)],
  ['a JPEG whose first frame marker is a table', jpeg('ffc4')],
])('%s has no size', (_what, image) => {
  expect(imageSize(image)).toBeUndefined();
});
