// While the image is built: takes the pages of the developer tools out of the browser's texts. No window shows them here.
//   node slim-resources.mjs FILE
// The file (.pak, version 5) has a list of numbers and places, a list of other numbers for the same, and then the content.
import { readFileSync, writeFileSync } from 'node:fs';

const [VERSION, HEADER, ENTRY, ALIAS] = [5, 12, 6, 4];
/** Texts are as they are; those pages are compressed, and their pictures lie between them. */
const isCompressed = (content) => content[0] === 0x1e && content[1] === 0x9b;

function read(bytes) {
  const [count, aliasCount] = [8, 10].map((at) => bytes.readUInt16LE(at));
  const at = (index) => HEADER + index * ENTRY;
  const placeOf = (index) => bytes.readUInt32LE(at(index) + 2);
  const entries = Array.from({ length: count }, (_, index) => ({
    number: bytes.readUInt16LE(at(index)),
    content: bytes.subarray(placeOf(index), placeOf(index + 1)),
  }));
  const aliases = Array.from({ length: aliasCount }, (_, index) => {
    const place = at(count + 1) + index * ALIAS;
    return { number: bytes.readUInt16LE(place), entry: entries[bytes.readUInt16LE(place + 2)] };
  });
  return { entries, aliases };
}

function write(header, entries, aliases) {
  const lists = Buffer.alloc((entries.length + 1) * ENTRY + aliases.length * ALIAS);
  let place = HEADER + lists.length;
  [...entries, { number: 0, content: Buffer.alloc(0) }].forEach(({ number, content }, index) => {
    lists.writeUInt16LE(number, index * ENTRY);
    lists.writeUInt32LE(place, index * ENTRY + 2);
    place += content.length;
  });
  aliases.forEach(({ number, entry }, index) => {
    const at = (entries.length + 1) * ENTRY + index * ALIAS;
    lists.writeUInt16LE(number, at);
    lists.writeUInt16LE(entries.indexOf(entry), at + 2);
  });
  header.writeUInt16LE(entries.length, 8);
  header.writeUInt16LE(aliases.length, 10);
  return Buffer.concat([header, lists, ...entries.map(({ content }) => content)]);
}

const [path] = process.argv.slice(2);
const before = readFileSync(path);
if (before.readUInt32LE(0) === VERSION) {
  const { entries, aliases } = read(before);
  const first = entries.findIndex(({ content }) => isCompressed(content));
  const last = entries.findLastIndex(({ content }) => isCompressed(content));
  const kept = entries.filter((_, index) => index < first || index > last);
  const after = write(
    Buffer.from(before.subarray(0, HEADER)),
    kept,
    aliases.filter(({ entry }) => kept.includes(entry)),
  );
  writeFileSync(path, after);
  console.log(`${path}: ${(before.length / 1e6).toFixed(1)} MB, now ${(after.length / 1e6).toFixed(1)} MB`);
} else {
  // Of another release perhaps: it is as good as it is, only larger.
  console.log(`${path} stays as it is: its version is not ${VERSION}.`);
}
