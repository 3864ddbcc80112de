import type { CapturePdfRequest, CaptureScreenshotRequest } from '@signpost/contract';

/** What a capture of whatever kind may ask of its page. */
export type PageRequest = Partial<Omit<CaptureScreenshotRequest, 'format'>> &
  Partial<Omit<CapturePdfRequest, 'format'>>;

/** A request with the address that is loaded for it. */
export type LocatedRequest = PageRequest & { readonly url: string };
