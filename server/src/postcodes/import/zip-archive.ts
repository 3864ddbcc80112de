import { Transform, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { ImportError } from './import-error.js';
import type { Source, SourceFile } from './source.js';

const STORED = 0;
const DEFLATED = 8;
const BYTES_PER_CHUNK = 64 * 1024;

const openFile = promisify((path: string, done: (error: Error | null, zip?: yauzl.ZipFile) => void) => {
  yauzl.open(path, { lazyEntries: true, autoClose: false }, done);
});

const damaged = (name: string, error: unknown) =>
  new ImportError(
    `${name} is not a whole zip archive (${error instanceof Error ? error.message : String(error)}): fetch it again.`,
    error,
  );

function entriesOf(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: yauzl.Entry[] = [];
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => {
      resolve(entries);
    });
    zip.on('error', reject);
    zip.readEntry();
  });
}

/** Passes bytes on and fails at the end where they are not those that the archive promised. */
function verified(entry: yauzl.Entry, name: string): Transform {
  let checksum = 0;
  let bytes = 0;
  return new Transform({
    readableHighWaterMark: BYTES_PER_CHUNK,
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum);
      bytes += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      const whole = checksum === entry.crc32 && bytes === entry.uncompressedSize;
      done(whole ? null : damaged(name, new Error(`${entry.fileName} does not fit its checksum`)));
    },
  });
}

async function openEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, name: string): Promise<Readable> {
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
  const checked = verified(entry, name);
  const fail = (error: Error | null | undefined) => {
    if (error !== null && error !== undefined && !(error instanceof ImportError)) {
      checked.destroy(damaged(name, error));
    }
  };
  if (entry.compressionMethod === STORED) packed.on('error', fail).pipe(checked);
  else {
    const inflate = createInflateRaw({ chunkSize: BYTES_PER_CHUNK });
    packed.on('error', fail).pipe(inflate).on('error', fail).pipe(checked);
  }
  return checked;
}

/** Opens a zip archive; whatever is wrong with it is said by an ImportError. */
export async function openZip(path: string, name: string): Promise<Source> {
  const zip = await openFile(path).catch((error: unknown) => {
    throw damaged(name, error);
  });
  if (zip === undefined) throw damaged(name, new Error('nothing could be opened'));
  let entries: yauzl.Entry[];
  try {
    entries = await entriesOf(zip);
  } catch (error) {
    zip.close();
    throw damaged(name, error);
  }
  const files: SourceFile[] = entries
    .filter(({ fileName }) => !fileName.endsWith('/'))
    .map((entry) => ({
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      open: () => openEntry(zip, entry, name),
    }));
  return {
    files,
    close: () => {
      zip.close();
    },
  };
}
