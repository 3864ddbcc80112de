/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PNG_START = 0x89504e47;
const JPEG_START = 0xffd8;
const MARKERS_WITHOUT_SIZE = new Set([0xc4, 0xc8, 0xcc]);

/** What a PNG or JPEG says of its size; undefined where it is neither. */
export function imageSize(image: Buffer): ImageSize | undefined {
  if (image.length >= 24 && image.readUInt32BE(0) === PNG_START)
    return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
  if (image.length >= 4 && image.readUInt16BE(0) === JPEG_START) return jpegSize(image);
  return undefined;
}

/** Walks the segments of a JPEG to its frame header. */
function jpegSize(image: Buffer): ImageSize | undefined {
  let offset = 2;
  while (offset + 9 <= image.length && image[offset] === 0xff) {
    const marker = image.readUInt8(offset + 1);
    if (marker >= 0xc0 && marker <= 0xcf && !MARKERS_WITHOUT_SIZE.has(marker))
      return { width: image.readUInt16BE(offset + 7), height: image.readUInt16BE(offset + 5) };
    offset += 2 + image.readUInt16BE(offset + 2);
  }
  return undefined;
}
