// While the image is built: takes out of a program what is only for linking others to it.
//   node slim-program.mjs PROGRAM FOLDER… -- WORD…
// With these words the program has to say the same before and after; else it stays as it was. For x86-64 alone: for
// other machines nobody has tried it.
// Before its code a program has the names that others may ask for, and addresses to adjust when it is loaded, 24 bytes
// each. The names that no library in the folders has are left out, so that each library finds what it found; the
// addresses are written as today's linkers do (RELR, glibc 2.36), in a hundredth of that. Nothing else is moved in memory.
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import {
  createStrings,
  DT,
  hashOf,
  isElf,
  namesBelow,
  PT,
  put64,
  readProgram,
  RELOCATION,
  sectionsOf,
  SEGMENT,
  u16,
  u32,
  u64,
  WORD,
  writeSegment,
} from './elf.mjs';

const X86_64 = 62;
/** The kind of a relocation that only adds where the program is loaded. */
const RELATIVE = 8;
const RELR_VERSION = 'GLIBC_ABI_DT_RELR';
const BIND_NOW = 8;
const NOW = 1;
const NAMES = new Set([DT.needed, DT.soname, DT.rpath, DT.runpath]);

const upTo = (value, step) => Math.ceil(value / step) * step;

/** Takes from the relocations those that RELR can hold, and writes what they add where they add it. */
function takeRelative({ bytes, relocations, offsetOf }) {
  const [places, others] = [[], []];
  for (const relocation of relocations) {
    const place = u64(relocation, 0);
    if (u32(relocation, WORD) !== RELATIVE || place % 2 !== 0) {
      others.push(relocation);
      continue;
    }
    relocation.copy(bytes, offsetOf(place), 16, RELOCATION);
    places.push(place);
  }
  return { places: places.toSorted((one, other) => one - other), others };
}

/** The list of RELR: an address, and then words whose bits say which of the next 63 words are meant. */
function writeRelr(places) {
  const words = [];
  for (let index = 0; index < places.length;) {
    let base = places[index] + WORD;
    words.push(BigInt(places[index]));
    index += 1;
    for (;;) {
      let bits = 0n;
      for (; index < places.length; index += 1) {
        const step = places[index] - base;
        if (step % WORD !== 0 || step >= 63 * WORD) break;
        bits |= 1n << BigInt(step / WORD);
      }
      if (bits === 0n) break;
      words.push((bits << 1n) | 1n);
      base += 63 * WORD;
    }
  }
  const bytes = Buffer.alloc(words.length * WORD);
  words.forEach((word, index) => bytes.writeBigUInt64LE(word, index * WORD));
  return bytes;
}

/** Which symbols stay, in their order: those asked of libraries, those that libraries know, and those of relocations. */
function keptSymbols({ symbols, text }, relocations, known) {
  const used = new Set(relocations.map((relocation) => u32(relocation, WORD + 4)));
  return symbols.flatMap((symbol, index) => {
    const isAsked = u16(symbol, 6) === 0;
    return index === 0 || isAsked || used.has(index) || known.has(text(u32(symbol, 0))) ? [index] : [];
  });
}

/** The table by which a name is found: a bucket for each hash, and for each symbol the next of its bucket. */
function writeHashTable(names) {
  const buckets = Math.max(1, names.filter((name) => name !== undefined).length);
  const words = new Uint32Array(2 + buckets + names.length);
  words.set([buckets, names.length]);
  names.forEach((name, index) => {
    if (name === undefined) return;
    const bucket = 2 + (hashOf(name) % buckets);
    words[2 + buckets + index] = words[bucket];
    words[bucket] = index;
  });
  return Buffer.from(words.buffer);
}

