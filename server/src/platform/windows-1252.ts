/**
 * The characters of the bytes 0x80 to 0x9F, which some versions of Node.js decode as control characters. Every other
 * byte equals the code of its character.
 */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

export const WINDOWS_1252 = 'windows-1252';

export const decodeWindows1252 = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(/[\u0080-\u009F]/gu, (sign) => FROM_0X80[sign.charCodeAt(0) - 0x80] ?? sign);

/** The bytes of a text in Windows-1252. A character above U+00FF that the encoding does not have becomes 0xFF. */
export const encodeWindows1252 = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => {
    const index = FROM_0X80.indexOf(character);
    if (index >= 0) return index + 0x80;
    return Math.min(character.codePointAt(0) ?? 0xff, 0xff);
  });
