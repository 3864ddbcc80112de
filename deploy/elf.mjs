// Programs and libraries of Linux: the parts of their files (ELF, 64 bits, little-endian) that linking reads and writes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of segments. */
export const PT = { load: 1, dynamic: 2, phdr: 6 };
/** The tags of the dynamic section. */
export const DT = {
  null: 0,
  needed: 1,
  pltRelSize: 2,
  hash: 4,
  strings: 5,
  symbols: 6,
  rela: 7,
  relaSize: 8,
  stringsSize: 10,
  soname: 14,
  rpath: 15,
  debug: 21,
  pltRel: 23,
  runpath: 29,
  flags: 30,
  relrSize: 35,
  relr: 36,
  relrEntry: 37,
  gnuHash: 0x6ffffef5,
  versions: 0x6ffffff0,
  relaCount: 0x6ffffff9,
  flags1: 0x6ffffffb,
  verdef: 0x6ffffffc,
  needs: 0x6ffffffe,
  needsCount: 0x6fffffff,
};
const DYNAMIC_SYMBOLS = 11;
export const [SYMBOL, RELOCATION, SEGMENT, WORD] = [24, 24, 56, 8];

export const u16 = (bytes, at) => bytes.readUInt16LE(at);
export const u32 = (bytes, at) => bytes.readUInt32LE(at);
export const u64 = (bytes, at) => Number(bytes.readBigUInt64LE(at));
export const put64 = (bytes, at, value) => bytes.writeBigUInt64LE(BigInt(value), at);
const textAt = (bytes, at) => bytes.toString('latin1', at, bytes.indexOf(0, at));
const records = (bytes, size) =>
  Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size));

export const isElf = (bytes) =>
  bytes.length > 64 && u32(bytes, 0) === 0x46_4c_45_7f && bytes[4] === 2 && bytes[5] === 1;

export const sectionsOf = (bytes) =>
  Array.from({ length: u16(bytes, 60) }, (_, index) => {
    const at = u64(bytes, 40) + index * u16(bytes, 58);
    const [address, offset, size] = [16, 24, 32].map((field) => u64(bytes, at + field));
    return { type: u32(bytes, at + 4), link: u32(bytes, at + 40), address, offset, size };
  });

const segmentsOf = (bytes) =>
  Array.from({ length: u16(bytes, 56) }, (_, index) => {
    const at = u64(bytes, 32) + index * SEGMENT;
    const [offset, address, , fileSize, memorySize, align] = [8, 16, 24, 32, 40, 48].map((field) =>
      u64(bytes, at + field),
    );
    return { type: u32(bytes, at), flags: u32(bytes, at + 4), offset, address, fileSize, memorySize, align };
  });

export function writeSegment({ type, flags, offset, address, fileSize, memorySize, align }) {
  const bytes = Buffer.alloc(SEGMENT);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(flags, 4);
  [offset, address, address, fileSize, memorySize, align].forEach((value, index) =>
    put64(bytes, 8 + index * WORD, value),
  );
  return bytes;
}

/** The names that a library offers or asks for. */
function namesOf(bytes) {
  const sections = sectionsOf(bytes);
  const table = sections.find(({ type }) => type === DYNAMIC_SYMBOLS);
  if (table === undefined) return [];
  const strings = sections[table.link].offset;
  return records(bytes.subarray(table.offset, table.offset + table.size), SYMBOL).map((symbol) =>
    textAt(bytes, strings + u32(symbol, 0)),
  );
}

/** The names of all libraries below these folders; the program itself is none of them. */
export function namesBelow(folders, program) {
  const names = new Set();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\.so(?:\.|$)|\.node$/u.test(entry.name) || path === program) continue;
      const bytes = readFileSync(path);
      if (isElf(bytes)) for (const name of namesOf(bytes)) names.add(name);
    }
  return names;
}

/** The hash of the System V ABI. */
export function hashOf(name) {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = ((hash << 4) >>> 0) + byte;
    const high = (hash & 0xf0_00_00_00) >>> 0;
    hash = ((hash ^ (high >>> 24)) & ~high) >>> 0;
  }
  return hash;
}

/** A table of strings that grows. */
export function createStrings() {
  const places = new Map([['', 0]]);
  let size = 1;
  return {
    add(text) {
      if (!places.has(text)) {
        places.set(text, size);
        size += text.length + 1;
      }
      return places.get(text);
    },
    bytes: () => Buffer.from([...places.keys()].map((text) => `${text}\0`).join(''), 'latin1'),
  };
}

/** What the program has for linking, with what finds a place in memory in its file. */
export function readProgram(bytes) {
  const segments = segmentsOf(bytes);
  const offsetOf = (address) => {
    const segment = segments.find(
      (each) => each.type === PT.load && address >= each.address && address < each.address + each.fileSize,
    );
    if (segment === undefined) throw new Error(`nothing is in the file for the address ${address}`);
    return address - segment.address + segment.offset;
  };
  const { offset, fileSize } = segments.find(({ type }) => type === PT.dynamic);
  const dynamic = records(bytes.subarray(offset, offset + fileSize), 16).map((entry) => [
    u64(entry, 0),
    u64(entry, WORD),
  ]);
  const tags = new Map(dynamic);
  if (tags.has(DT.verdef) || tags.has(DT.relr) || !tags.has(DT.gnuHash))
    throw new Error('it is linked in a way that is not known here');
  const part = (tag, size) => {
    const at = offsetOf(tags.get(tag));
    return bytes.subarray(at, at + size);
  };
  const table = sectionsOf(bytes).find(({ address }) => address === tags.get(DT.symbols));
  const strings = offsetOf(tags.get(DT.strings));
  return {
    ...{ bytes, segments, dynamic, tags, offsetOf },
    text: (at) => textAt(bytes, strings + at),
    symbols: records(part(DT.symbols, table.size), SYMBOL),
    versions: records(part(DT.versions, (table.size / SYMBOL) * 2), 2),
    relocations: records(part(DT.rela, tags.get(DT.relaSize)), RELOCATION),
    pltRelocations: records(part(DT.pltRel, tags.get(DT.pltRelSize)), RELOCATION),
  };
}
