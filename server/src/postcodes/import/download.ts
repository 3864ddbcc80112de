import { createHash } from 'node:crypto';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { PARTIAL_SUFFIX } from '../file/directory-folder.js';
import { type Fetch, fetchFollowing, reasonOf } from './fetch-following.js';
import { assertWithin, ImportError, MEBIBYTE } from './import-error.js';

const STALLED_AFTER_MS = MINUTE_MS;
/** How many times one call resumes an interrupted download, as long as each attempt gets further. */
const MAX_BREAKS = 10;
/** The size of the file may differ by this fraction from the size that the portal gives. */
const SIZE_TOLERANCE = 0.01;

/** A download that failed and may be tried again. If a part of it was kept, repeating the call resumes it. */
export class BrokenOffError extends ImportError {}

/** Stored beside a resumable download: the version of the file, and its full size. */
const downloadState = z.object({ etag: z.string(), bytes: z.int().positive() });
type DownloadState = z.output<typeof downloadState>;

/** The paths of a download and of its state. The names depend only on the address, so that a later call finds them. */
export function downloadPaths(folder: string, url: string) {
  const name = `download-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`;
  return {
    path: join(folder, name + PARTIAL_SUFFIX),
    statePath: join(folder, `${name}.json${PARTIAL_SUFFIX}`),
  };
}

type DownloadPaths = ReturnType<typeof downloadPaths>;

export async function removeDownload({ path, statePath }: DownloadPaths): Promise<void> {
  await Promise.all([path, statePath].map((file) => rm(file, { force: true })));
}

interface Download extends DownloadPaths {
  readonly url: string;
  readonly maxBytes: number;
  /** The size given by the portal, if it is known. */
  readonly expectedBytes?: number | undefined;
  /** Replaces the system's fetch. */
  readonly fetch?: Fetch | undefined;
  /** Receives the number of bytes so far, and the total if it is known. */
  readonly onBytes: (bytes: number, total: number | undefined) => void;
}

/**
 * Returns the size of the partial download and its stored state if it can be resumed; otherwise 0 bytes and no state.
 */
async function readPartialDownload({
  path,
  statePath,
}: DownloadPaths): Promise<{ bytes: number; state?: DownloadState }> {
  try {
    const state = downloadState.parse(JSON.parse(await readFile(statePath, 'utf8')));
    const { size } = await stat(path);
    return size > 0 && size <= state.bytes ? { bytes: size, state } : { bytes: 0 };
  } catch {
    return { bytes: 0 };
  }
}

/**
 * Headers that request the whole file if there is no partial download, its rest if there is one, or no bytes if the
 * download is complete. If the server has another version by then, it sends that one as a whole.
 */
function headersFor(bytes: number, state: DownloadState | undefined): Record<string, string> {
  const plain = { 'accept-encoding': 'identity' };
  if (state === undefined) return plain;
  if (bytes === state.bytes) return { ...plain, 'if-none-match': state.etag };
  return { ...plain, range: `bytes=${bytes}-`, 'if-range': state.etag };
}

function totalOf({ headers }: Response): number | undefined {
  const declared = headers.get('content-length');
  return declared === null || headers.has('content-encoding') ? undefined : Number(declared);
}

/**
 * The state that a later call needs to resume this response; undefined if it cannot be resumed. A weak ETag does not
 * identify a version.
 */
function stateOf({ headers }: Response, total: number | undefined): DownloadState | undefined {
  const etag = headers.get('etag');
  if (etag === null || !etag.startsWith('"') || headers.get('accept-ranges') === 'none') return undefined;
  return total === undefined || total === 0 ? undefined : { etag, bytes: total };
}

function assertExpectedSize({ url, expectedBytes }: Download, bytes: number | undefined): void {
  if (bytes === undefined || expectedBytes === undefined) return;
  if (Math.abs(bytes - expectedBytes) <= expectedBytes * SIZE_TOLERANCE) return;
  throw new ImportError(`${url} sends ${bytes} bytes, but announced ${expectedBytes}.`);
}

