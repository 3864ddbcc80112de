import { type ReadPageRequest, LIMITS, pageContent } from '@signpost/contract';
import { z } from 'zod';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';
import type { PageText } from '../capture-service.js';
import { INNER_TEXT_SCRIPT, READING_SCRIPT } from '../reading/reading-scripts.js';
import type { CaptureJob, FileLimits } from './capture-page.js';
import { enterClosedTrees } from './closed-trees.js';
import { firstMatch } from './element-scripts.js';
import { contentOfFile } from './file-results.js';
import { waitForElement } from './find-element.js';
import { copyForeignFrames } from './frame-copies.js';
import { withoutMadeUpUrl } from './given-html.js';
import type { OpenPage } from './open-page.js';
import { withWindow } from './page-window.js';
import { scrollPage } from './scroll-page.js';
import { HAD_SCRIPTS } from './still-document.js';
import { readTextDocument } from './text-document.js';

/** The share of a capture's remaining time for the reading script. After that, the inner text is used. */
const READING_SHARE = 0.5;

/**
 * How far down a page is scrolled, in pixels, to make text appear that is only shown when it is scrolled into view.
 */
const MAX_READ_HEIGHT = 50_000;

/** The text of a page without the fields that only its capture knows. */
type ContentResult = Omit<PageText, 'pageStatus' | 'isComplete' | 'pageRest' | 'durationMs'>;

const extractedContent = pageContent
  .omit({
    pageStatus: true,
    format: true,
    characters: true,
    nextOffset: true,
    passages: true,
    headings: true,
  })
  .extend({ headings: z.array(z.object({ level: z.int(), text: z.string() })) });

/** The browser's error messages for a script that it terminated. */
const TERMINATED = /Execution was terminated|Internal error/u;
const isTooLong = (error: unknown) => error instanceof ProtocolError && TERMINATED.test(error.message);

/** Reads a loaded page; only its inner text if the reading script gives up or takes too long. */
async function readContent(
  open: OpenPage,
  { format, mainContentOnly, includeLinks, selector }: ReadPageRequest,
  hadScripts: boolean,
): Promise<z.output<typeof extractedContent>> {
  const base = {
    format,
    mainContentOnly,
    includeLinks,
    hadScripts,
    maxCharacters: LIMITS.pageTextCharacters.max,
    maxLinks: LIMITS.pageLinks.max,
    maxHeadings: LIMITS.pageHeadings.max,
    maxHeadingCharacters: LIMITS.pageHeadings.maxCharacters,
    maxUrlCharacters: LIMITS.urlCharacters.max,
  };
  await enterClosedTrees(open);
  const options = JSON.stringify({ ...base, frames: await copyForeignFrames(open, base) });
  const choose = selector === undefined ? 'undefined' : `() => ${firstMatch(selector)}`;
  const whole = await open
    .evaluate(`(${READING_SCRIPT})(${options}, ${choose})`, open.deadline.leftMs * READING_SHARE)
    .catch((error: unknown) => {
      if (!isTooLong(error)) throw error;
      return null;
    });
  return extractedContent.parse(
    whole ?? (await open.evaluate(`(${INNER_TEXT_SCRIPT})(${options}, ${choose})`)),
  );
}

/** Our reading script puts this mark before the words of each heading that it returns. */
const HEADING_MARK = '\u0001';
/** Matches the characters of Markdown and HTML between the beginning of a heading and its words. */
const HEADING_START = /(?:#{1,6} |<h[1-6]>)$/u;

/**
 * Removes the marks from the content, and adds to each heading its offset in the content. Drops headings without a
 * mark.
 */
function withOffsets({ content, headings, ...others }: z.output<typeof extractedContent>): ContentResult {
  const [first = '', ...rest] = content.split(HEADING_MARK);
  let text = first;
  const offsets = rest.map((part) => {
    const offset = text.length - (HEADING_START.exec(text.slice(-8))?.[0].length ?? 0);
    text += part;
    return offset;
  });
  return {
    ...others,
    content: text,
    headings: headings.flatMap((heading, index) => {
      const offset = offsets[index];
      return offset === undefined ? [] : [{ ...heading, offset }];
    }),
  };
}

const hadOwnScripts = async (open: OpenPage) => (await open.evaluate(HAD_SCRIPTS)) === true;

/** The job that reads a page after scrolling through it, in the window of the request's device or the default one. */
export const contentJob = (
  requested: ReadPageRequest,
  { pdfProcess }: FileLimits,
): CaptureJob<ContentResult> => {
  const request = withWindow(requested);
  let hadScripts: boolean | undefined;
  return {
    request,
    readFile: (arrived, signal) => contentOfFile(arrived, requested, signal, pdfProcess),
    reveal: async (open) => {
      // Checked before scrolling, because our own scripts for scrolling count as scripts of the page, too.
      hadScripts = await hadOwnScripts(open);
      const { isWhole } = await scrollPage(open, request, {
        maxHeight: MAX_READ_HEIGHT,
        depth: Infinity,
        endsAtTop: true,
      });
      if (requested.selector !== undefined)
        await waitForElement(open, 'selector', requested.selector, 'text');
      return isWhole;
    },
    make: async (open) => {
      const text = await readTextDocument(open, requested);
      if (text !== undefined) return text;
      const content = await readContent(open, requested, hadScripts ?? (await hadOwnScripts(open)));
      return withOffsets(withoutMadeUpUrl(content, requested));
    },
  };
};
