import type { CapturePdfRequest, CaptureScreenshotRequest } from '@signpost/contract';

/** The page options of all kinds of captures. */
export type PageRequest = Partial<Omit<CaptureScreenshotRequest, 'format'>> &
  Partial<Omit<CapturePdfRequest, 'format'>>;

/** A request together with the address to load for it. */
export type LocatedRequest = PageRequest & { readonly url: string };
