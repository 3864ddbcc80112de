import { MAX_RESULT_BYTES } from './tool-result.js';

/** Models see no more than this on a side; a larger picture is made smaller before they look at it. */
const SEEN_PIXELS = 1_568;
const PIECES_PER_RESULT = 5;
/** What is left for pictures, which base64 makes a third longer, beside some kilobytes of words. */
export const MAX_PICTURE_BYTES = Math.floor(((MAX_RESULT_BYTES - 8_000) / 4) * 3);

/** How a piece is written, tried in this order until it has few enough bytes. */
const LAST_ATTEMPT = { quality: 30, scale: 0.35 };
const ATTEMPTS = [
  { quality: 80, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 50, scale: 0.7 },
  { quality: 50, scale: 0.5 },
  LAST_ATTEMPT,
];

/** The first row of pixels of a piece in the whole picture, and the one after its last. */
interface Rows {
  readonly top: number;
  readonly bottom: number;
}

/** What a result shows of a picture. */
interface ShownPiece extends Rows {
  readonly body: Buffer;
  readonly mediaType: string;
}

/** A picture as a tool can answer it. */
export interface FittingPicture {
  /** The whole picture's, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Those of the part that was asked for, from the top; none where there is no such part, or none was small enough. */
  readonly pieces: readonly ShownPiece[];
  /** How many parts of at most five pieces the whole has. */
  readonly parts: number;
  /** Whether the one piece is the picture as it was captured. */
  readonly isWhole: boolean;
}

// The library takes some 50 ms to load, which a server without captures need not spend.
const loadSharp = async () => (await import('sharp')).default;

/** Width and height of a PNG, JPEG or WebP, in pixels. */
export async function pictureSize(body: Buffer) {
  const sharp = await loadSharp();
  const { width, height } = await sharp(body).metadata();
  return { width, height };
}

/** The rows of a picture in pieces of nearly the same height, each of which is legible. */
function rowsOfPieces(width: number, height: number): Rows[] {
  const scale = Math.min(1, SEEN_PIXELS / width);
  const count = Math.ceil((height * scale) / SEEN_PIXELS);
  const edge = (piece: number) => Math.round((height * piece) / count);
  return Array.from({ length: count }, (_, piece) => ({ top: edge(piece), bottom: edge(piece + 1) }));
}

/** Rows of a picture as WebP, in the manner of an attempt. */
async function cut(body: Buffer, width: number, { top, bottom }: Rows, attempt: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const { quality, scale } = ATTEMPTS[attempt] ?? LAST_ATTEMPT;
  const height = bottom - top;
  const legible = Math.min(1, SEEN_PIXELS / Math.max(width, height));
  return sharp(body, { sequentialRead: true })
    .extract({ left: 0, top, width, height })
    .resize({ width: Math.max(1, Math.round(width * legible * scale)) })
    .webp({ quality, effort: 0 })
    .toBuffer();
}

/** All these rows, in few enough bytes; none where no attempt got there. */
async function cutAll(body: Buffer, width: number, wanted: readonly Rows[]): Promise<ShownPiece[]> {
  const maxBytes = Math.floor(MAX_PICTURE_BYTES / wanted.length);
  const pieces: ShownPiece[] = [];
  // What the piece above needed, those below it mostly need too.
  let attempt = 0;
  for (const rows of wanted) {
    let piece = await cut(body, width, rows, attempt);
    while (piece.length > maxBytes) {
      attempt += 1;
      if (attempt === ATTEMPTS.length) return [];
      piece = await cut(body, width, rows, attempt);
    }
    pieces.push({ body: piece, mediaType: 'image/webp', ...rows });
  }
  return pieces;
}

/**
 * What of a picture fits into a tool's result: all of it as it is, or smaller, or where it is tall in pieces from the
 * top, five to a part. The page itself is captured once, and is never laid out again for a smaller window.
 */
export async function fittingPicture(
  { body, mediaType }: { readonly body: Buffer; readonly mediaType: string },
  part: number,
): Promise<FittingPicture> {
  const { width, height } = await pictureSize(body);
  const rows = rowsOfPieces(width, height);
  const parts = Math.ceil(rows.length / PIECES_PER_RESULT);
  const isWhole = part === 1 && Math.max(width, height) <= SEEN_PIXELS && body.length <= MAX_PICTURE_BYTES;
  const pieces = isWhole
    ? [{ body, mediaType, top: 0, bottom: height }]
    : await cutAll(body, width, rows.slice((part - 1) * PIECES_PER_RESULT, part * PIECES_PER_RESULT));
  return { width, height, parts, isWhole, pieces };
}
