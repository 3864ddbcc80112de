import { SignpostApiError } from '../client/signpost-api-error.js';
import { captureFitting, MAX_IMAGE_BYTES, type PictureRequest } from './fitting-capture.js';

const request: PictureRequest = { url: 'https://example.com', width: 1280, height: 800, format: 'png' };

/** Bytes that say they are a PNG of this size; what a JPEG says is not needed, its request is taken for it. */
function image({ format, width, height }: PictureRequest, bytes: number): Buffer {
  const body = Buffer.alloc(bytes);
  if (format === 'png') body.write('89504e470d0a1a0a0000000d49484452', 'hex');
  body.writeUInt32BE(width, 16);
  body.writeUInt32BE(height, 20);
  return body;
}

/** Captures pictures whose size in bytes is this of what was asked. */
function scenario(bytesOf: (asked: PictureRequest) => number) {
  const asked: PictureRequest[] = [];
  const capture = (one: PictureRequest) => {
    asked.push(one);
    return Promise.resolve().then(() => ({
      body: image(one, bytesOf(one)),
      mediaType: one.format === 'png' ? ('image/png' as const) : ('image/jpeg' as const),
      headers: { 'X-Capture-Time-Ms': 1, 'X-Page-Status': 200 },
    }));
  };
  return { asked, capture };
}

test('a picture that fits is captured once', async () => {
  const { asked, capture } = scenario(() => MAX_IMAGE_BYTES);
  const fitting = await captureFitting(capture, request);
  expect([fitting.shown, fitting.remarks, asked]).toEqual([fitting.asked, [], [request]]);
});

test('a PNG that is too large becomes a JPEG of the same window', async () => {
  const { asked, capture } = scenario(({ format }) => (format === 'png' ? MAX_IMAGE_BYTES + 1 : 1_000));
  const { shown } = await captureFitting(capture, request);
  expect(shown?.mediaType).toBe('image/jpeg');
  expect(asked).toEqual([request, { ...request, format: 'jpeg' }]);
});

test('a JPEG that is too large is captured in a window that its own size calls for', async () => {
  const { asked, capture } = scenario(({ width, height }) => width * height * 3);
  const { shown } = await captureFitting(capture, { ...request, format: 'jpeg' });
  expect(shown?.body.length).toBeLessThanOrEqual(MAX_IMAGE_BYTES);
  expect(asked).toHaveLength(2);
  const [, smaller] = asked;
  expect((smaller?.width ?? 0) / (smaller?.height ?? 1)).toBeCloseTo(1280 / 800, 1);
});

test('a page whose pictures never fit is given up after five captures', async () => {
  const { asked, capture } = scenario(() => MAX_IMAGE_BYTES + 1);
  const { shown, remarks } = await captureFitting(capture, request);
  expect([shown, asked.length, remarks.length]).toEqual([undefined, 5, 4]);
});

test('where the limit ends in between, the first picture is kept and the reason told', async () => {
  const { capture } = scenario(({ format }) => {
    if (format === 'jpeg') throw new SignpostApiError('Used up.', { status: 429, retryAfterSeconds: 50 });
    return MAX_IMAGE_BYTES + 1;
  });
  const { asked, shown, remarks } = await captureFitting(capture, request);
  expect([asked.body.length, shown]).toEqual([MAX_IMAGE_BYTES + 1, undefined]);
  expect(remarks).toEqual(['captured again as JPEG', 'which failed: Used up.']);
});
