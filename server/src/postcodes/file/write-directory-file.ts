import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { detailLayout, ROW_CHECKSUM_BYTES } from '../table/detail-columns.js';
import { byNameColumn, type DetailData, type DirectoryData } from '../table/directory-data.js';
import {
  CHECKSUM_BYTES,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  padded,
  sectionBytes,
  type FileHeader,
  type Section,
} from './directory-format.js';
import { packPoints, POINT_NUMBERS } from '../table/grid.js';
import { packRows, RowLayout, valuesOf } from '../table/packed-directory.js';

const BYTES_PER_WRITE = 4 * 1024 * 1024;

/** How many rows are packed at a time, so that an import never has all rows twice in memory. */
const ROWS_PER_BLOCK = 65_536;

type Numbers = Int32Array | Uint32Array;

/** The numbers of a section, in chunks. */
interface Content {
  readonly length: number;
  readonly parts: () => Iterable<Numbers>;
}

const whole = (numbers: Numbers): Content => ({ length: numbers.length, parts: () => [numbers] });

const packedRows = (data: DirectoryData): Content => ({
  length: data.keys.length * new RowLayout(valuesOf(data)).wordsPerRow,
  *parts() {
    for (let from = 0; from < data.keys.length; from += ROWS_PER_BLOCK)
      yield packRows(data, from, Math.min(from + ROWS_PER_BLOCK, data.keys.length)).words;
  },
});

const packedPoints = (data: DirectoryData): Content => ({
  length: data.grid.entries.length * POINT_NUMBERS,
  *parts() {
    for (let from = 0; from < data.grid.entries.length; from += ROWS_PER_BLOCK)
      yield packPoints(data, data.grid.entries.subarray(from, from + ROWS_PER_BLOCK));
  },
});

/** Computes the offsets of consecutive sections. */
class Layout {
  readonly contents: Content[] = [];
  #offset = 0;

  get bytes(): number {
    return this.#offset;
  }

  allocate(content: Content): Section {
    const section: Section = { offset: this.#offset, length: content.length };
    this.contents.push(content);
    this.#offset += padded(sectionBytes(section));
    return section;
  }
}

function preambleAndHeader(header: FileHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = padded(PREAMBLE_BYTES + text.length) - PREAMBLE_BYTES;
  const bytes = Buffer.alloc(PREAMBLE_BYTES + length, ' ');
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(FORMAT_VERSION, MAGIC.length);
  bytes.writeUInt32LE(length, MAGIC.length + 4);
  text.copy(bytes, PREAMBLE_BYTES);
  return bytes;
}

const headerOfDetails = ({ fields, names, codes, otherCodes }: DetailData): FileHeader['details'] => ({
  fields: [...fields],
  names: names.map((values) => [...values]),
  codes: codes.map((values) => [...values]),
  otherCodes: [...otherCodes],
});

/** Writes the rows of the details, each with its checksum. */
async function writeDetails(
  file: FileHandle,
  { fields, rows }: DetailData,
  note: (bytes: number) => void,
): Promise<void> {
  const { rowBytes } = detailLayout(fields);
  const checkedBytes = rowBytes - ROW_CHECKSUM_BYTES;
  for await (const block of rows()) {
    for (let start = 0; start < block.length; start += rowBytes) {
      const row = new Uint8Array(block.buffer, block.byteOffset + start, checkedBytes);
      block.writeUInt32LE(crc32(row), start + checkedBytes);
    }
    await file.writeFile(block);
    note(block.length);
  }
}

/** Receives how many bytes are written, and how many there will be. */
type OnBytes = (doneBytes: number, totalBytes: number) => void;

/** Writes a directory to a new file and flushes it to disk. Returns its checksum, without the details, as hex. */
export async function writeDirectoryFile(
  path: string,
  data: DirectoryData,
  onBytes: OnBytes = () => undefined,
): Promise<string> {
  const layout = new Layout();
  const { south, west, cellHeight, cellWidth, rows, columns, starts } = data.grid;
  const header: FileHeader = {
    info: data.info,
    grid: { south, west, cellHeight, cellWidth, rows, columns },
    values: byNameColumn((column) => [...data.names[column].values]),
    areaCodes: byNameColumn((column) => [...data.areaCodes[column]]),
    details: data.details === undefined ? undefined : headerOfDetails(data.details),
    sections: {
      keys: layout.allocate(whole(data.keys)),
      rows: layout.allocate(packedRows(data)),
      gridStarts: layout.allocate(whole(starts)),
      gridPoints: layout.allocate(packedPoints(data)),
    },
  };

  const head = preambleAndHeader(header);
  const detailBytes =
    data.details === undefined ? 0 : data.keys.length * detailLayout(data.details.fields).rowBytes;
  const totalBytes = head.length + layout.bytes + CHECKSUM_BYTES + detailBytes;
  let doneBytes = 0;
  const note = (bytes: number) => onBytes(Math.min((doneBytes += bytes), totalBytes), totalBytes);

  const file = await open(path, 'wx');
  let checksum = 0;
  const write = async (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; from += BYTES_PER_WRITE) {
      const part = bytes.subarray(from, from + BYTES_PER_WRITE);
      checksum = crc32(part, checksum);
      await file.writeFile(part);
      note(part.length);
    }
  };
  try {
    await write(head);
    for (const { parts } of layout.contents) {
      let written = 0;
      for (const { buffer, byteOffset, byteLength } of parts()) {
        await write(new Uint8Array(buffer, byteOffset, byteLength));
        written += byteLength;
      }
      await write(new Uint8Array(padded(written) - written));
    }
    const trailer = Buffer.alloc(CHECKSUM_BYTES);
    trailer.writeUInt32LE(checksum);
    await file.writeFile(trailer);
    if (data.details !== undefined) await writeDetails(file, data.details, note);
    await file.sync();
    onBytes(totalBytes, totalBytes);
    return trailer
      .readUInt32BE()
      .toString(16)
      .padStart(2 * CHECKSUM_BYTES, '0');
  } finally {
    await file.close();
  }
}
