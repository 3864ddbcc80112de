import { type CaptureScreenshotRequest, LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { checkedFile, type CaptureJob, type CaptureLimits } from './capture-page.js';
import { describePage, type PageDescription } from './describe-page.js';
import type { OpenPage } from './open-page.js';
import { finishAnimations } from './finish-animations.js';
import { notASelector } from './prepare-page.js';
import { pageHeight, revealLazyContent } from './reveal-lazy-content.js';

/** How tall a picture of these formats can be; Chromium answers an empty file beyond it. */
const MAX_SIDE_PIXELS: Readonly<Record<string, number>> = { jpeg: 65_500, webp: 16_383 };

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

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

/** What of the page is pictured; without a box it is what the window shows. */
interface Piece {
  readonly box?: Box;
  /** Of the whole page, where the piece is that or a part of it. */
  readonly pageHeight?: number;
  readonly pageParts?: number;
}

const refuse = (message: string) => new ServiceError('invalidRequest', message);

/** The part of a full page that is asked for; the last one is what is left. */
function partOfPage(part: number, width: number, height: number, pageHeight: number): Piece {
  const pageParts = Math.ceil(pageHeight / height);
  if (part > pageParts)
    throw refuse(
      `"part" must be at most ${pageParts}, but is ${part}: the page is ${pageHeight} pixels tall, and each part ${height}.`,
    );
  const y = (part - 1) * height;
  return { box: { x: 0, y, width, height: Math.min(height, pageHeight - y) }, pageHeight, pageParts };
}

/** All of the page as far as it is wanted, or one part of it. */
async function pieceOfFullPage(
  open: OpenPage,
  { width, height: windowHeight, part, maxHeight = Infinity }: CaptureScreenshotRequest,
  capPixels: number,
): Promise<Piece> {
  const wholeHeight = Math.max(await pageHeight(open), windowHeight);
  if (part !== undefined) return partOfPage(part, width, windowHeight, wholeHeight);
  const height = Math.min(wholeHeight, maxHeight);
  if (height > capPixels)
    throw refuse(
      `The page is ${wholeHeight} pixels tall, more than the ${capPixels} that a picture may have. Cut it with "maxHeight", ask for it in parts with "part", or leave fullPage out.`,
    );
  return { box: { x: 0, y: 0, width, height }, pageHeight: wholeHeight };
}

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

/** The piece of the page that is wanted, at rest, with what loads on sight in it. */
async function wantedPiece(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  { maxPageHeightPixels }: CaptureLimits,
): Promise<Piece> {
  const { width, height, selector, clip, fullPage, part } = request;
  const isWhole = fullPage || part !== undefined;
  const find = async (): Promise<Piece> => {
    if (isWhole) return pieceOfFullPage(open, request, maxPageHeightPixels);
    if (selector !== undefined) return { box: await pieceOfElement(open, selector, maxPageHeightPixels) };
    return clip === undefined ? {} : { box: await pieceOfPage(open, clip, request) };
  };
  const end = async () => {
    // A part that is not there may come with what loads on sight.
    if (isWhole) return pageHeight(open);
    const { box } = await find();
    return box === undefined ? 0 : box.y + box.height;
  };
  if ((await end()) > height) await revealLazyContent(open, { width, height }, maxPageHeightPixels);
  await finishAnimations(open, request);
  return find();
}

/** Pictures the page as it is shown, all of it, or a piece. */
async function takePicture(
  open: OpenPage,
  request: CaptureScreenshotRequest,
  box: Box | undefined,
): Promise<Buffer> {
  const { format, quality = LIMITS.imageQuality.default, transparent } = request;
  const { protocol, deadline } = open;
  checkSide(box?.height ?? request.height, request);
  if (transparent)
    await protocol.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  const { data } = await deadline.race(
    protocol.send('Page.captureScreenshot', {
      format,
      ...(format === 'png' ? {} : { quality }),
      // A faster compression of PNG, for files that are 10 to 40 % larger.
      optimizeForSpeed: true,
      captureBeyondViewport: box !== undefined,
      ...(box === undefined ? {} : { clip: { ...box, scale: 1 } }),
    }),
  );
  return Buffer.from(data, 'base64');
}

interface ScreenshotFile extends PageDescription, Omit<Piece, 'box'> {
  readonly body: Buffer;
  readonly mediaType: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];
}

export const screenshotJob = (
  request: CaptureScreenshotRequest,
  limits: CaptureLimits,
): CaptureJob<ScreenshotFile> => ({
  request,
  make: async (open) => {
    const { box, ...whole } = await wantedPiece(open, request, limits);
    return {
      ...(await describePage(open, request)),
      ...whole,
      body: await checkedFile(takePicture(open, request, box), limits),
      mediaType: MEDIA_TYPES[request.format],
    };
  },
});
