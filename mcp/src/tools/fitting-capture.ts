import {
  type CaptureScreenshotRequest,
  LIMITS,
  type Operations,
  type RequestInput,
} from '@signpost/contract';
import { SignpostApiError } from '../client/signpost-api-error.js';
import type { FileAnswer } from '../client/backend.js';
import { MAX_RESULT_BYTES } from './tool-result.js';

/** A picture of a window whose size is known. */
export type PictureRequest = RequestInput<Operations['captureScreenshot']> &
  Pick<CaptureScreenshotRequest, 'width' | 'height' | 'format'>;

/** Width and height in pixels. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PNG_START = 0x89504e47;
const JPEG_START = 0xffd8;
const MARKERS_WITHOUT_SIZE = new Set([0xc4, 0xc8, 0xcc]);

/** What a PNG or JPEG says of its size; undefined where it is neither. */
export function imageSize(image: Buffer): ImageSize | undefined {
  if (image.length >= 24 && image.readUInt32BE(0) === PNG_START)
    return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
  if (image.length >= 4 && image.readUInt16BE(0) === JPEG_START) return jpegSize(image);
  return undefined;
}

/** Walks the segments of a JPEG to its frame header. */
function jpegSize(image: Buffer): ImageSize | undefined {
  let offset = 2;
  while (offset + 9 <= image.length && image[offset] === 0xff) {
    const marker = image.readUInt8(offset + 1);
    if (marker >= 0xc0 && marker <= 0xcf && !MARKERS_WITHOUT_SIZE.has(marker))
      return { width: image.readUInt16BE(offset + 7), height: image.readUInt16BE(offset + 5) };
    offset += 2 + image.readUInt16BE(offset + 2);
  }
  return undefined;
}

/** What is left for a picture's bytes, which base64 makes a third longer, beside some kilobytes of words. */
export const MAX_IMAGE_BYTES = Math.floor(((MAX_RESULT_BYTES - 8_000) / 4) * 3);
/** Beyond this on a side models refuse a picture. */
const MAX_SIDE_PIXELS = 8_000;
/** Models see no more than this on the long edge. */
export const SEEN_PIXELS = 1_568;
/** Less than what the size of the last picture promises, for a smaller page is denser. */
const CAUTION = 0.85;

/** A request that gives a smaller picture than the last, and the reason in words. */
interface SmallerCapture {
  readonly request: PictureRequest;
  readonly why: string;
}

/** What to capture instead of a picture that a tool cannot answer; undefined where it can. */
function smallerCapture(request: PictureRequest, image: Buffer): SmallerCapture | undefined {
  const size = imageSize(image) ?? { width: request.width, height: request.height };
  const isTooLarge = image.length > MAX_IMAGE_BYTES;
  if (Math.max(size.width, size.height) > MAX_SIDE_PIXELS) return upperPart(request, size, isTooLarge);
  if (!isTooLarge) return undefined;
  if (request.format === 'png') return { request: { ...request, format: 'jpeg' }, why: 'as JPEG' };
  return shrunk(request, size, image.length);
}

/** Only a full page is that tall, as no window may be. */
function upperPart(request: PictureRequest, { height }: ImageSize, isTooLarge: boolean): SmallerCapture {
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

function shrunk(request: PictureRequest, size: ImageSize, bytes: number): SmallerCapture {
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

type Picture = FileAnswer<Operations['captureScreenshot']>;

/** A page's pictures: what was asked for, and what a tool can answer. */
export interface FittingCapture {
  readonly asked: Picture;
  /** The same where it fits, else one that was captured again; undefined where none fitted. */
  readonly shown: Picture | undefined;
  /** How often and why it was captured again, in words. */
  readonly remarks: readonly string[];
}

const MAX_CAPTURES = 5;

/** Captures a page, and again in other ways for as long as the picture is too large for a tool's result. */
export async function captureFitting(
  capture: (request: PictureRequest) => Promise<Picture>,
  request: PictureRequest,
): Promise<FittingCapture> {
  const asked = await capture(request);
  const remarks: string[] = [];
  let shown = asked;
  let smaller = smallerCapture(request, shown.body);
  for (let captures = 1; smaller !== undefined; captures += 1) {
    if (captures === MAX_CAPTURES) return { asked, shown: undefined, remarks };
    remarks.push(`captured again ${smaller.why}`);
    try {
      shown = await capture(smaller.request);
    } catch (error) {
      if (!(error instanceof SignpostApiError)) throw error;
      return { asked, shown: undefined, remarks: [...remarks, `which failed: ${error.message}`] };
    }
    smaller = smallerCapture(smaller.request, shown.body);
  }
  return { asked, shown, remarks };
}
