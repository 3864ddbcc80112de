import { type CaptureScreenshotRequest, LIMITS } from '@signpost/contract';
import { MAX_RESULT_BYTES } from '../tools/tool-result.js';
import { type ImageSize, imageSize } from './image-size.js';

/** What is left for a picture's bytes, which base64 makes a third longer, beside some kilobytes of words. */
export const MAX_IMAGE_BYTES = Math.floor(((MAX_RESULT_BYTES - 8_000) / 4) * 3);
/** Beyond this on a side models refuse a picture. */
const MAX_SIDE_PIXELS = 8_000;
/** Models see no more than this on the long edge. */
export const SEEN_PIXELS = 1_568;
/** Less than what the size of the last picture promises, for a smaller page is denser. */
const CAUTION = 0.85;

/** A request that gives a smaller picture than the last, and the reason in words. */
export interface SmallerCapture {
  readonly request: CaptureScreenshotRequest;
  readonly why: string;
}

/** What to capture instead of a picture that a tool cannot answer; undefined where it can. */
export function smallerCapture(request: CaptureScreenshotRequest, image: Buffer): SmallerCapture | undefined {
  const size = imageSize(image) ?? { width: request.width, height: request.height };
  const isTooLarge = image.length > MAX_IMAGE_BYTES;
  if (Math.max(size.width, size.height) > MAX_SIDE_PIXELS) return upperPart(request, size, isTooLarge);
  if (!isTooLarge) return undefined;
  if (request.format === 'png') return { request: { ...request, format: 'jpeg' }, why: 'as JPEG' };
  return shrunk(request, size, image.length);
}

/** Only a full page is that tall, as no window may be. */
function upperPart(
  request: CaptureScreenshotRequest,
  { height }: ImageSize,
  isTooLarge: boolean,
): SmallerCapture {
  const part = LIMITS.viewport.maxPixels;
  return {
    request: {
      ...request,
      fullPage: false,
      height: part,
      format: isTooLarge ? 'jpeg' : request.format,
    },
    why: `with its upper ${part} pixels alone, as it is ${height} pixels tall`,
  };
}

function shrunk(request: CaptureScreenshotRequest, size: ImageSize, bytes: number): SmallerCapture {
  const byBytes = Math.sqrt(MAX_IMAGE_BYTES / bytes) * CAUTION;
  const bySight = SEEN_PIXELS / Math.max(size.width, size.height);
  const factor = Math.min(byBytes, bySight);
  const scaled = (pixels: number) => Math.max(LIMITS.viewport.minPixels, Math.floor(pixels * factor));
  const [width, height] = [scaled(size.width), scaled(size.height)];
  return {
    request: { ...request, fullPage: false, width, height },
    why: `in a window of ${width} × ${height} pixels`,
  };
}
