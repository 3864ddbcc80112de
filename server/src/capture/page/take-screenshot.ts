import type { CaptureScreenshotRequest } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { checkedFile, type CaptureJob, type CaptureLimits } from './capture-page.js';
import type { OpenPage } from './open-page.js';
import { pageHeight, revealLazyContent } from './reveal-lazy-content.js';

/** The JPEG format's limit; Chromium answers an empty file beyond it. */
const MAX_JPEG_PIXELS = 65_500;
const JPEG_QUALITY = 85;

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg' } as const;

async function fullHeight(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  capPixels: number,
): Promise<number> {
  const firstHeight = await pageHeight(open);
  if (firstHeight > request.height && firstHeight <= capPixels) await revealLazyContent(open);
  const height = Math.max(await pageHeight(open), request.height);
  if (height > capPixels) {
    throw new ServiceError(
      'invalidRequest',
      `The page is ${height} pixels tall, more than the ${capPixels} that a full page may have. Leave fullPage out.`,
    );
  }
  if (request.format === 'jpeg' && height > MAX_JPEG_PIXELS) {
    throw new ServiceError(
      'invalidRequest',
      `The page is ${height} pixels tall, more than the ${MAX_JPEG_PIXELS} that a JPEG can have. Use the format png.`,
    );
  }
  return height;
}

/** Pictures the page as it is shown, or all of it. */
async function takeScreenshot(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  { maxPageHeightPixels }: CaptureLimits,
): Promise<Buffer> {
  const { width, format, fullPage } = request;
  const clip = fullPage
    ? { clip: { x: 0, y: 0, width, height: await fullHeight(open, request, maxPageHeightPixels), scale: 1 } }
    : {};
  const { data } = await open.deadline.race(
    open.protocol.send('Page.captureScreenshot', {
      format,
      ...(format === 'jpeg' ? { quality: JPEG_QUALITY } : {}),
      // A faster compression of PNG, for files that are 10 to 40 % larger.
      optimizeForSpeed: true,
      captureBeyondViewport: fullPage,
      ...clip,
    }),
  );
  return Buffer.from(data, 'base64');
}

interface ScreenshotFile {
  readonly body: Buffer;
  readonly mediaType: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];
}

export const screenshotJob = (
  request: CaptureScreenshotRequest,
  limits: CaptureLimits,
): CaptureJob<ScreenshotFile> => ({
  request,
  make: async (open) => ({
    body: await checkedFile(takeScreenshot(open, request, limits), limits),
    mediaType: MEDIA_TYPES[request.format],
  }),
});