/** Which versions of which libraries are asked for, with names in the new table; RELR is asked of the C library. */
function writeNeeds({ tags, bytes, offsetOf, text }, strings, hasRelr) {
  const parts = [];
  let at = offsetOf(tags.get(DT.needs));
  for (let left = tags.get(DT.needsCount); left > 0; left -= 1) {
    const library = text(u32(bytes, at + 4));
    const versions = [];
    for (let aux = at + u32(bytes, at + 8); versions.length < u16(bytes, at + 2); aux += u32(bytes, aux + 12))
      versions.push({ name: text(u32(bytes, aux + 8)), flags: u16(bytes, aux + 4), id: u16(bytes, aux + 6) });
    parts.push({ library, versions });
    at += u32(bytes, at + 12);
  }
  if (hasRelr) {
    const ids = parts.flatMap(({ versions }) => versions.map(({ id }) => id));
    const { versions } = parts.find(({ library }) => library.startsWith('libc.so.'));
    versions.push({ name: RELR_VERSION, flags: 0, id: Math.max(...ids) + 1 });
  }
  return Buffer.concat(
    parts.flatMap(({ library, versions }, part) => {
      const need = Buffer.alloc(16);
      need.writeUInt16LE(1, 0);
      need.writeUInt16LE(versions.length, 2);
      const next = part === parts.length - 1 ? 0 : 16 * (versions.length + 1);
      [strings.add(library), 16, next].forEach((value, index) => need.writeUInt32LE(value, 4 + 4 * index));
      const entries = versions.map(({ name, flags, id }, index) => {
        const entry = Buffer.alloc(16);
        entry.writeUInt32LE(hashOf(name), 0);
        entry.writeUInt16LE(flags, 4);
        entry.writeUInt16LE(id, 6);
        entry.writeUInt32LE(strings.add(name), 8);
        entry.writeUInt32LE(index === versions.length - 1 ? 0 : 16, 12);
        return entry;
      });
      return [need, ...entries];
    }),
  );
}

/** Writes the new tables in place of the old ones; answers what is said of them in the dynamic section. */
function writeTables(program, known, add) {
  const { symbols, versions, text, pltRelocations } = program;
  const { places, others } = takeRelative(program);
  const kept = keptSymbols(program, [...others, ...pltRelocations], known);
  const indexes = new Map(kept.map((index, place) => [index, place]));
  for (const relocation of [...others, ...pltRelocations])
    relocation.writeUInt32LE(indexes.get(u32(relocation, WORD + 4)), WORD + 4);
  const strings = createStrings();
  const table = kept.map((index) => {
    const symbol = Buffer.from(symbols[index]);
    symbol.writeUInt32LE(strings.add(text(u32(symbol, 0))), 0);
    return symbol;
  });
  const offered = table.map((symbol, index) =>
    u16(symbol, 6) === 0 ? undefined : text(u32(symbols[kept[index]], 0)),
  );
  const needs = writeNeeds(program, strings, places.length > 0);
  const names = new Map(
    program.dynamic.filter(([tag]) => NAMES.has(tag)).map(([, value]) => [value, strings.add(text(value))]),
  );
  const relr = writeRelr(places);
  const said = new Map([
    [DT.symbols, add(Buffer.concat(table))],
    [DT.versions, add(Buffer.concat(kept.map((index) => versions[index])))],
    [DT.needs, add(needs)],
    [DT.hash, add(writeHashTable(offered))],
    [DT.rela, add(Buffer.concat(others))],
    [DT.relaSize, others.length * RELOCATION],
    [DT.strings, add(strings.bytes())],
    [DT.stringsSize, strings.bytes().length],
    ...(places.length === 0
      ? []
      : [
          [DT.relr, add(relr)],
          [DT.relrSize, relr.length],
          [DT.relrEntry, WORD],
        ]),
  ]);
  return { said, names };
}

/** The dynamic section anew, in the room that it has: what only debuggers need, or is said twice, makes place for RELR. */
function writeDynamic({ dynamic, tags }, { said, names }) {
  const spare = [DT.gnuHash, DT.relaCount];
  if (said.has(DT.relr)) spare.push(DT.debug);
  if (said.has(DT.relr) && tags.get(DT.flags) === BIND_NOW && tags.get(DT.flags1) & NOW) spare.push(DT.flags);
  const entries = dynamic
    .filter(([tag]) => tag !== DT.null && !spare.includes(tag))
    .map(([tag, value]) => {
      const isName = NAMES.has(tag);
      return [tag, isName ? names.get(value) : (said.get(tag) ?? value)];
    });
  for (const [tag, value] of said) if (!tags.has(tag)) entries.push([tag, value]);
  if (entries.length >= dynamic.length) throw new Error('its dynamic section has no room');
  const bytes = Buffer.alloc(dynamic.length * 16);
  entries.forEach(([tag, value], index) => {
    put64(bytes, index * 16, tag);
    put64(bytes, index * 16 + WORD, value);
  });
  return bytes;
}

