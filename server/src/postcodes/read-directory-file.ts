import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CodeArray } from './directory-data.js';
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
import { NAME_COLUMNS } from './name-columns.js';
import { packGrid, type PackedDirectory } from './packed-directory.js';
import { EASTING, LATITUDE, LONGITUDE, NORTHING, PackedRows, type Field } from './packed-rows.js';

/** Small enough that checking one does not hold other work up. */
const BYTES_PER_READ = 4 * 1024 * 1024;

/** Reads from a position to the end of the file or of the bytes; answers how many were read. */
async function fill(
  file: FileHandle,
  bytes: Uint8Array,
  position: number,
  onPart: (part: Uint8Array) => void = () => undefined,
): Promise<number> {
  let from = 0;
  while (from < bytes.length) {
    const most = Math.min(BYTES_PER_READ, bytes.length - from);
    const { bytesRead } = await file.read(bytes, from, most, position + from);
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

/** Reads a file once from its beginning to its end, and sums up what it reads. */
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

  /** Reads so many bytes, into the beginning of the memory given. */
  async next(length: number, bytes = new ArrayBuffer(length)): Promise<ArrayBuffer> {
    const read = await fill(this.file, new Uint8Array(bytes, 0, length), this.#position, (part) => {
      this.#checksum = crc32(part, this.#checksum);
    });
    if (read < length) throw new DirectoryFileError(`${this.name} is damaged: it breaks off.`);
    this.#position += length;
    return bytes;
  }
}

/** What is done with the bytes of a section. */
interface SectionReader {
  readonly section: Section;
  /** Whether the bytes are kept; others are read into memory that the next section is read into as well. */
  readonly isKept: boolean;
  readonly take: (bytes: ArrayBuffer) => void;
}

const sizeOf = ({ length, bytesPerValue }: Section) => length * bytesPerValue;

function codesOf(bytes: ArrayBuffer, { bytesPerValue, length }: Section): CodeArray {
  if (bytesPerValue === 1) return new Uint8Array(bytes, 0, length);
  return bytesPerValue === 2 ? new Uint16Array(bytes, 0, length) : new Uint32Array(bytes, 0, length);
}

/** Checks what the header says, before any room is made for it, against itself and the bytes that follow it. */
function checkLengths({ sections, info, grid }: FileHeader, bytesLeft: number, name: string) {
  const { gridStarts, gridEntries, names, active, ...wideColumns } = sections;
  const wide = [...Object.values(wideColumns), gridStarts, gridEntries];
  const perRow = [...Object.values(wideColumns), active, ...NAME_COLUMNS.map((column) => names[column])];
  const fits =
    perRow.every(({ length }) => length === info.rows) &&
    wide.every(({ bytesPerValue }) => bytesPerValue === Int32Array.BYTES_PER_ELEMENT) &&
    gridStarts.length === grid.rows * grid.columns + 1 &&
    gridEntries.length <= info.rows &&
    [...perRow, ...wide].every((section) => section.offset + sizeOf(section) <= bytesLeft);
  if (!fits) throw new DirectoryFileError(`${name} is damaged: its sections do not fit each other.`);
}

/** Reads the sections one after the other. */
async function readSections(bytes: FileInOrder, readers: SectionReader[], end: number) {
  const start = bytes.position;
  const scratch = new ArrayBuffer(
    readers.reduce((most, { section, isKept }) => (isKept ? most : Math.max(most, sizeOf(section))), 0),
  );
  const inOrder = readers.toSorted((one, other) => one.section.offset - other.section.offset);
  for (const { section, isKept, take } of inOrder) {
    if (sizeOf(section) === 0) continue;
    const from = start + section.offset;
    if (from < bytes.position) {
      throw new DirectoryFileError(`${bytes.name} is damaged: a section lies in another.`);
    }
    await bytes.next(from - bytes.position);
    take(await bytes.next(sizeOf(section), isKept ? undefined : scratch));
  }
  await bytes.next(end - bytes.position);
}

/** Reads a whole directory file into memory and checks it; throws a DirectoryFileError that says what is wrong with it. */
export async function readDirectoryFile(path: string): Promise<PackedDirectory> {
  const name = basename(path);
  const file = await open(path);
  try {
    const bytes = new FileInOrder(file, name);
    const end = (await file.stat()).size - CHECKSUM_BYTES;
    const length = headerLength(
      Buffer.from(await bytes.next(Math.min(PREAMBLE_BYTES, Math.max(end, 0)))),
      name,
    );
    if (bytes.position + length > end) throw new DirectoryFileError(`${name} is damaged: it breaks off.`);
    const header = parseHeader(Buffer.from(await bytes.next(length)), name);
    checkLengths(header, end - bytes.position, name);

    const { info, grid, values, sections } = header;
    const rows = new PackedRows(info.rows, values);
    let keys = new Uint32Array();
    let starts = new Uint32Array();
    let entries = new Uint32Array();
    const coordinates = (section: Section, word: number): SectionReader => ({
      section,
      isKept: false,
      take: (read) => {
        rows.setCoordinates(word, new Int32Array(read, 0, section.length));
      },
    });
    const kept = (section: Section, keep: (read: Uint32Array<ArrayBuffer>) => void): SectionReader => ({
      section,
      isKept: true,
      take: (read) => {
        keep(new Uint32Array(read));
      },
    });
    const codes = (section: Section, field: Field): SectionReader => ({
      section,
      isKept: false,
      take: (read) => {
        rows.setCodes(field, codesOf(read, section));
      },
    });
    const readers = [
      kept(sections.keys, (read) => (keys = read)),
      kept(sections.gridStarts, (read) => (starts = read)),
      kept(sections.gridEntries, (read) => (entries = read)),
      coordinates(sections.latitude, LATITUDE),
      coordinates(sections.longitude, LONGITUDE),
      coordinates(sections.easting, EASTING),
      coordinates(sections.northing, NORTHING),
      codes(sections.active, rows.active),
      ...NAME_COLUMNS.map((column) => codes(sections.names[column], rows.names[column])),
    ];
    await readSections(bytes, readers, end);
    const { checksum } = bytes;
    if (new DataView(await bytes.next(CHECKSUM_BYTES)).getUint32(0, true) !== checksum) {
      throw new DirectoryFileError(`${name} is damaged: its checksum does not fit its content.`);
    }
    return { info, keys, rows, values, grid: packGrid({ ...grid, starts, entries }, rows) };
  } finally {
    await file.close();
  }
}
