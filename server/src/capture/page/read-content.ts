import { type ReadPageRequest, LIMITS, pageContent } from '@signpost/contract';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import type { PageText } from '../capture-service.js';
import type { CaptureJob } from './capture-page.js';
import { withoutMadeUp } from './given-html.js';
import { MAIN_CONTENT_SCRIPT, PLAIN_TEXT_SCRIPT } from './content-scripts.js';
import { finishAnimations } from './finish-animations.js';
import type { OpenPage } from './open-page.js';
import { inWindow } from './page-window.js';

/** Of the time that is left to a capture, the part that a main content may be looked for before inner text is taken. */
const READING_SHARE = 0.5;

/** What a page says, without what only its capture knows. */
type Said = Omit<PageText, 'pageStatus' | 'isComplete' | 'durationMs'>;

const said = pageContent.omit({ pageStatus: true, format: true, characters: true, nextOffset: true });

/** What the browser says of a script that it ended. */
const TERMINATED = /Execution was terminated|Internal error/u;
const isTooLong = (error: unknown) => error instanceof ProtocolError && TERMINATED.test(error.message);

/** Reads a page that is loaded; where its main content is not found in time, its inner text. */
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

/** The page is read in the window that a page is opened with. */
export const contentJob = (request: ReadPageRequest): CaptureJob<Said> => ({
  request: inWindow(request),
  make: async (open) => {
    await finishAnimations(open, request);
    return withoutMadeUp(await readContent(open, request, open.deadline.leftMs * READING_SHARE), request);
  },
});
