import { type CaptureScreenshotRequest, LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import type { CaptureJob, CaptureLimits } from './capture-page.js';
import { checkFile } from './check-file.js';
import { describePage, type PageDescription } from './describe-page.js';
import { replyFromDocument } from './load-page.js';
import type { OpenPage } from './open-page.js';
import { notAPage } from './file-results.js';
import { type ElementBox, measureMatch, measureVisible, waitForElement } from './find-element.js';
import { withWindow, type PageWindow, viewOf } from './page-window.js';
import { isWorthCompressing } from './png-compression.js';
import { IS_CUT_SIDEWAYS, pageHeight } from './page-scroller.js';
import { scrollPage } from './scroll-page.js';
import { TallWindow } from './tall-window.js';

/** The maximum height of a picture in these formats. Beyond it, Chromium returns an empty file. */
const MAX_SIDE_PIXELS: Readonly<Record<string, number>> = { jpeg: 65_500, webp: 16_383 };

const invalidRequest = (message: string) => new ServiceError('invalidRequest', message);

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** Rejects a picture that is too large for its format or for the limits. */
function checkPicture(width: number, height: number, format: Format, maxHeight: number): void {
  const { maxPixels } = LIMITS.viewport;
  const maxSide = MAX_SIDE_PIXELS[format] ?? Infinity;
  if (height > maxSide)
    throw invalidRequest(
      `The picture is ${height} pixels tall, more than the ${maxSide} that a ${format === 'webp' ? 'WebP' : 'JPEG'} can have. Use the format png.`,
    );
  if (width > maxPixels || height > maxHeight)
    throw invalidRequest(
      `The picture has ${width} × ${height} pixels, more than the ${maxPixels} × ${maxHeight} that it may have. Make "scaleFactor" smaller, or the piece.`,
    );
}

type Format = CaptureScreenshotRequest['format'];
type WindowRequest = CaptureScreenshotRequest & PageWindow;

const PAGE_WIDTH = 'Math.ceil(document.documentElement?.scrollWidth ?? 0)';

/**
 * Evaluates to the left edge and the width of a page, as far as it can be scrolled sideways; to 0 for both if it
 * cannot. Pages that are written from right to left begin at negative positions if they are wider than their window.
 */
const PAGE_SIDES = `(() => {
  const root = document.scrollingElement ?? document.documentElement;
  // Some documents are empty, such as that of an empty image.
  if (root === null || ${IS_CUT_SIDEWAYS} || root.scrollWidth <= root.clientWidth) return { left: 0, width: 0 };
  const scrollTo = (left) => Element.prototype.scrollTo.call(root, { left, behavior: 'instant' });
  const before = root.scrollLeft;
  scrollTo(-root.scrollWidth);
  const left = root.scrollLeft;
  scrollTo(before);
  return { left: Math.floor(left), width: Math.ceil(root.scrollWidth) };
})()`;
const pageSides = z.object({ left: z.number().max(0), width: z.number() });

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether the window shows all of the box. */
  readonly isInWindow?: boolean;
}

/** The part of the page that the picture shows: the box, or without a box the part that the window shows. */
interface Piece {
  /** The box in CSS pixels. */
  readonly box?: Box;
  /** The height of the whole page, if the request has `fullPage` or `part`. */
  readonly pageHeight?: number;
  readonly pageParts?: number;
}

/**
 * The part of the page that the window shows, and the number of picture pixels per CSS pixel in each
 * direction.
 */
interface ScaledView {
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
  readonly density: number;
  /** The maximum height of a picture, in CSS pixels. */
  readonly maxHeight: number;
}

async function scaledViewOf(open: OpenPage, request: WindowRequest, capPixels: number): Promise<ScaledView> {
  const view = await viewOf(open, request);
  const density = view.zoom * request.scaleFactor;
  return { ...view, density, maxHeight: Math.floor(capPixels / density) };
}

/** The left edge and width of a full page's picture. Widens the window if the page begins at negative positions. */
async function sidesOf(open: OpenPage, { width, density }: ScaledView, tall: TallWindow | undefined) {
  const sides = pageSides.parse(await open.evaluate(PAGE_SIDES));
  const maxWidth = Math.floor(LIMITS.viewport.maxPixels / density);
  const wholeWidth = Math.min(maxWidth, Math.max(width, sides.width));
  // The browser cannot take pictures of negative positions.
  if (sides.left < 0) await tall?.widen(wholeWidth);
  return { x: 0, width: wholeWidth };
}