async function writeBody(
  { url, path, maxBytes, expectedBytes, onBytes }: Download,
  response: Response,
  { from, total }: { from: number; total: number | undefined },
  onPart: () => void,
): Promise<number> {
  let bytes = from;
  const file = await open(path, 'a');
  try {
    for await (const part of response.body ?? []) {
      onPart();
      bytes += part.length;
      assertWithin(bytes, maxBytes, `${url} sends`);
      await file.writeFile(part);
      onBytes(bytes, total ?? expectedBytes);
    }
  } finally {
    await file.close();
  }
  return bytes;
}

async function fetchRest(download: Download, signal: AbortSignal, onPart: () => void): Promise<void> {
  const { url, maxBytes, onBytes, path, statePath } = download;
  const partial = await readPartialDownload(download);
  const headers = headersFor(partial.bytes, partial.state);
  const response = await fetchFollowing(url, { headers, signal }, download.fetch);
  if (response.status === 304 && partial.state !== undefined) {
    onBytes(partial.bytes, partial.bytes);
    return;
  }
  const { state } = partial;
  const range = `bytes ${partial.bytes}-${(state?.bytes ?? 0) - 1}/${state?.bytes ?? 0}`;
  if (response.status === 206 && state !== undefined && response.headers.get('content-range') === range) {
    const bytes = await writeBody(download, response, { from: partial.bytes, total: state.bytes }, onPart);
    if (bytes !== state.bytes)
      throw new BrokenOffError(`${url} ended after ${bytes} of ${state.bytes} bytes.`);
    return;
  }
  if (response.status === 206 || response.status === 416) {
    await removeDownload(download);
    throw new ImportError(
      `${url} sends another part than was asked for. Try again: it is fetched from its beginning.`,
    );
  }
  if (!response.ok) {
    throw new BrokenOffError(`${url} answered ${response.status} ${response.statusText}: no directory came.`);
  }
  const total = totalOf(response);
  assertWithin(total ?? 0, maxBytes, `${url} sends`);
  assertExpectedSize(download, total);
  await removeDownload(download);
  await writeFile(path, '');
  const next = stateOf(response, total);
  if (next !== undefined) await writeFile(statePath, JSON.stringify(next));
  const bytes = await writeBody(download, response, { from: 0, total }, onPart);
  assertExpectedSize(download, bytes);
}

const megabytes = (bytes: number) => Math.floor(bytes / MEBIBYTE);

/**
 * Downloads `url` to the file `path`, at most `maxBytes`. Resumes an interrupted download if it can. Throws a
 * BrokenOffError for a network error or an error status, otherwise another ImportError or the error of a file.
 */
export async function download(target: Download): Promise<void> {
  for (let breaks = 0; ; breaks += 1) {
    const before = await readPartialDownload(target);
    const ended = new AbortController();
    const timer = setTimeout(() => {
      ended.abort(new Error(`nothing came for ${STALLED_AFTER_MS / 1000} seconds`));
    }, STALLED_AFTER_MS);
    try {
      await fetchRest(target, ended.signal, () => timer.refresh());
      return;
    } catch (error) {
      // Errors of files have a code. Network errors of fetch have none themselves.
      if (error instanceof ImportError || errorCode(error) !== '') throw error;
      const { bytes, state } = await readPartialDownload(target);
      if (bytes > before.bytes && breaks < MAX_BREAKS) continue;
      if (state === undefined) await removeDownload(target);
      const rest =
        state === undefined
          ? ''
          : ` ${megabytes(bytes)} of ${megabytes(state.bytes)} MB have come and are kept: the same import goes on from there.`;
      throw new BrokenOffError(`${target.url} could not be fetched: ${reasonOf(error)}.${rest}`, error);
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
  }
}
