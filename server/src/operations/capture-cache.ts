import type { PageText, Pdf, Screenshot } from '../capture/capture-service.js';
import { ResponseCache } from './response-cache.js';
import { type ResultHeaders, type Call, type FileResult, reservationOf } from './operation-handler.js';

const MAX_TEXT_BYTES = 64_000_000;
const BYTES_PER_CHARACTER = 2;

const bytesOfText = ({ content, links, headings }: PageText) =>
  (content.length + JSON.stringify([links, headings]).length) * BYTES_PER_CHARACTER;

/** The caches, in memory, of captured files and of page texts. */
export interface CaptureCaches {
  readonly files: ResponseCache<FileResult>;
  readonly texts: ResponseCache<PageText>;
}

export const createCaptureCaches = (monotonicMs: () => number, maxFileBytes: number): CaptureCaches => ({
  files: new ResponseCache({ maxBytes: maxFileBytes, bytesOf: ({ body }) => body.length, monotonicMs }),
  texts: new ResponseCache({ maxBytes: MAX_TEXT_BYTES, bytesOf: bytesOfText, monotonicMs }),
});

/** Headers that say whether a capture came from the cache. `ageMs` is undefined if it was captured just now. */
export const cacheHeaders = (ageMs: number | undefined): ResultHeaders => ({
  Age: Math.floor((ageMs ?? 0) / 1_000),
  'X-Cache': ageMs === undefined ? 'miss' : 'hit',
});

/** The headers about the page of a captured file. */
export const pageHeaders = ({
  pageStatus,
  pageUrl,
  pageTitle,
  isComplete,
  pageRest,
  missingFonts = [],
}: Screenshot | Pdf): ResultHeaders => ({
  'X-Page-Status': pageStatus,
  'X-Page-Url': pageUrl,
  'X-Page-Title': encodeURIComponent(pageTitle),
  'X-Capture-Complete': String(isComplete),
  'X-Page-Rest': pageRest,
  ...(missingFonts.length === 0 ? {} : { 'X-Missing-Fonts': missingFonts.join(', ') }),
});

/** Whether a capture may be cached: the page loaded successfully and completely. */
export const isCacheable = (page: { readonly pageStatus: number; readonly isComplete: boolean }): boolean =>
  page.isComplete && page.pageStatus < 400;

interface CapturedFile {
  readonly file: FileResult;
  readonly isCacheable: boolean;
}

/**
 * Returns a cached file that is at most `maxAgeSeconds` old. If there is none, captures one in a slot of the account,
 * and caches it if it may be cached. Does not use the cache if `maxAgeSeconds` is 0.
 */
export async function capturedFile(
  files: ResponseCache<FileResult>,
  { path, request }: { readonly path: string; readonly request: { readonly maxAgeSeconds: number } },
  call: Call,
  capture: () => Promise<CapturedFile>,
): Promise<FileResult> {
  const { signal } = call;
  const reservation = reservationOf(call);
  const maxAgeMs = request.maxAgeSeconds * 1_000;
  if (maxAgeMs === 0) return (await reservation.run(signal, capture)).file;
  const { accountId } = reservation;
  const key = [path, { ...request, maxAgeSeconds: 0 }];
  const cached = files.find(accountId, key, maxAgeMs);
  const withHeaders = (file: FileResult, ageMs?: number) => ({
    ...file,
    headers: { ...file.headers, ...cacheHeaders(ageMs) },
  });
  if (cached !== undefined) return withHeaders(cached.answer, cached.ageMs);
  const captured = await reservation.run(signal, capture);
  if (captured.isCacheable) files.keep(accountId, key, captured.file, maxAgeMs);
  return withHeaders(captured.file);
}