type Sides = Awaited<ReturnType<typeof sidesOf>>;

/** The requested part of a full page. The last part may be lower. Throws a ServiceError if there is no such part. */
function partOfPage(part: number, { height }: ScaledView, sides: Sides, pageHeight: number): Piece {
  const pageParts = Math.ceil(pageHeight / height);
  if (part > pageParts)
    throw invalidRequest(
      `"part" must be at most ${pageParts}, but is ${part}: the page is ${pageHeight} pixels tall, and each part ${height}.`,
    );
  const y = (part - 1) * height;
  return { box: { ...sides, y, height: Math.min(height, pageHeight - y) }, pageHeight, pageParts };
}

/** The state of a page after it was scrolled. */
interface RevealState {
  /** The window that was made as tall as a full page, up to the maximum height; undefined for other captures. */
  readonly tall?: TallWindow;
  /** Whether the page grew beyond the maximum height of a picture when it was scrolled. It is then cut there. */
  readonly isOvergrown: boolean;
}

const NOT_REVEALED: RevealState = { isOvergrown: false };

/**
 * The full page up to the request's `maxHeight`, or the requested part of it. Throws a ServiceError if the picture
 * would be too tall, or if there is no such part.
 */
async function pieceOfFullPage(
  open: OpenPage,
  { part, maxHeight = Infinity }: WindowRequest,
  view: ScaledView,
  { tall, isOvergrown }: RevealState,
): Promise<Piece> {
  const wholeHeight = Math.max((await tall?.fit()) ?? (await pageHeight(open)), view.height);
  const sides = await sidesOf(open, view, tall);
  if (part !== undefined) return partOfPage(part, view, sides, wholeHeight);
  const height = Math.min(wholeHeight, maxHeight, isOvergrown ? view.maxHeight : Infinity);
  if (height > view.maxHeight)
    throw invalidRequest(
      `The page is ${wholeHeight} pixels tall, more than the ${view.maxHeight} that a picture may have${view.density > 1 ? ' at its scale' : ''}. Cut it with "maxHeight", ask for it in parts with "part", or leave fullPage out.`,
    );
  return { box: { ...sides, y: 0, height }, pageHeight: wholeHeight };
}

/** An element's visible box, in whole CSS pixels. Throws a ServiceError if it is larger than a picture may be. */
function pieceOfElement(selector: string, found: ElementBox, { density, maxHeight }: ScaledView): Box {
  const [x, y] = [Math.floor(found.x), Math.floor(found.y)];
  const [width, height] = [Math.ceil(found.x + found.width) - x, Math.ceil(found.y + found.height) - y];
  const maxWidth = Math.floor(LIMITS.viewport.maxPixels / density);
  if (width > maxWidth || height > maxHeight)
    throw invalidRequest(
      `The element that matched "${selector}" of "selector" has ${width} × ${height} pixels, more than the ${maxWidth} × ${maxHeight} that a picture may have${density > 1 ? ' at its scale' : ''}. Choose a smaller one.`,
    );
  return { x, y, width, height, isInWindow: found.isInWindow };
}

/** Returns the box `clip`, which may reach beyond the page. Throws a ServiceError if it begins outside of the page. */
async function pieceOfPage(open: OpenPage, clip: Box, view: ScaledView): Promise<Box> {
  const pageWidth = Math.max(view.width, z.number().parse(await open.evaluate(PAGE_WIDTH)));
  const fullHeight = Math.max(view.height, await pageHeight(open));
  if (clip.x < pageWidth && clip.y < fullHeight) return clip;
  throw invalidRequest(
    `"clip" begins at ${clip.x}, ${clip.y}, outside of the page, which has ${pageWidth} × ${fullHeight} pixels. Send a smaller "x" or "y".`,
  );
}

const isWhole = ({ fullPage, part }: WindowRequest) => fullPage || part !== undefined;

/** The requested piece of the page. */
async function pieceOf(
  open: OpenPage,
  request: WindowRequest,
  view: ScaledView,
  revealState: RevealState,
): Promise<Piece> {
  const { selector, clip } = request;
  if (isWhole(request)) return pieceOfFullPage(open, request, view, revealState);
  if (selector !== undefined)
    return { box: pieceOfElement(selector, await measureMatch(open, 'selector', selector), view) };
  return clip === undefined ? {} : { box: await pieceOfPage(open, clip, view) };
}

