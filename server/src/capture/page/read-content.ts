import { type ReadPageRequest, LIMITS, pageContent } from '@signpost/contract';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import type { PageText } from '../capture-service.js';
import type { CaptureJob } from './capture-page.js';
import { withoutMadeUp } from './given-html.js';
import { MAIN_CONTENT_SCRIPT, PLAIN_TEXT_SCRIPT } from './content-scripts.js';
import type { OpenPage } from './open-page.js';
import { inWindow } from './page-window.js';
import { scrollPage } from './scroll-page.js';

/**
 * The share of a capture's remaining time for finding the main content. After that, the inner text is used.
 */
const READING_SHARE = 0.5;

/** How far down a page is scrolled for text that appears on sight, in pixels. */
const MAX_READ_HEIGHT = 50_000;

/** The text of a page, without fields that only its capture knows. */
type Said = Omit<PageText, 'pageStatus' | 'isComplete' | 'pageRest' | 'durationMs'>;

const said = pageContent.omit({ pageStatus: true, format: true, characters: true, nextOffset: true });

/** The browser's error about a script that it terminated. */
const TERMINATED = /Execution was terminated|Internal error/u;
const isTooLong = (error: unknown) => error instanceof ProtocolError && TERMINATED.test(error.message);

/** Reads a loaded page: its main content, or its inner text if that is not found in time. */
async function readContent(
  open: OpenPage,
  { format, mainContentOnly, includeLinks }: ReadPageRequest,
  maxReadingMs: number,
): Promise<Said> {
  const options = JSON.stringify({
    format,
    mainContentOnly,
    includeLinks,
    maxCharacters: LIMITS.pageTextCharacters.max,
    maxLinks: LIMITS.pageLinks.max,
    maxUrlCharacters: LIMITS.urlCharacters.max,
  });
  const read = (script: string, maxMs?: number) => open.evaluate(`(${script})(${options})`, maxMs);
  try {
    return said.parse(await read(MAIN_CONTENT_SCRIPT, maxReadingMs));
  } catch (error) {
    if (!isTooLong(error)) throw error;
    return said.parse(await read(PLAIN_TEXT_SCRIPT));
  }
}

/** The page is read in the default window. */
export const contentJob = (request: ReadPageRequest): CaptureJob<Said> => ({
  request: inWindow(request),
  reveal: async (open) => {
    await scrollPage(open, request, { maxHeight: MAX_READ_HEIGHT, depth: MAX_READ_HEIGHT, endsAtTop: true });
  },
  make: async (open) => {
    return withoutMadeUp(await readContent(open, request, open.deadline.leftMs * READING_SHARE), request);
  },
});
