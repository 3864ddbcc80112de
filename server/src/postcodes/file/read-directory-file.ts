import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  ALIGNMENT_BYTES,
  CHECKSUM_BYTES,
  DirectoryFileError,
  FORMAT_VERSION,
  MAGIC,
  OLDEST_FORMAT_VERSION,
  PREAMBLE_BYTES,
  fileHeader,
  padded,
  sectionBytes,
  type FileHeader,
  type Section,
} from './directory-format.js';
import { detailLayout } from '../table/detail-columns.js';
import type { DirectoryInfo } from '../table/directory-data.js';
import { DetailFile } from './detail-file.js';
import { POINT_NUMBERS } from '../table/grid.js';
import { type PackedDirectory, PackedRows, RowLayout } from '../table/packed-directory.js';

/** The most bytes that are read, and added to the checksum, at once. */
const BYTES_PER_READ = 4 * 1024 * 1024;

/** Reads from a position to the end of the file or the buffer. Returns the number of bytes read. */
async function fill(
  file: FileHandle,
  bytes: Uint8Array,
  position: number,
  onPart: (part: Uint8Array) => void = () => undefined,
): Promise<number> {
  let from = 0;
  while (from < bytes.length) {
    const maxBytes = Math.min(BYTES_PER_READ, bytes.length - from);
    const { bytesRead } = await file.read(bytes, from, maxBytes, position + from);
    if (bytesRead === 0) break;
    onPart(bytes.subarray(from, from + bytesRead));
    from += bytesRead;
  }
  return from;
}

function headerLength(preamble: Buffer, name: string, newestFormat = FORMAT_VERSION): number {
  if (preamble.length < PREAMBLE_BYTES || !preamble.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new DirectoryFileError(`${name} is not a directory file, or its beginning is damaged.`);
  }
  const version = preamble.readUInt32LE(MAGIC.length);
  if (version > newestFormat) {
    throw new DirectoryFileError(
      `${name} has format ${version}, which a newer version of Signpost wrote; this one reads formats up to ${newestFormat}: update this server, or import the directory again with it.`,
    );
  }
  if (version < OLDEST_FORMAT_VERSION) {
    throw new DirectoryFileError(
      `${name} has format ${version}, but this version reads formats from ${OLDEST_FORMAT_VERSION} on: import the directory again.`,
    );
  }
  return preamble.readUInt32LE(MAGIC.length + 4);
}

function parseHeader(bytes: Buffer, name: string): FileHeader {
  try {
    return fileHeader.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new DirectoryFileError(`${name} is damaged: its header cannot be read.`, error);
  }
}

/** Reads the information in a directory file's header, without reading the rest. */
export async function readDirectoryInfo(path: string): Promise<DirectoryInfo> {
  const name = basename(path);
  const file = await open(path);
  try {
    const preamble = Buffer.alloc(PREAMBLE_BYTES);
    const read = await fill(file, preamble, 0);
    const length = headerLength(preamble.subarray(0, read), name);
    const { size } = await file.stat();
    if (PREAMBLE_BYTES + length > size) throw new DirectoryFileError(`${name} is damaged: it breaks off.`);
    const start = Buffer.alloc(PREAMBLE_BYTES + length);
    await fill(file, start, 0);
    return parseHeader(start.subarray(PREAMBLE_BYTES), name).info;
  } finally {
    await file.close();
  }
}

/** Reads a file in order from its beginning, and computes the checksum of what was read. */
class FileInOrder {
  #position = 0;
  #checksum = 0;

  constructor(
    readonly file: FileHandle,
    readonly name: string,
  ) {}

  get position(): number {
    return this.#position;
  }

  get checksum(): number {
    return this.#checksum;
  }

  /** Fills the given buffer. Throws a DirectoryFileError if the file ends before. */
  async next<Bytes extends Uint8Array>(bytes: Bytes): Promise<Bytes> {
    const read = await fill(this.file, bytes, this.#position, (part) => {
      this.#checksum = crc32(part, this.#checksum);
    });
    if (read < bytes.length) throw new DirectoryFileError(`${this.name} is damaged: it breaks off.`);
    this.#position += bytes.length;
    return bytes;
  }
}

