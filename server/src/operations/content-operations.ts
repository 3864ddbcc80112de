import { operations, type PageContent, type ReadPageRequest } from '@signpost/contract';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { PageText } from '../capture/capture-service.js';
import { cacheHeaders, type CaptureCaches, isCacheable } from './capture-cache.js';
import { characterStart, findPassages } from './find-passages.js';
import { bind, reservationOf } from './operation-handler.js';

const KEPT_MS = 600_000;

/** The response about a page, with the requested part of its text. */
function partOf(page: PageText, request: ReadPageRequest): PageContent {
  const { content } = page;
  const { format, findTexts } = request;
  const begin = characterStart(content, Math.min(request.offset, content.length));
  const end = characterStart(content, Math.min(begin + request.maxCharacters, content.length));
  const { url, pageStatus, title, description, language, author, publishedAt, modifiedAt } = page;
  const { canonicalUrl, siteName, image, links, headings } = page;
  return {
    url,
    pageStatus,
    title,
    description,
    language,
    author,
    publishedAt,
    modifiedAt,
    canonicalUrl,
    siteName,
    image,
    format,
    content: content.slice(begin, end),
    characters: content.length,
    nextOffset: end < content.length ? end : null,
    links,
    headings: request.headings ? headings : null,
    passages: findTexts === undefined ? null : findPassages(content, findTexts),
  };
}

/**
 * The cached text for a request, at most `maxAgeSeconds` old; undefined if there is none. With an offset above 0, it
 * may be KEPT_MS old even if that is older. With an offset of 0, undefined also if the page failed or was incomplete,
 * or if the maximum age is 0.
 */
function findText(
  texts: CaptureCaches['texts'],
  accountId: string,
  contentRequest: object,
  request: ReadPageRequest,
) {
  const { offset, maxAgeSeconds } = request;
  const maxAgeMs = maxAgeSeconds * 1_000;
  if (offset > 0) return texts.find(accountId, contentRequest, Math.max(KEPT_MS, maxAgeMs));
  const cached = maxAgeMs === 0 ? undefined : texts.find(accountId, contentRequest, maxAgeMs);
  return cached !== undefined && isCacheable(cached.answer) ? cached : undefined;
}

/**
 * Reads a page as text. If the response ends before the text does, the text is cached for at least KEPT_MS, so that a
 * request for a later offset gets a part of the same text. An offset of 0 reads the page again, unless a cached text is
 * recent enough. The cache key is the account and the request without the fields that only choose what is returned of
 * the text, and without the maximum age.
 */
const readPage = (
  capture: Pick<CaptureQueue, 'reserve' | 'content'>,
  { texts }: Pick<CaptureCaches, 'texts'>,
) =>
  bind(
    operations.readPage,
    async (request, call) => {
      const reservation = reservationOf(call);
      const { accountId } = reservation;
      const { signal } = call;
      const contentRequest = {
        ...request,
        findTexts: undefined,
        headings: false,
        offset: 0,
        maxCharacters: 0,
        maxAgeSeconds: 0,
      };
      const cached = findText(texts, accountId, contentRequest, request);
      const read = () => capture.content(request, signal, reservation);
      const page = cached?.answer ?? (await reservation.run(signal, read));
      const result = partOf(page, request);
      const maxAgeMs = request.maxAgeSeconds * 1_000;
      if (cached === undefined) {
        const keptMs = isCacheable(page) ? maxAgeMs : 0;
        if (result.nextOffset !== null)
          texts.keep(accountId, contentRequest, page, Math.max(KEPT_MS, keptMs));
        else if (keptMs > 0) texts.keep(accountId, contentRequest, page, keptMs);
        else texts.drop(accountId, contentRequest);
      }
      const headers = {
        'X-Capture-Time-Ms': cached === undefined ? Math.round(page.durationMs) : 0,
        'X-Capture-Complete': String(page.isComplete),
        'X-Page-Rest': page.pageRest,
        ...(maxAgeMs > 0 ? cacheHeaders(cached?.ageMs) : {}),
      };
      return { value: { result }, headers };
    },
    capture.reserve,
  );

/** The operation that reads a page as text. */
export const contentOperations = (
  capture: Pick<CaptureQueue, 'reserve' | 'content'>,
  captureCaches: Pick<CaptureCaches, 'texts'>,
) => ({ readPage: readPage(capture, captureCaches) });
