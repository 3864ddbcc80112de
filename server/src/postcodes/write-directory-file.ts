import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { CodeArray, DirectoryData } from './directory-data.js';
import {
  CHECKSUM_BYTES,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  padded,
  type FileHeader,
  type Section,
} from './directory-format.js';
import { byNameColumn } from './name-columns.js';

const BYTES_PER_WRITE = 4 * 1024 * 1024;

type Values = CodeArray | Int32Array;

/** Lays sections out one after the other. */
class Layout {
  readonly arrays: Values[] = [];
  #offset = 0;

  place(array: Values): Section {
    const bytesPerValue = array.BYTES_PER_ELEMENT === 1 ? 1 : array.BYTES_PER_ELEMENT === 2 ? 2 : 4;
    const section: Section = { offset: this.#offset, length: array.length, bytesPerValue };
    this.arrays.push(array);
    this.#offset += padded(array.byteLength);
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

/** Writes a directory to a new file and sees it safe on the disk; answers its checksum in hexadecimal. */
export async function writeDirectoryFile(path: string, data: DirectoryData): Promise<string> {
  const layout = new Layout();
  const { starts, entries, ...grid } = data.grid;
  const header: FileHeader = {
    info: data.info,
    grid,
    values: byNameColumn((column) => [...data.names[column].values]),
    sections: {
      keys: layout.place(data.keys),
      active: layout.place(data.active),
      latitude: layout.place(data.latitude),
      longitude: layout.place(data.longitude),
      easting: layout.place(data.easting),
      northing: layout.place(data.northing),
      gridStarts: layout.place(starts),
      gridEntries: layout.place(entries),
      names: byNameColumn((column) => layout.place(data.names[column].codes)),
    },
  };

  const file = await open(path, 'wx');
  let checksum = 0;
  const write = async (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; from += BYTES_PER_WRITE) {
      const part = bytes.subarray(from, from + BYTES_PER_WRITE);
      checksum = crc32(part, checksum);
      await file.writeFile(part);
    }
  };
  try {
    await write(preambleAndHeader(header));
    for (const array of layout.arrays) {
      await write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      await write(new Uint8Array(padded(array.byteLength) - array.byteLength));
    }
    const trailer = Buffer.alloc(CHECKSUM_BYTES);
    trailer.writeUInt32LE(checksum);
    await file.writeFile(trailer);
    await file.sync();
    return trailer
      .readUInt32BE()
      .toString(16)
      .padStart(2 * CHECKSUM_BYTES, '0');
  } finally {
    await file.close();
  }
}
