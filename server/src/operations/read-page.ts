import { operations, type PageContent, type ReadPageRequest } from '@signpost/contract';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { PageText } from '../capture/capture-service.js';
import { bindReserved } from './operation-handler.js';

const KEPT_MS = 600_000;
const MAX_KEPT = 1_000;
const MAX_KEPT_BYTES = 64_000_000;
const BYTES_PER_CHARACTER = 2;

/** The same place, or the one before where it lies within a character of two units. */
const wholeCharacter = (text: string, at: number) =>
  (text.codePointAt(at - 1) ?? 0) > 0xff_ff && at > 0 ? at - 1 : at;

/** The part of a page's text that a request asks for. */
function partOf(page: PageText, { format, offset, maxCharacters }: ReadPageRequest): PageContent {
  const { url, pageStatus, title, description, language, author, publishedAt, content, links } = page;
  const begin = wholeCharacter(content, Math.min(offset, content.length));
  const end = wholeCharacter(content, Math.min(begin + maxCharacters, content.length));
  return {
    ...{ url, pageStatus, title, description, language, author, publishedAt, format },
    content: content.slice(begin, end),
    characters: content.length,
    nextOffset: end < content.length ? end : null,
    links,
  };
}

/** A digest, so that the credentials of a page are not kept with its text. */
const nameOf = (accountId: string, request: ReadPageRequest) =>
  createHash('sha256')
    .update(JSON.stringify([accountId, { ...request, offset: 0, maxCharacters: 0 }]))
    .digest('base64');

const bytesOf = ({ content, links }: PageText, name: string) =>
  (name.length + content.length + (links === null ? 0 : JSON.stringify(links).length)) * BYTES_PER_CHARACTER;

/**
 * Reads a page from its beginning anew, and keeps what is left of it for a while: what is then asked for by its offset
 * is of the same text. A text is found by its account and by all that was asked for but the part.
 */
export function readPage(capture: Pick<CaptureQueue, 'reserve' | 'content'>, monotonicMs: () => number) {
  const kept = new LRUCache<string, PageText>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: bytesOf,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now: monotonicMs },
  });
  return bindReserved(operations.readPage, capture.reserve, async (request, reservation, call) => {
    const name = nameOf(reservation.accountId, request);
    const known = request.offset === 0 ? undefined : kept.get(name);
    const { signal, onHeaders } = call;
    const page = known ?? (await reservation.run(signal, () => capture.content(request, signal)));
    const result = partOf(page, request);
    if (known === undefined) {
      if (result.nextOffset === null) kept.delete(name);
      else kept.set(name, page);
    }
    onHeaders?.({
      'X-Capture-Time-Ms': known === undefined ? Math.round(page.durationMs) : 0,
      'X-Capture-Complete': String(page.isComplete),
    });
    return { result };
  });
}
