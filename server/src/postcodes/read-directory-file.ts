import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CodeArray, DirectoryData } from './directory-data.js';
import {
  CHECKSUM_BYTES,
  DirectoryFileError,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  fileHeader,
  type FileHeader,
  type Section,
} from './directory-format.js';
import type { DirectoryInfo } from './directory-info.js';
import { NAME_COLUMNS, byNameColumn } from './name-columns.js';

/** Small enough that checking one does not hold other work up. */
const BYTES_PER_READ = 4 * 1024 * 1024;

/** Reads to the end of the file or of the bytes; answers how many were read. */
async function fill(
  file: FileHandle,
  bytes: Uint8Array,
  onPart: (part: Uint8Array) => void,
): Promise<number> {
  let from = 0;
  while (from < bytes.length) {
    const { bytesRead } = await file.read(bytes, from, Math.min(BYTES_PER_READ, bytes.length - from), from);
    if (bytesRead === 0) break;
    onPart(bytes.subarray(from, from + bytesRead));
    from += bytesRead;
  }
  return from;
}

function headerLength(preamble: Buffer, name: string): number {
  if (preamble.length < PREAMBLE_BYTES || !preamble.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new DirectoryFileError(`${name} is not a directory file, or its beginning is damaged.`);
  }
  const version = preamble.readUInt32LE(MAGIC.length);
  if (version !== FORMAT_VERSION) {
    throw new DirectoryFileError(
      `${name} has format ${version}, but this version reads format ${FORMAT_VERSION}: import the directory again.`,
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

/** What a directory file says of itself, without reading or checking the rest. */
export async function readDirectoryInfo(path: string): Promise<DirectoryInfo> {
  const name = basename(path);
  const file = await open(path);
  try {
    const preamble = Buffer.alloc(PREAMBLE_BYTES);
    const read = await fill(file, preamble, () => undefined);
    const length = headerLength(preamble.subarray(0, read), name);
    const { size } = await file.stat();
    if (PREAMBLE_BYTES + length > size) throw new DirectoryFileError(`${name} is damaged: it breaks off.`);
    const start = Buffer.alloc(PREAMBLE_BYTES + length);
    await fill(file, start, () => undefined);
    return parseHeader(start.subarray(PREAMBLE_BYTES), name).info;
  } finally {
    await file.close();
  }
}

/** The arrays of a file that is wholly in memory: views into it, no copies. */
class Sections {
  constructor(
    readonly bytes: ArrayBuffer,
    readonly start: number,
    readonly name: string,
  ) {}

  codes(section: Section): CodeArray {
    const from = this.#from(section);
    if (section.bytesPerValue === 1) return new Uint8Array(this.bytes, from, section.length);
    if (section.bytesPerValue === 2) return new Uint16Array(this.bytes, from, section.length);
    return new Uint32Array(this.bytes, from, section.length);
  }

  flags = (section: Section) => new Uint8Array(this.bytes, this.#from(section), section.length);
  numbers = (section: Section) => new Uint32Array(this.bytes, this.#from(section), section.length);
  integers = (section: Section) => new Int32Array(this.bytes, this.#from(section), section.length);

  #from({ offset, length, bytesPerValue }: Section): number {
    const from = this.start + offset;
    if (from + length * bytesPerValue > this.bytes.byteLength - CHECKSUM_BYTES || from % bytesPerValue > 0) {
      throw new DirectoryFileError(`${this.name} is damaged: a section lies outside of it.`);
    }
    return from;
  }
}

function checkLengths({ sections, info, grid }: FileHeader, name: string) {
  const { gridStarts, gridEntries, names, ...columns } = sections;
  const perRow = [...Object.values(columns), ...NAME_COLUMNS.map((column) => names[column])];
  const fits =
    perRow.every(({ length }) => length === info.rows) &&
    gridStarts.length === grid.rows * grid.columns + 1 &&
    gridEntries.length <= info.rows;
  if (!fits) throw new DirectoryFileError(`${name} is damaged: its sections do not fit each other.`);
}

/** Reads a whole directory file into memory and checks it; throws a DirectoryFileError that says what is wrong with it. */
export async function readDirectoryFile(path: string): Promise<DirectoryData> {
  const name = basename(path);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = new ArrayBuffer(size);
    let checksum = 0;
    let left = size - CHECKSUM_BYTES;
    const read = await fill(file, new Uint8Array(bytes), (part) => {
      checksum = crc32(part.subarray(0, Math.max(0, left)), checksum);
      left -= part.length;
    });
    const whole = Buffer.from(bytes);
    const length = headerLength(whole.subarray(0, PREAMBLE_BYTES), name);
    if (read < size || size < CHECKSUM_BYTES || whole.readUInt32LE(size - CHECKSUM_BYTES) !== checksum) {
      throw new DirectoryFileError(`${name} is damaged: its checksum does not fit its content.`);
    }
    const header = parseHeader(whole.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + length), name);
    checkLengths(header, name);
    const views = new Sections(bytes, PREAMBLE_BYTES + length, name);
    const { sections } = header;
    return {
      info: header.info,
      keys: views.numbers(sections.keys),
      active: views.flags(sections.active),
      latitude: views.integers(sections.latitude),
      longitude: views.integers(sections.longitude),
      easting: views.integers(sections.easting),
      northing: views.integers(sections.northing),
      names: byNameColumn((column) => ({
        codes: views.codes(sections.names[column]),
        values: header.values[column],
      })),
      grid: {
        ...header.grid,
        starts: views.numbers(sections.gridStarts),
        entries: views.numbers(sections.gridEntries),
      },
    };
  } finally {
    await file.close();
  }
}
