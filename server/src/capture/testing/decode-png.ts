import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of one pixel, 0 to 255. */
  at(x: number, y: number): readonly [number, number, number];
}

const HEADER_BYTES = 8;

const paeth = (left: number, up: number, corner: number) => {
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
};

const predict = (filter: number, left: number, up: number, corner: number) => {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
};

/** Decodes an 8-bit PNG without interlacing, in RGB or RGBA: what browsers write. */
export function decodePng(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, colourType, , , interlace] = png.subarray(24, 29);
  if (depth !== 8 || interlace !== 0 || (colourType !== 2 && colourType !== 6)) {
    throw new Error(`a PNG of another kind: depth ${depth}, colour type ${colourType}`);
  }
  const channels = colourType === 2 ? 3 : 4;
  const parts: Buffer[] = [];
  for (let offset = HEADER_BYTES; offset < png.length;) {
    const length = png.readUInt32BE(offset);
    if (png.toString('latin1', offset + 4, offset + 8) === 'IDAT') {
      parts.push(png.subarray(offset + 8, offset + 8 + length));
    }
    offset += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const index = y * stride + x;
      const left = x < channels ? 0 : (pixels[index - channels] ?? 0);
      const up = y === 0 ? 0 : (pixels[index - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (pixels[index - stride - channels] ?? 0);
      const predicted = predict(filter, left, up, corner);
      pixels[index] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return {
    width,
    height,
    at: (x, y) => {
      const index = y * stride + x * channels;
      return [pixels[index] ?? -1, pixels[index + 1] ?? -1, pixels[index + 2] ?? -1];
    },
  };
}
