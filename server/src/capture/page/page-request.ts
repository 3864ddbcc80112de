import type { CapturePdfRequest, CaptureScreenshotRequest } from '@signpost/contract';

/** What a capture of whatever kind may ask of its page. */
export type PageRequest = Pick<CaptureScreenshotRequest, 'url'> &
  Partial<Omit<CaptureScreenshotRequest, 'format'>> &
  Partial<Omit<CapturePdfRequest, 'format'>>;