/**
 * How far down the picture may show the page, in CSS pixels; Infinity for a full page without `maxHeight`. 0 for a
 * picture of the window, and for an element that the window shows completely or that has no visible part yet.
 */
async function depthOf(open: OpenPage, request: WindowRequest, view: ScaledView): Promise<number> {
  const { part, selector, maxHeight = Infinity } = request;
  // Even a part that does not exist yet may appear with lazy content.
  if (part !== undefined) return part * view.height;
  if (request.fullPage) return maxHeight;
  if (selector !== undefined) {
    await waitForElement(open, 'selector', selector);
    const found = await measureVisible(open, 'selector', selector);
    // The element may still be on its way into the page, and has to be there only when the page is at rest.
    if (found === undefined) return 0;
    const { y, height, isInWindow } = pieceOfElement(selector, found, view);
    return isInWindow === true ? 0 : y + height;
  }
  const { box } = await pieceOf(open, request, view, NOT_REVEALED);
  return box === undefined || box.isInWindow === true ? 0 : box.y + box.height;
}

/** Takes a picture of a box of the page, or without a box of the part that the window shows. */
async function takePicture(
  open: OpenPage,
  request: WindowRequest,
  box: Box | undefined,
  { zoom, density, ...view }: ScaledView,
  { maxPageHeightPixels }: CaptureLimits,
  windowHeight: number,
): Promise<Buffer> {
  const { format, quality = LIMITS.imageQuality.default, transparent } = request;
  const { protocol } = open;
  const isBeyond = (piece: Box) =>
    piece.x + piece.width > view.width || piece.y + piece.height > windowHeight;
  const [width, height] = [box?.width ?? view.width, box?.height ?? view.height];
  checkPicture(Math.floor(width * density), Math.floor(height * density), format, maxPageHeightPixels);
  const area = { x: box?.x, y: box?.y, width, height };
  const isFast = format !== 'png' || !(await isWorthCompressing(open, area, width * height * density ** 2));
  if (transparent)
    await protocol.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  const { data } = await replyFromDocument(
    open,
    protocol.send('Page.captureScreenshot', {
      format,
      ...(format === 'png' ? {} : { quality }),
      optimizeForSpeed: isFast,
      captureBeyondViewport: box !== undefined && box.isInWindow !== true && isBeyond(box),
      ...(box === undefined ? {} : { clip: { x: box.x, y: box.y, width, height, scale: zoom } }),
    }),
  );
  return Buffer.from(data, 'base64');
}

interface ScreenshotFile extends PageDescription, Omit<Piece, 'box'> {
  readonly body: Buffer;
  readonly mediaType: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];
}

export function screenshotJob(
  requested: CaptureScreenshotRequest,
  limits: CaptureLimits,
): CaptureJob<ScreenshotFile> {
  const request = withWindow(requested);
  let revealState = NOT_REVEALED;
  return {
    request,
    readFile: (arrived) => Promise.reject(notAPage(arrived)),
    reveal: async (open) => {
      await revealState.tall?.restore();
      revealState = NOT_REVEALED;
      const view = await scaledViewOf(open, request, limits.maxPageHeightPixels);
      const depth = await depthOf(open, request, view);
      const { maxHeight } = view;
      if (depth <= view.height && !isWhole(request)) return true;
      // A part may be further down than a picture of the whole page reaches.
      const isPart = request.part !== undefined;
      const scrolled = await scrollPage(open, request, {
        maxHeight: isPart ? Math.max(depth, maxHeight) : maxHeight,
        depth,
        endsAtTop: isWhole(request),
      });
      if (!isWhole(request)) return scrolled.isWhole;
      const tall = await TallWindow.grow(open, request, Math.min(maxHeight, request.maxHeight ?? Infinity));
      revealState = { tall, isOvergrown: scrolled.isOvergrown };
      return scrolled.isWhole;
    },
    make: async (open) => {
      const view = await scaledViewOf(open, request, limits.maxPageHeightPixels);
      const { box, ...whole } = await pieceOf(open, request, view, revealState);
      const [description, body] = await Promise.all([
        describePage(open, request),
        checkFile(
          takePicture(open, request, box, view, limits, revealState.tall?.height ?? view.height),
          limits,
        ),
      ]);
      return { ...description, ...whole, body, mediaType: MEDIA_TYPES[request.format] };
    },
  };
}
