import type { CapturePdfRequest, CaptureScreenshotRequest } from '@signpost/contract';

/** The options of screenshots and of PDFs together, without `format`. Each may be left out. */
export type PageRequest = Partial<Omit<CaptureScreenshotRequest, 'format'>> &
  Partial<Omit<CapturePdfRequest, 'format'>>;

/** A request together with the address to load for it. */
export type LocatedRequest = PageRequest & { readonly url: string };
