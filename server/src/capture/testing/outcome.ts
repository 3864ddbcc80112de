import { capturePdfRequest, captureScreenshotRequest } from '@signpost/contract';
import { ServiceError } from '../../service-error.js';
import type { CaptureService, Screenshot } from '../capture-service.js';

type ScreenshotInput = Parameters<typeof captureScreenshotRequest.parse>[0];

/** A small window, since most tests look at what happened and not at the picture. */
const SMALL = { width: 200, height: 100 };

export const never = (): AbortSignal => new AbortController().signal;

export const shoot = (
  capture: CaptureService,
  url: string,
  more: Record<string, unknown> = {},
  signal = never(),
): Promise<Screenshot> =>
  capture.screenshot(
    captureScreenshotRequest.parse({ ...SMALL, url, ...more } satisfies ScreenshotInput),
    signal,
  );

export const print = (capture: CaptureService, url: string, more: Record<string, unknown> = {}) =>
  capture.pdf(capturePdfRequest.parse({ url, ...more }), never());

/** How a capture ended: "captured", or the error's kind; anything but a ServiceError is thrown on. */
export async function outcome(
  work: Promise<unknown>,
): Promise<{ readonly kind: string; readonly message: string }> {
  try {
    await work;
    return { kind: 'captured', message: '' };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: error.kind, message: error.message };
    throw error;
  }
}
