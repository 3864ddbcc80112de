import type { CapturePdfRequest, CaptureScreenshotRequest } from '@signpost/contract';
import { type BlankPage, DEFAULT_VIEWPORT, setViewport } from '../browser/blank-page.js';
import { NOTE_SCROLL_WATCHERS } from './reveal-lazy-content.js';

/** What a capture of whatever kind may ask of its page. */
export type PageRequest = Pick<CaptureScreenshotRequest, 'url'> &
  Partial<Omit<CaptureScreenshotRequest, 'format'>> &
  Partial<Omit<CapturePdfRequest, 'format'>>;

/** A PDF is laid out anew for its paper; this is the window before that. */
const PDF_WINDOW = { width: 1280, height: 1024 };

/**
 * Applies the options that must be in force before a page is loaded: one line each. Those that say what is made of the
 * loaded page are applied where that is made.
 */
export async function applyPageOptions(
  { protocol }: BlankPage,
  { width = PDF_WINDOW.width, height = PDF_WINDOW.height, fullPage = false }: PageRequest,
): Promise<void> {
  const isWarm = width === DEFAULT_VIEWPORT.width && height === DEFAULT_VIEWPORT.height;
  if (!isWarm) await setViewport(protocol, { width, height });
  if (fullPage) {
    await protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: NOTE_SCROLL_WATCHERS });
  }
}
