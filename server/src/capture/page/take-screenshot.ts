import { type CaptureScreenshotRequest, LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { checkedFile, type CaptureJob, type CaptureLimits } from './capture-page.js';
import { describePage, type PageDescription } from './describe-page.js';
import type { OpenPage } from './open-page.js';
import { notASelector } from './prepare-page.js';
import { pageHeight, revealLazyContent } from './reveal-lazy-content.js';

/** How tall a picture of these formats can be; Chromium answers an empty file beyond it. */
const MAX_SIDE_PIXELS: Readonly<Record<string, number>> = { jpeg: 65_500, webp: 16_383 };

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

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
  return height;
}

/** Refuses what the format has no room for. */
function checkSide(height: number, { format }: CaptureScreenshotRequest): void {
  const maxPixels = MAX_SIDE_PIXELS[format] ?? Infinity;
  if (height <= maxPixels) return;
  throw new ServiceError(
    'invalidRequest',
    `The picture is ${height} pixels tall, more than the ${maxPixels} that a ${format === 'webp' ? 'WebP' : 'JPEG'} can have. Use the format png.`,
  );
}

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const foundBox = z.union([box, z.literal('invalid'), z.null()]);
const PAGE_WIDTH = 'Math.ceil(document.documentElement.scrollWidth)';

/** Where the first element of a selector is on the page; null where there is none. */
const boxOf = (selector: string) => `(() => {
  try {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (element === null) return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  } catch {
    return 'invalid';
  }
})()`;

type Box = z.output<typeof box>;

const refuse = (message: string) => new ServiceError('invalidRequest', message);

/** The whole pixels that the first element of a selector is in. */
async function pieceOfElement(open: OpenPage, selector: string, maxHeight: number): Promise<Box> {
  const found = foundBox.parse(await open.evaluate(boxOf(selector)));
  if (found === 'invalid') throw notASelector('selector', selector);
  if (found === null)
    throw refuse(`No element matched "${selector}" of "selector". Look at the selector, or leave it out.`);
  const [x, y] = [Math.floor(found.x), Math.floor(found.y)];
  const [width, height] = [Math.ceil(found.x + found.width) - x, Math.ceil(found.y + found.height) - y];
  const what = `The element that matched "${selector}" of "selector"`;
  if (found.width === 0 || found.height === 0)
    throw refuse(
      `${what} takes no room on the page. Choose another one, or wait for it with "waitForSelector".`,
    );
  if (width > LIMITS.viewport.maxPixels || height > maxHeight)
    throw refuse(
      `${what} has ${width} × ${height} pixels, more than the ${LIMITS.viewport.maxPixels} × ${maxHeight} that a picture may have. Choose a smaller one.`,
    );
  return { x, y, width, height };
}

/** A piece given by its place, which must begin on the page; what is beyond the page's end is blank. */
async function pieceOfPage(
  open: OpenPage,
  clip: Box,
  { width, height }: CaptureScreenshotRequest,
): Promise<Box> {
  const pageWidth = Math.max(width, z.number().parse(await open.evaluate(PAGE_WIDTH)));
  const fullHeight = Math.max(height, await pageHeight(open));
  if (clip.x < pageWidth && clip.y < fullHeight) return clip;
  throw refuse(
    `"clip" begins at ${clip.x}, ${clip.y}, outside of the page, which has ${pageWidth} × ${fullHeight} pixels. Send a smaller "x" or "y".`,
  );
}

/** The piece of the page that is wanted, with what loads on sight in it; undefined for what the window shows. */
async function wantedPiece(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  { maxPageHeightPixels }: CaptureLimits,
): Promise<Box | undefined> {
  const { width, height, selector, clip, fullPage } = request;
  if (fullPage) return { x: 0, y: 0, width, height: await fullHeight(open, request, maxPageHeightPixels) };
  const find = async () => {
    if (selector !== undefined) return pieceOfElement(open, selector, maxPageHeightPixels);
    return clip === undefined ? undefined : pieceOfPage(open, clip, request);
  };
  const piece = await find();
  if (piece === undefined || piece.y + piece.height <= height) return piece;
  await revealLazyContent(open);
  return find();
}

/** Pictures the page as it is shown, all of it, or a piece. */
async function takeScreenshot(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  limits: CaptureLimits,
): Promise<Buffer> {
  const { format, quality = LIMITS.imageQuality.default, transparent } = request;
  const { protocol, deadline } = open;
  const piece = await wantedPiece(open, request, limits);
  checkSide(piece?.height ?? request.height, request);
  if (transparent)
    await protocol.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  const { data } = await deadline.race(
    protocol.send('Page.captureScreenshot', {
      format,
      ...(format === 'png' ? {} : { quality }),
      // A faster compression of PNG, for files that are 10 to 40 % larger.
      optimizeForSpeed: true,
      captureBeyondViewport: piece !== undefined,
      ...(piece === undefined ? {} : { clip: { ...piece, scale: 1 } }),
    }),
  );
  return Buffer.from(data, 'base64');
}

interface ScreenshotFile extends PageDescription {
  readonly body: Buffer;
  readonly mediaType: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];
}

export const screenshotJob = (
  request: CaptureScreenshotRequest,
  limits: CaptureLimits,
): CaptureJob<ScreenshotFile> => ({
  request,
  make: async (open) => ({
    ...(await describePage(open, request)),
    body: await checkedFile(takeScreenshot(open, request, limits), limits),
    mediaType: MEDIA_TYPES[request.format],
  }),
});
