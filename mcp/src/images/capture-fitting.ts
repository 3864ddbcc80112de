import type { CaptureScreenshotRequest, Operations } from '@signpost/contract';
import type { FileAnswer } from '../operation-answer.js';
import { SignpostApiError } from '../signpost-api-error.js';
import { smallerCapture } from './smaller-capture.js';

type Picture = FileAnswer<Operations['captureScreenshot']>;

/** A page's pictures: what was asked for, and what a tool can answer. */
export interface FittingCapture {
  readonly asked: Picture;
  /** The same where it fits, else one that was captured again; undefined where none fitted. */
  readonly shown: Picture | undefined;
  /** How often and why it was captured again, in words. */
  readonly remarks: readonly string[];
}

const MOST_CAPTURES = 5;

/** Captures a page, and again in other ways for as long as the picture is too large for a tool's result. */
export async function captureFitting(
  capture: (request: CaptureScreenshotRequest) => Promise<Picture>,
  request: CaptureScreenshotRequest,
): Promise<FittingCapture> {
  const asked = await capture(request);
  const remarks: string[] = [];
  let shown = asked;
  let smaller = smallerCapture(request, shown.body);
  for (let captures = 1; smaller !== undefined; captures += 1) {
    if (captures === MOST_CAPTURES) return { asked, shown: undefined, remarks };
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
