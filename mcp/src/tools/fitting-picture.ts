import { MAX_RESULT_BYTES } from './tool-result.js';

/** Some models scale a picture down if a side is longer than this. */
const SEEN_PIXELS = 1_568;
const PIECES_PER_RESULT = 5;
const WEBP = 'image/webp';
/**
 * How many bytes all pictures in a result may have together. Base64 makes them a third larger, and some kilobytes are
 * for text.
 */
export const MAX_PICTURE_BYTES = Math.floor(((MAX_RESULT_BYTES - 8_000) / 4) * 3);

const LAST_ATTEMPT = { quality: 30, scale: 0.35 };
/** The settings for encoding a piece, tried in this order until it is small enough. */
const ATTEMPTS = [
  { quality: 80, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 50, scale: 0.7 },
  { quality: 50, scale: 0.5 },
  LAST_ATTEMPT,
];

/** The first row of a piece in the whole picture, and the row after its last. */
interface Rows {
  readonly top: number;
  readonly bottom: number;
}

/** A piece of the picture in the result. */
interface PicturePiece extends Rows {
  readonly body: Buffer;
  readonly mediaType: string;
}

/** A picture as a tool can return it. */
export interface FittingPicture {
  /** The width of the whole picture, in pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * The pieces of the requested part, from the top. Empty if there is no such part or no encoding was small enough.
   */
  readonly pieces: readonly PicturePiece[];
  /** How many parts of at most five pieces the whole picture has. */
  readonly parts: number;
  /** Whether the only piece is the unchanged capture. */
  readonly isWhole: boolean;
}

// sharp is loaded on demand: loading takes some 50 ms, which a server without captures should not spend.
const loadSharp = async () => (await import('sharp')).default;

/** Width and height of a PNG, JPEG or WebP, in pixels. */
export async function pictureSize(body: Buffer) {
  const sharp = await loadSharp();
  const { width, height } = await sharp(body).metadata();
  return { width, height };
}

/**
 * Returns the rows of the pieces of a picture: one piece if it is a single screen, otherwise pieces of about the same
 * height.
 */
function rowsOfPieces(width: number, height: number, isScreen: boolean): Rows[] {
  if (isScreen) return [{ top: 0, bottom: height }];
  const scale = Math.min(1, SEEN_PIXELS / width);
  const count = Math.ceil((height * scale) / SEEN_PIXELS);
  const edge = (piece: number) => Math.round((height * piece) / count);
  return Array.from({ length: count }, (_, piece) => ({ top: edge(piece), bottom: edge(piece + 1) }));
}

interface Picture {
  readonly body: Buffer;
  readonly mediaType: string;
}

/**
 * Encodes some rows of a picture with the settings of an attempt, as WebP if the capture is WebP, otherwise as JPEG.
 */
async function encodePiece(
  { body, mediaType }: Picture,
  width: number,
  { top, bottom }: Rows,
  attempt: number,
): Promise<Buffer> {
  const sharp = await loadSharp();
  const { quality, scale } = ATTEMPTS[attempt] ?? LAST_ATTEMPT;
  const height = bottom - top;
  const legible = Math.min(1, SEEN_PIXELS / Math.max(width, height));
  const piece = sharp(body, { sequentialRead: true })
    .extract({ left: 0, top, width, height })
    .resize({ width: Math.max(1, Math.round(width * legible * scale)) });
  return mediaType === WEBP
    ? piece.webp({ quality, effort: 0 }).toBuffer()
    : piece.flatten({ background: 'white' }).jpeg({ quality }).toBuffer();
}

/** Encodes all pieces so that they fit into a result together. Empty if no attempt was small enough. */
async function encodePieces(
  picture: Picture,
  width: number,
  rowsOfAll: readonly Rows[],
): Promise<PicturePiece[]> {
  const maxBytes = Math.floor(MAX_PICTURE_BYTES / rowsOfAll.length);
  // Some clients and models do not know WebP, so only callers that asked for it get it.
  const mediaType = picture.mediaType === WEBP ? WEBP : 'image/jpeg';
  const pieces: PicturePiece[] = [];
  // A piece usually needs the same attempt as the one above it.
  let attempt = 0;
  for (const rows of rowsOfAll) {
    let piece = await encodePiece(picture, width, rows, attempt);
    while (piece.length > maxBytes) {
      attempt += 1;
      if (attempt === ATTEMPTS.length) return [];
      piece = await encodePiece(picture, width, rows, attempt);
    }
    pieces.push({ body: piece, mediaType, ...rows });
  }
  return pieces;
}

/**
 * Fits a picture into a tool's result: unchanged, or smaller, or, if it is tall, in pieces from the top, at most five
 * to a part. The picture of a single screen is never divided. Only the picture is scaled: the page is not captured
 * again in a smaller window.
 */
export async function fittingPicture(
  picture: Picture,
  { part, isScreen }: { readonly part: number; readonly isScreen: boolean },
): Promise<FittingPicture> {
  const { body, mediaType } = picture;
  const { width, height } = await pictureSize(body);
  const rows = rowsOfPieces(width, height, isScreen);
  const parts = Math.ceil(rows.length / PIECES_PER_RESULT);
  const isWhole = part === 1 && Math.max(width, height) <= SEEN_PIXELS && body.length <= MAX_PICTURE_BYTES;
  const pieces = isWhole
    ? [{ body, mediaType, top: 0, bottom: height }]
    : await encodePieces(
        picture,
        width,
        rows.slice((part - 1) * PIECES_PER_RESULT, part * PIECES_PER_RESULT),
      );
  return { width, height, parts, isWhole, pieces };
}
