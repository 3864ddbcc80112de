import { availableParallelism, loadavg } from 'node:os';
import { z } from 'zod';
import type { OpenPage } from './open-page.js';

/** The share of a capture's time by which better compression may extend it. */
const MAX_SHARE = 0.1;
/**
 * How much longer better compression takes, in ms per million pixels. Measured with Chromium 156: 2 to 12 for flat
 * colours and text, about 100 for photographs and gradients. Files of flat colours and text become a third to two
 * thirds smaller, those of photographs a fifth.
 */
const ADDED_MS = { flat: 8, picture: 100 };
/** How many points are sampled in each row and column to estimate how much of the picture is photographs. */
const POINTS = 6;

/** A part of the page, in CSS pixels. */
interface Area {
  /** The left edge of the area; undefined for that of the window. */
  readonly x: number | undefined;
  /** The top edge of the area; undefined for that of the window. */
  readonly y: number | undefined;
  readonly width: number;
  readonly height: number;
}

/**
 * Evaluates to the share of the sampled points that show an image, a canvas, a video, a frame or a background image
 * such as a gradient.
 */
const pictureShare = ({ x, y, width, height }: Area) => `(() => {
  const [x, y] = [${x ?? 'scrollX'} - scrollX, ${y ?? 'scrollY'} - scrollY];
  const isPicture = (element, { backgroundImage }) => backgroundImage !== 'none' ||
    Element.prototype.matches.call(element, 'img, canvas, video, iframe, image');
  const isOpaque = ({ backgroundColor }) => /^rgb\\(/u.test(backgroundColor);
  const showsPicture = (left, top) => {
    for (const element of document.elementsFromPoint(left, top)) {
      const style = getComputedStyle(element);
      if (isPicture(element, style)) return true;
      if (isOpaque(style)) return false;
    }
    return false;
  };
  let pictures = 0;
  for (let row = 0.5; row < ${POINTS}; row += 1)
    for (let column = 0.5; column < ${POINTS}; column += 1)
      if (showsPicture(x + (${width} * column) / ${POINTS}, y + (${height} * row) / ${POINTS})) pictures += 1;
  return pictures / ${POINTS ** 2};
})()`;

const share = z.number().min(0).max(1);

/**
 * How many times longer work takes because the machine has more to do than it has cores; at least 1, which also stands
 * for unknown.
 */
const slowdownNow = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/**
 * Whether to compress a PNG well, which is Chromium's default, instead of fast: if that probably adds less than a
 * tenth to the capture's time so far, and no other capture waits for the core.
 */
export async function isWorthCompressing(
  open: OpenPage,
  area: Area,
  pixels: number,
  slowdown = slowdownNow(),
): Promise<boolean> {
  if (open.doOthersWait()) return false;
  const megapixels = pixels / 1_000_000;
  const mayAddMs = (MAX_SHARE * open.deadline.elapsedMs) / slowdown;
  if (megapixels * ADDED_MS.flat > mayAddMs) return false;
  if (megapixels * ADDED_MS.picture <= mayAddMs) return true;
  const pictures = share.parse(await open.evaluate(pictureShare(area)));
  return megapixels * (ADDED_MS.flat + pictures * (ADDED_MS.picture - ADDED_MS.flat)) <= mayAddMs;
}
