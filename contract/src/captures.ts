import { z } from 'zod';
import { LIMITS } from './limits.js';
import { parseUrl } from './parse-url.js';

const isHttpUrl = (text: string) => {
  const protocol = parseUrl(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
};

const url = z
  .string()
  .max(LIMITS.urlCharacters.max)
  .refine(isHttpUrl, 'must be a whole http or https address such as "https://example.com/page"')
  .describe('The address of the page, http or https.')
  .meta({ examples: ['https://example.com'] });

const viewportPixels = (defaultPixels: number, what: string) =>
  z
    .int()
    .min(LIMITS.viewport.minPixels)
    .max(LIMITS.viewport.maxPixels)
    .default(defaultPixels)
    .describe(`${what} of the browser's window in pixels.`);

export const IMAGE_FORMATS = ['png', 'jpeg'] as const;
export const PAGE_SIZES = [
  'A4',
  'Letter',
  'Legal',
  'Tabloid',
  'Ledger',
  'A0',
  'A1',
  'A2',
  'A3',
  'A5',
  'A6',
] as const;

export const captureScreenshotRequest = z.strictObject({
  url,
  width: viewportPixels(LIMITS.viewport.defaultWidth, 'Width'),
  height: viewportPixels(LIMITS.viewport.defaultHeight, 'Height'),
  fullPage: z.boolean().default(false).describe('Capture the whole scrollable page, not the window alone.'),
  format: z.enum(IMAGE_FORMATS).default('png').describe('The format of the image.'),
});

/** A number with its unit; what CSS calls an absolute length, as far as a page margin takes it. */
export const PAGE_MARGIN = /^(?:\d+|\d*\.\d+)(?:cm|mm|in|px)$/u;

/** Beyond any paper there is; what is larger the browser would take for none. */
const MOST_MARGIN = 10_000;

const margin = (side: string, unset: string) =>
  z
    .string()
    .max(20)
    .regex(PAGE_MARGIN, 'must be a number with cm, mm, in or px, such as "1cm" or "0.5in"')
    .refine((text) => Number.parseFloat(text) <= MOST_MARGIN, `must be at most ${MOST_MARGIN} of its unit`)
    .optional()
    .describe(`Margin at the ${side} with its unit, e.g. "1cm", "10mm", "0.5in" or "20px"; ${unset}.`)
    .meta({ examples: ['1cm'] });

const upright = 'unset: 0, or 1cm with header and footer';

export const capturePdfRequest = z.strictObject({
  url,
  format: z.enum(PAGE_SIZES).default('A4').describe('The size of the paper.'),
  landscape: z.boolean().default(false).describe('Turn the paper to its side.'),
  printBackground: z.boolean().default(true).describe('Print background graphics and colours.'),
  scale: z
    .number()
    .min(LIMITS.pdfScale.min)
    .max(LIMITS.pdfScale.max)
    .default(LIMITS.pdfScale.default)
    .describe('How large the page is printed; 1 is its own size.'),
  displayHeaderFooter: z
    .boolean()
    .default(false)
    .describe("Print the page's title at the head and page numbers at the foot of each sheet."),
  marginTop: margin('top', upright),
  marginBottom: margin('bottom', upright),
  marginLeft: margin('left', 'unset: 0'),
  marginRight: margin('right', 'unset: 0'),
});

export type CaptureScreenshotRequest = z.output<typeof captureScreenshotRequest>;
export type CapturePdfRequest = z.output<typeof capturePdfRequest>;
