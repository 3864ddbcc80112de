import type { CapturePdfRequest, CaptureScreenshotRequest } from '@signpost/contract';

/** The page options of captures of any kind. */
export type PageRequest = Partial<Omit<CaptureScreenshotRequest, 'format'>> &
  Partial<Omit<CapturePdfRequest, 'format'>>;

/** A request with the address to load for it. */
export type LocatedRequest = PageRequest & { readonly url: string };