const sizesOf = (size) => ({ fileSize: size, memorySize: size });

/** Where in memory the tables are that are written anew, up to the first thing after them that stays. */
function placeOfTables(bytes, head, tags) {
  const tables = [DT.symbols, DT.versions, DT.needs, DT.gnuHash, DT.rela, DT.strings].map((tag) =>
    tags.get(tag),
  );
  const start = Math.min(...tables);
  const others = sectionsOf(bytes)
    .map(({ address }) => address)
    .filter(
      (address) => address > start && address < head.address + head.fileSize && !tables.includes(address),
    );
  const end = Math.min(...others);
  if (tables.some((address) => address >= end)) throw new Error('its tables are not in one place');
  return { start, end };
}

/** The program without what is left out; its first segment becomes two, around the gap. */
function slim(bytes, known) {
  if (!isElf(bytes) || u16(bytes, 18) !== X86_64) throw new Error('it is no program of Linux for x86-64');
  const program = readProgram(bytes);
  const { segments, tags } = program;
  const [head, ...later] = segments.filter(({ type }) => type === PT.load);
  if (head.offset !== 0) throw new Error('its first segment is not the first of its file');
  const { start, end } = placeOfTables(bytes, head, tags);
  const cut = Math.floor(end / head.align) * head.align;

  const parts = [bytes.subarray(0, start - head.address)];
  let size = parts[0].length;
  const add = (part) => {
    const gap = Buffer.alloc(upTo(size, WORD) - size);
    parts.push(gap, part);
    const place = size + gap.length;
    size = place + part.length;
    return place + head.address;
  };
  const tables = writeTables(program, known, add);
  writeDynamic(program, tables).copy(bytes, segments.find(({ type }) => type === PT.dynamic).offset);

  const list = Buffer.alloc(SEGMENT * (segments.length + 1));
  const listAddress = add(list);
  const tailOffset = upTo(size, head.align);
  const gone = cut - head.address - tailOffset;
  if (gone <= 0) throw new Error('there is nothing to leave out');
  const tailSize = head.address + head.fileSize - cut;
  const written = segments.flatMap((segment) => {
    if (segment === head)
      return [
        { ...head, ...sizesOf(size) },
        { ...head, address: cut, offset: tailOffset, ...sizesOf(tailSize) },
      ];
    if (segment.type === PT.phdr)
      return [
        { ...segment, address: listAddress, offset: listAddress - head.address, ...sizesOf(list.length) },
      ];
    return [segment.address >= cut ? { ...segment, offset: segment.offset - gone } : segment];
  });
  Buffer.concat(written.map(writeSegment)).copy(list);
  const [header] = parts;
  put64(header, 32, listAddress - head.address);
  header.writeUInt16LE(written.length, 56);
  // No list of sections any more: it is for linkers and debuggers.
  put64(header, 40, 0);
  header.fill(0, 60, 64);
  const last = Math.max(...later.map(({ offset, fileSize }) => offset + fileSize));
  return Buffer.concat([...parts, Buffer.alloc(tailOffset - size), bytes.subarray(cut - head.address, last)]);
}

const words = process.argv.slice(2);
const divider = words.indexOf('--');
const [path, ...folders] = words.slice(0, divider);
const said = (program) =>
  execFileSync(program, words.slice(divider + 1), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

// Under another name first: a program that runs cannot be written to.
const slimPath = `${path}.slim`;
try {
  const before = readFileSync(path);
  const after = slim(Buffer.from(before), namesBelow(folders, path));
  writeFileSync(slimPath, after, { mode: statSync(path).mode });
  if (said(slimPath) !== said(path)) throw new Error('it does not run as before');
  renameSync(slimPath, path);
  console.log(`${path}: ${(before.length / 1e6).toFixed(1)} MB, now ${(after.length / 1e6).toFixed(1)} MB`);
} catch (error) {
  rmSync(slimPath, { force: true });
  // Of another release perhaps: it is as good as it is, only larger.
  console.log(`${path} stays as it is: ${error.message}`);
}