/**
 * Throws a DirectoryFileError if the lengths in the header do not fit each other or the size of the file. Called before
 * memory is allocated for the sections.
 */
function checkLengths({ sections, info, grid, values }: FileHeader, bytesLeft: number, name: string) {
  const { keys, rows, gridStarts, gridPoints } = sections;
  const fits =
    keys.length === info.rows &&
    rows.length === info.rows * new RowLayout(values).wordsPerRow &&
    gridStarts.length === grid.rows * grid.columns + 1 &&
    gridPoints.length % POINT_NUMBERS === 0 &&
    gridPoints.length <= info.rows * POINT_NUMBERS;
  if (!fits) throw new DirectoryFileError(`${name} is damaged: its sections do not fit each other.`);
  const bytes = Object.values(sections).reduce((sum, section) => sum + padded(sectionBytes(section)), 0);
  if (bytes > bytesLeft) throw new DirectoryFileError(`${name} is damaged: it breaks off.`);
}

/** A section, and the array to read it into. */
type Target = readonly [Section, Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>];

/**
 * Reads the sections in the order of their offsets. Throws a DirectoryFileError if they overlap, or if there is more
 * than padding between or after them.
 */
async function readSections(bytes: FileInOrder, targets: readonly Target[], end: number) {
  const start = bytes.position;
  const inOrder = targets.toSorted(([one], [other]) => one.offset - other.offset);
  const skipTo = async (position: number) => {
    const padding = position - bytes.position;
    if (padding < 0 || padding >= ALIGNMENT_BYTES)
      throw new DirectoryFileError(`${bytes.name} is damaged: its sections do not follow each other.`);
    await bytes.next(Buffer.alloc(padding));
  };
  for (const [section, numbers] of inOrder) {
    await skipTo(start + section.offset);
    await bytes.next(new Uint8Array(numbers.buffer));
  }
  await skipTo(end);
}

/** The size of the details at the end of the file. */
const detailBytes = ({ details, info }: FileHeader): number =>
  details === undefined ? 0 : info.rows * detailLayout(details.fields).rowBytes;

/**
 * Reads a directory file into memory, except its details, and checks what it reads. Throws a DirectoryFileError if the
 * file is damaged or in an unknown format. Details are read from the file on demand, until the caller closes them.
 */
export async function readDirectoryFile(
  path: string,
  newestFormat = FORMAT_VERSION,
): Promise<PackedDirectory> {
  const name = basename(path);
  const file = await open(path);
  try {
    const bytes = new FileInOrder(file, name);
    const { size } = await file.stat();
    const preamble = Buffer.alloc(Math.min(PREAMBLE_BYTES, size));
    const length = headerLength(await bytes.next(preamble), name, newestFormat);
    if (bytes.position + length > size) throw new DirectoryFileError(`${name} is damaged: it breaks off.`);
    const header = parseHeader(await bytes.next(Buffer.alloc(length)), name);
    const end = size - detailBytes(header) - CHECKSUM_BYTES;
    checkLengths(header, end - bytes.position, name);

    const { info, grid, values, areaCodes, sections } = header;
    const keys = new Uint32Array(sections.keys.length);
    const rows = new PackedRows(info.rows, values);
    const starts = new Uint32Array(sections.gridStarts.length);
    const points = new Int32Array(sections.gridPoints.length);
    const targets: readonly Target[] = [
      [sections.keys, keys],
      [sections.rows, rows.words],
      [sections.gridStarts, starts],
      [sections.gridPoints, points],
    ];
    await readSections(bytes, targets, end);
    const { checksum } = bytes;
    if ((await bytes.next(Buffer.alloc(CHECKSUM_BYTES))).readUInt32LE() !== checksum) {
      throw new DirectoryFileError(`${name} is damaged: its checksum does not fit its content.`);
    }
    const details =
      header.details === undefined
        ? undefined
        : new DetailFile({ path, start: bytes.position, ...header.details });
    return { info, keys, rows, values, areaCodes, grid: { ...grid, starts, points }, details };
  } finally {
    await file.close();
  }
}
