/** How far browsers look for the encoding that a page names. */
const SEARCHED_BYTES = 1_024;
const NAMED_ENCODING = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/iu;
/** The encoding to use if neither UTF-8 nor the named encoding fits. */
const USUAL_ENCODING = 'windows-1252';

/** Matches the names of UTF-16. A file in which such a name can be read as single bytes is not in UTF-16. */
const UTF_16 = /^(?:utf-?16|unicode|ucs-2|iso-10646-ucs-2|csunicode)/iu;

/**
 * The characters of the bytes 0x80 to 0x9F in windows-1252. Some versions of Node.js decode these bytes as control
 * characters.
 */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

const decodedWindows1252 = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/[\u0080-\u009F]/gu, (sign) => FROM_0X80[sign.charCodeAt(0) - 0x80] ?? sign);

/** The text of bytes in an encoding; undefined if the encoding is not known or the bytes are not valid in it. */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return decoder.encoding === USUAL_ENCODING ? decodedWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const hasMark = (bytes: Buffer, ...mark: readonly number[]) =>
  mark.every((byte, index) => bytes[index] === byte);

/**
 * The text of an HTML file; undefined if it cannot be decoded, is a PDF, or has a zero byte and no mark of UTF-16.
 * UTF-8 is tried before the encoding that the file names, because programs that convert a page often leave the old name
 * in it.
 */
export function decodedHtml(bytes: Buffer): string | undefined {
  if (hasMark(bytes, 0xff, 0xfe)) return decoded(bytes, 'utf-16le');
  if (hasMark(bytes, 0xfe, 0xff)) return decoded(bytes, 'utf-16be');
  if (bytes.includes(0) || bytes.toString('latin1', 0, 5) === '%PDF-') return undefined;
  const [, named = USUAL_ENCODING] = NAMED_ENCODING.exec(bytes.toString('latin1', 0, SEARCHED_BYTES)) ?? [];
  const encoding = UTF_16.test(named) ? USUAL_ENCODING : named;
  return decoded(bytes, 'utf-8') ?? decoded(bytes, encoding) ?? decoded(bytes, USUAL_ENCODING);
}
