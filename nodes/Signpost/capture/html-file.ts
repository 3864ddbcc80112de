/** How far browsers look for the encoding that a page names. */
const SEARCHED_BYTES = 1_024;
const NAMED_ENCODING = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/iu;
/** The encoding of old pages that name none. */
const USUAL_ENCODING = 'windows-1252';

/**
 * Writes the characters of the bytes 0x80 to 0x9F as references to these numbers, which HTML reads as Windows-1252.
 * Some versions of Node.js decode these bytes as control characters.
 */
const withReferences = (html: string) =>
  html.replace(/[\u0080-\u009F]/gu, (sign) => `&#${sign.charCodeAt(0)};`);

/** The text of bytes in an encoding; undefined if the encoding is not known or the bytes are not valid in it. */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const text = decoder.decode(bytes);
    return decoder.encoding === USUAL_ENCODING ? withReferences(text) : text;
  } catch {
    return undefined;
  }
}

const hasMark = (bytes: Buffer, ...mark: readonly number[]) =>
  mark.every((byte, index) => bytes[index] === byte);

/**
 * The text of an HTML file; undefined if the bytes are no text, such as those of a PDF. UTF-8 is tried before the
 * encoding that the file names, because programs that convert a page often leave the old name in it.
 */
export function decodedHtml(bytes: Buffer): string | undefined {
  if (hasMark(bytes, 0xff, 0xfe)) return decoded(bytes, 'utf-16le');
  if (hasMark(bytes, 0xfe, 0xff)) return decoded(bytes, 'utf-16be');
  if (bytes.includes(0) || bytes.toString('latin1', 0, 5) === '%PDF-') return undefined;
  const named = NAMED_ENCODING.exec(bytes.toString('latin1', 0, SEARCHED_BYTES))?.[1];
  return decoded(bytes, 'utf-8') ?? decoded(bytes, named ?? USUAL_ENCODING) ?? decoded(bytes, USUAL_ENCODING);
}
