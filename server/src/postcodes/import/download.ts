import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { assertWithin } from './import-bounds.js';
import { ImportError } from './import-error.js';

const STALLED_AFTER_MS = 60_000;

export const isUrl = (source: string) => /^https?:\/\//iu.test(source);

/** The last part of an address's path, which is what a file there is called. */
export function fileNameOfUrl(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || url;
  } catch {
    // An escape that is none: the name as it stands.
    return name;
  }
}

/**
 * Fetches an address into a new file, until more has come than it may have; `onBytes` hears how many bytes have come,
 * and how many will where that is known.
 */
export async function download(
  url: string,
  path: string,
  maxBytes: number,
  onBytes: (bytes: number, total: number | undefined) => void,
): Promise<void> {
  const ended = new AbortController();
  const timer = setTimeout(() => {
    ended.abort(new Error(`nothing came for ${STALLED_AFTER_MS / 1000} seconds`));
  }, STALLED_AFTER_MS);
  try {
    const response = await fetch(url, { signal: ended.signal });
    if (!response.ok || response.body === null) {
      throw new ImportError(`${url} answered ${response.status} ${response.statusText}: no directory came.`);
    }
    const declared = Number(response.headers.get('content-length') ?? NaN);
    const total = Number.isNaN(declared) ? undefined : declared;
    assertWithin(total ?? 0, maxBytes, `${url} sends`);
    const counted = async function* (body: AsyncIterable<Uint8Array>) {
      let bytes = 0;
      for await (const part of body) {
        timer.refresh();
        bytes += part.length;
        assertWithin(bytes, maxBytes, `${url} sends`);
        onBytes(bytes, total);
        yield part;
      }
    };
    await pipeline(response.body, counted, createWriteStream(path, { flags: 'wx' }), {
      signal: ended.signal,
    });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${url} could not be fetched: ${reasonOf(error)}.`, error);
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** What fetch says of a failure is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
