const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_START = 0xffd8;
const JPEG_FRAME_HEADERS = [0xc0, 0xc1, 0xc2];

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Width and height in pixels, from the header of a PNG. */
export function pngSize(file: Buffer): Size {
  if (!file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) throw new Error('This is no PNG.');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** Width and height in pixels, from the frame header of a JPEG. */
export function jpegSize(file: Buffer): Size {
  if (file.readUInt16BE(0) !== JPEG_START) throw new Error('This is no JPEG.');
  for (let at = 2; at + 9 < file.length; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file.readUInt8(at + 1);
    if (JPEG_FRAME_HEADERS.includes(marker))
      return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
  }
  throw new Error('This JPEG has no frame.');
}

/** How many page objects a PDF from Chromium has. */
export function pdfPages(file: Buffer): number {
  const text = file.toString('latin1');
  if (!text.startsWith('%PDF-')) throw new Error('This is no PDF.');
  return text.match(/\/Type\s*\/Page\b(?!s)/gu)?.length ?? 0;
}
