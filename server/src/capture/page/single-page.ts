import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import { setViewport } from '../browser/blank-page.js';
import type { OpenPage } from './open-page.js';
import { PAGE_HEIGHT } from './page-scroller.js';

/** The maximum height of a sheet that PDF readers show. */
const MAX_SHEET_INCHES = 200;
const MM_PER_INCH = 25.4;

/**
 * The heights in the styles of elements are compared in a window of this height and in one of LOW_WINDOW_HEIGHT. A
 * height that differs depends on the window and, on paper, on the sheet.
 */
const WINDOW_HEIGHT = 1_024;
const LOW_WINDOW_HEIGHT = 16;

const NOTE_HEIGHTS = `globalThis.signpostHeights = {
  all: [...document.querySelectorAll('*')],
  of(element) {
    const styles = element.computedStyleMap();
    return ['height', 'min-height', 'max-height'].map((name) => [name, String(styles.get(name))]);
  },
};
signpostHeights.noted = signpostHeights.all.map((element) => signpostHeights.of(element));`;

/**
 * A script that gives elements whose height has changed their recorded height back, and measures the page. Otherwise a
 * page whose height depends on its sheet would grow together with the sheet without end.
 */
const KEEP_HEIGHTS = `(() => {
  const { all, of, noted } = signpostHeights;
  const changed = all.flatMap((element, index) => {
    const now = of(element);
    return noted[index].filter(([, value], at) => now[at][1] !== value).map((height) => [element, ...height]);
  });
  for (const [element, name, value] of changed) element.style.setProperty(name, value, 'important');
  return ${PAGE_HEIGHT};
})()`;

const pixels = z.number();

/**
 * The height of a page, in CSS pixels, on a sheet with `widthPixels` between its left and right margins, in the media
 * that the page has now. Fixes the height of each element whose height depends on that of the window.
 */
export async function heightOnPaper(
  open: OpenPage,
  widthPixels: number,
  scaleFactor: number,
): Promise<number> {
  const { protocol } = open;
  const width = Math.max(1, Math.floor(widthPixels));
  await setViewport(protocol, { width, height: WINDOW_HEIGHT, scaleFactor });
  await open.evaluate(NOTE_HEIGHTS);
  await setViewport(protocol, { width, height: LOW_WINDOW_HEIGHT, scaleFactor });
  return Math.ceil(pixels.parse(await open.evaluate(KEEP_HEIGHTS)));
}

/** Rejects a sheet that is too tall for PDF readers. */
export function checkSheet(heightInches: number): void {
  if (heightInches <= MAX_SHEET_INCHES) return;
  throw new ServiceError(
    'invalidRequest',
    `The page needs a sheet of ${Math.ceil(heightInches * MM_PER_INCH)} mm, more than the ${MAX_SHEET_INCHES * MM_PER_INCH} mm that readers of PDFs show. Make "scale" smaller, or leave "singlePage" out.`,
  );
}

export const growsWithSheet = (): ServiceError =>
  new ServiceError(
    'invalidRequest',
    'The page does not fit on one sheet: it breaks its pages itself, or grows with its paper. Leave "singlePage" out.',
  );
