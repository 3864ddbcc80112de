import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { ImportError } from './import-error.js';
import type { Source, SourceFile } from './source-files.js';

const STORED = 0;
const DEFLATED = 8;
/** The size of the chunks in which a file is unpacked. */
const BYTES_PER_CHUNK = 512 * 1024;

const openFile = promisify((path: string, done: (error: Error | null, zip?: yauzl.ZipFile) => void) => {
  yauzl.open(path, { lazyEntries: true, autoClose: false }, done);
});

const damaged = (name: string, error: unknown) =>
  new ImportError(
    `${name} is not a whole zip archive (${error instanceof Error ? error.message : String(error)}): fetch it again.`,
    error,
  );

function entriesOf(zip: yauzl.ZipFile, maxFiles: number): Promise<yauzl.Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: yauzl.Entry[] = [];
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry);
      if (entries.length <= maxFiles) zip.readEntry();
      else reject(new ImportError(`The archive has more than ${maxFiles} files, which no edition has.`));
    });
    zip.on('end', () => {
      resolve(entries);
    });
    zip.on('error', reject);
    zip.readEntry();
  });
}

/**
 * Passes on the unpacked bytes of a file. Throws an ImportError if unpacking fails, if there are more than the archive
 * declares or, at the end, if there are fewer or the checksum is wrong.
 */
async function* verified(
  unpacked: AsyncIterable<unknown>,
  entry: yauzl.Entry,
  name: string,
): AsyncGenerator<Buffer> {
  let checksum = 0;
  let bytes = 0;
  try {
    for await (const chunk of unpacked) {
      if (!Buffer.isBuffer(chunk)) continue;
      checksum = crc32(chunk, checksum);
      bytes += chunk.length;
      if (bytes > entry.uncompressedSize)
        throw new Error(`${entry.fileName} has more than the ${entry.uncompressedSize} bytes it declares`);
      yield chunk;
    }
    if (checksum !== entry.crc32 || bytes !== entry.uncompressedSize)
      throw new Error(`${entry.fileName} does not fit its checksum`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const where = `${entry.fileName} is damaged after ${bytes} of ${entry.uncompressedSize} bytes: ${why}`;
    throw damaged(name, why.startsWith(entry.fileName) ? error : new Error(where, { cause: error }));
  }
}

async function openEntry(
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  name: string,
): Promise<AsyncIterable<unknown>> {
  if (entry.isEncrypted()) {
    throw new ImportError(`${entry.fileName} in ${name} is encrypted: unpack it with its password first.`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new ImportError(
      `${entry.fileName} in ${name} is packed by method ${entry.compressionMethod}, which cannot be read: unpack it first.`,
    );
  }
  const options = {
    decompress: entry.compressionMethod === DEFLATED ? false : null,
    decrypt: null,
    start: null,
    end: null,
  };
  const packed = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, options, (error, stream) => {
      if (error instanceof Error) reject(damaged(name, error));
      else resolve(stream);
    });
  });
  const unpacked =
    entry.compressionMethod === STORED
      ? packed
      : pipeline(packed, createInflateRaw({ chunkSize: BYTES_PER_CHUNK }), () => undefined);
  return verified(unpacked, entry, name);
}

/** Opens a zip archive. Throws an ImportError if that fails, or if its list has more than `maxFiles` entries. */
export async function openZip(path: string, name: string, maxFiles: number): Promise<Source> {
  const zip = await openFile(path).catch((error: unknown) => {
    throw damaged(name, error);
  });
  if (zip === undefined) throw damaged(name, new Error('nothing could be opened'));
  let entries: yauzl.Entry[];
  try {
    entries = await entriesOf(zip, maxFiles);
  } catch (error) {
    zip.close();
    throw error instanceof ImportError ? error : damaged(name, error);
  }
  const files: SourceFile[] = entries
    .filter(({ fileName }) => !fileName.endsWith('/'))
    .map((entry) => ({
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      open: () => openEntry(zip, entry, name),
      hasChecksum: true,
    }));
  return {
    files,
    close: () => {
      zip.close();
    },
  };
}
