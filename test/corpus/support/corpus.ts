import { join } from 'node:path';
import type { CaptureService } from '../../../server/src/capture/capture-service.js';
import { decodePng, type Picture } from '../../fixtures/capture/decode-png.js';
import { print, read, shoot } from '../../fixtures/capture/outcome.js';
import { textOf } from '../../fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../fixtures/capture/start-test-capture.js';
import { startPackageSite, type PackageSite } from './package-site.js';

export type Colour = readonly [number, number, number];

/** The colour of the tile, and of shapes on the corpus's own pages. */
export const PINK: Colour = [200, 0, 100];

/** How far red, green and blue of a pixel may each differ from a colour, because of JPEG or smooth edges, say. */
const MAX_DISTANCE = 12;

/** A pixel counts as coloured if the highest of its red, green and blue exceeds the lowest by more than this. */
const MIN_COLOUR = 60;

const WINDOW = { width: 1000, height: 700 };

export interface PrintedPage {
  readonly text: string;
  /** How many JPEGs the PDF contains. A JPEG that is shown several times counts once. */
  readonly photos: number;
  /** The PDF itself. */
  readonly body: Buffer;
  readonly pageCount: number;
}

export interface Corpus {
  picture(path: string, more?: Record<string, unknown>): Promise<Picture>;
  printed(path: string, more?: Record<string, unknown>): Promise<PrintedPage>;
  /** The text of a page, with the time that reading it took. */
  words(path: string, more?: Record<string, unknown>): Promise<{ content: string; durationMs: number }>;
  url(path: string): string;
  close(): Promise<void>;
}

const isNear = (one: readonly number[], other: Colour) =>
  other.every((value, index) => Math.abs(value - (one[index] ?? -1)) <= MAX_DISTANCE);

/** How many pixels of a picture have one of these colours, or nearly. */
export function pixelsOf({ width, height, at }: Picture, ...colours: readonly Colour[]): number {
  let count = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if (colours.some((colour) => isNear(at(x, y), colour))) count += 1;
  return count;
}

/** How many pixels of a picture are coloured, rather than black, white or a shade of grey. */
export function colouredPixels({ width, height, at }: Picture): number {
  let count = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const pixel = at(x, y);
      if (Math.max(...pixel) - Math.min(...pixel) > MIN_COLOUR) count += 1;
    }
  return count;
}

async function printedPage(capture: CaptureService, url: string, more: Record<string, unknown>) {
  const { body, pageCount } = await print(capture, url, more);
  const text = await textOf(body);
  return {
    // In fonts for Chinese, characters that look the same share a glyph, and the PDF may have the code of either.
    text: text.normalize('NFKC').replace(/\s+/gu, ' '),
    photos: body.toString('latin1').split('/DCTDecode').length - 1,
    body,
    pageCount,
  };
}

function start(capture: CaptureService, site: PackageSite): Corpus {
  return {
    picture: async (path, more = {}) =>
      decodePng((await shoot(capture, site.url(path), { ...WINDOW, ...more })).body),
    printed: (path, more = {}) => printedPage(capture, site.url(path), more),
    words: (path, more = {}) => read(capture, site.url(path), { format: 'text', ...more }),
    url: (path) => site.url(path),
    close: async () => {
      await capture.close();
      await site.close();
    },
  };
}

/** Starts a service that captures the pages of packages. The test run has put the packages into a folder. */
export async function startCorpus(): Promise<Corpus> {
  const folder = process.env['SIGNPOST_CORPUS'];
  if (folder === undefined)
    throw new Error('Run this with "npm run test:corpus", which fetches the packages.');
  const site = await startPackageSite(folder, join(import.meta.dirname, '..', 'pages'));
  // Pages are tested, not speed: on a busy machine a page may take longer than the default time limit.
  return start(await startTestCapture({ timeoutMs: 60_000 }), site);
}
