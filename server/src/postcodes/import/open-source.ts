import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../platform/errors.js';
import { assertWithin, ImportError } from './refusals.js';
import type { Source } from './source-files.js';
import { openZip } from './zip-archive.js';

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
    // Opened before anything can fail: a stream that opens it by itself may make the file after it was removed.
    const file = await open(path, 'wx');
    await pipeline(response.body, counted, file.createWriteStream(), { signal: ended.signal });
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

const SNIFFED_BYTES = 512;

/** How the files begin that people take for the directory. */
const FOREIGN = [
  {
    what: 'a gzip archive: unpack it first',
    test: (start: Buffer) => start[0] === 0x1f && start[1] === 0x8b,
  },
  {
    what: 'a 7z archive: unpack it first',
    test: (start: Buffer) => start.subarray(0, 2).toString() === '7z',
  },
  {
    what: 'a RAR archive: unpack it first',
    test: (start: Buffer) => start.subarray(0, 4).toString() === 'Rar!',
  },
  { what: 'a PDF document', test: (start: Buffer) => start.subarray(0, 5).toString() === '%PDF-' },
  { what: 'an HTML or XML page', test: (start: Buffer) => /^[\s\uFEFF]*</u.test(start.toString()) },
  { what: 'JSON', test: (start: Buffer) => /^[\s\uFEFF]*[[{]/u.test(start.toString()) },
  {
    what: 'a UTF-16 text: save it as UTF-8',
    test: (start: Buffer) => /^(?:fffe|feff)/u.test(start.toString('hex')),
  },
  { what: 'binary data', test: (start: Buffer) => start.includes(0) },
];

async function beginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Opens a zip or csv file by what it holds, whatever its name; `name` is what messages call it. */
export async function openSource(path: string, name: string, maxFiles: number): Promise<Source> {
  let start: Buffer;
  let bytes: number;
  try {
    const found = await stat(path);
    if (found.isDirectory()) {
      throw new ImportError(`${name} is a folder: name the zip or csv file of the directory.`);
    }
    bytes = found.size;
    start = await beginning(path);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${errorCode(error)})`;
    throw new ImportError(`The file ${path} ${why}.`, error);
  }
  if (start.length === 0) throw new ImportError(`${name} is empty.`);
  if (start.subarray(0, 2).toString() === 'PK') return openZip(path, name, maxFiles);
  const foreign = FOREIGN.find(({ test }) => test(start));
  if (foreign !== undefined) {
    throw new ImportError(`${name} is not a postcode directory (zip or csv): it is ${foreign.what}.`);
  }
  const file = {
    name,
    bytes,
    open: () => Promise.resolve(createReadStream(path, { highWaterMark: 1024 * 1024 })),
  };
  return { files: [file], close: () => undefined };
}
