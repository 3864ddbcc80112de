import { type CapturePdfRequest, inches, LIMITS } from '@signpost/contract';
import { getDocumentProxy } from 'unpdf';
import { setMedia, setViewport } from '../browser/blank-page.js';
import type { CaptureJob, CaptureLimits, FileLimits } from './capture-page.js';
import { checkFile } from './check-file.js';
import { describePage, type PageDescription } from './describe-page.js';
import { passPdf } from './file-results.js';
import { printFixedOnce } from './fixed-elements.js';
import { replaceFramesWithPictures } from './frame-pictures.js';
import {
  checkHeaderFooter,
  headerFooterOptions,
  type HeaderFooterRoom,
  measureHeaderFooter,
  PIXELS_PER_INCH,
} from './header-footer.js';
import type { OpenPage } from './open-page.js';
import { reserveMargins, overriddenMargins, readOwnSheet } from './page-rules.js';
import { withWindow, type PageWindow } from './page-window.js';
import { cannotPrint, printingError } from './printing-errors.js';
import { scrollPage } from './scroll-page.js';
import { checkSheet, growsWithSheet, heightOnPaper } from './single-page.js';
import { unroll } from './unroll.js';

const MM_PER_INCH = 25.4;
const inch = (widthMm: number, heightMm: number) => [widthMm / MM_PER_INCH, heightMm / MM_PER_INCH] as const;

/** Width and height in inches, in portrait except for Ledger. */
const PAPER: Readonly<Record<CapturePdfRequest['format'], readonly [number, number]>> = {
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
  A0: inch(841, 1189),
  A1: inch(594, 841),
  A2: inch(420, 594),
  A3: inch(297, 420),
  A4: inch(210, 297),
  A5: inch(148, 210),
  A6: inch(105, 148),
};

/** The size and margins of a printed sheet, in inches. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
  readonly marginRight: number;
}

function paperOf({ format, landscape, paperWidth, paperHeight }: CapturePdfRequest) {
  const [formatWidth, formatHeight] = PAPER[format];
  const width = paperWidth === undefined ? formatWidth : inches(paperWidth);
  const height = paperHeight === undefined ? formatHeight : inches(paperHeight);
  return landscape ? { width: height, height: width } : { width, height };
}

const sheetOf = (request: CapturePdfRequest, room: HeaderFooterRoom): Sheet => {
  const atLeast = (least: number, margin = '0in') => Math.max(least, inches(margin));
  return {
    ...paperOf(request),
    marginTop: atLeast(room.top, request.marginTop),
    marginBottom: atLeast(room.bottom, request.marginBottom),
    marginLeft: atLeast(0, request.marginLeft),
    marginRight: atLeast(0, request.marginRight),
  };
};

/** The width of the printed area of a sheet in CSS pixels, limited to the widths that a window may have. */
function windowWidth({ scale, scaleFactor = 1 }: CapturePdfRequest, sheet: SheetWidth): number {
  const { minPixels, maxPixels } = LIMITS.viewport;
  const pixels = Math.round(((sheet.width - sheet.marginLeft - sheet.marginRight) * PIXELS_PER_INCH) / scale);
  return Math.max(minPixels, Math.min(pixels, Math.floor(maxPixels / scaleFactor)));
}

type SheetWidth = Pick<Sheet, 'width' | 'marginLeft' | 'marginRight'>;

const usesPaperWidth = ({ width, device }: CapturePdfRequest) => width === undefined && device === undefined;

/**
 * Completes a request with its window. Unless the request or its device says otherwise, the window is as wide as the
 * printed area of the paper.
 */
const withPaperWindow = (request: CapturePdfRequest): CapturePdfRequest & PageWindow =>
  withWindow(
    usesPaperWidth(request)
      ? { ...request, width: windowWidth(request, sheetOf(request, { top: 0, bottom: 0 })) }
      : request,
  );

/** The formats that have another name in styles than in requests, by their names in styles. */
const NAMES_IN_STYLES: Readonly<Record<string, CapturePdfRequest['format']>> = { ledger: 'Tabloid' };
const FORMATS = Object.entries(PAPER).map(([name, sides]) => [name.toLowerCase(), sides] as const);

/**
 * The width and the side margins of a sheet: those of the page's own rules, or otherwise those of the request. The
 * browser lays a page out for the size that the page asks for, and then fits the result to the paper, unless the
 * request prefers the page's size.
 */
async function ownSheetOf(open: OpenPage, request: CapturePdfRequest): Promise<SheetWidth> {
  const requestedSheet = sheetOf(request, { top: 0, bottom: 0 });
  const { names, lengths, left, right } = await readOwnSheet(open);
  const inchesOf = (pixels: number | null, fallback: number) =>
    pixels === null ? fallback : pixels / PIXELS_PER_INCH;
  const margins = {
    marginLeft: inchesOf(left, requestedSheet.marginLeft),
    marginRight: inchesOf(right, requestedSheet.marginRight),
  };
  const sizeNames = names.map((name) => NAMES_IN_STYLES[name]?.toLowerCase() ?? name);
  const [width = requestedSheet.width, height = requestedSheet.height] =
    lengths.length > 0
      ? lengths.map((length) => length / PIXELS_PER_INCH)
      : (FORMATS.find(([name]) => sizeNames.includes(name))?.[1] ?? []);
  const landscapeWidth = names.includes('landscape') ? Math.max(width, height) : undefined;
  return {
    width: landscapeWidth ?? (names.includes('portrait') ? Math.min(width, height) : width),
    ...margins,
  };
}

/** Makes the window as wide as the printed area of the sheets that the page asks for itself. */
async function fitToOwnSheet(open: OpenPage, request: CapturePdfRequest & PageWindow): Promise<void> {
  const width = windowWidth(request, await ownSheetOf(open, request));
  if (width !== request.width) await open.deadline.race(setViewport(open.protocol, { ...request, width }));
}

/** Lays the page out as it will be printed. */
function applyPrintMedia(open: OpenPage, request: CapturePdfRequest): Promise<void> {
  const { animations, colorScheme, media = 'print' } = request;
  const motion = animations === 'allow' ? 'no-preference' : 'reduce';
  return setMedia(open.protocol, { colorScheme, motion, media });
}

/** Prints the page on sheets of this size. */
async function printPdf(
  open: OpenPage,
  request: CapturePdfRequest,
  { width, height, ...margins }: Sheet,
): Promise<Buffer> {
  const { printBackground, scale, pageRanges, tagged, outline } = request;
  const printed = open.deadline.race(
    open.protocol.send('Page.printToPDF', {
      paperWidth: width,
      paperHeight: height,
      ...margins,
      ...headerFooterOptions(request),
      preferCSSPageSize: request.preferCssPageSize,
      generateTaggedPDF: tagged,
      generateDocumentOutline: outline,
      ...(pageRanges === undefined ? {} : { pageRanges }),
      printBackground,
      scale,
    }),
  );
  const { data } = await printed.catch(async (error: unknown) => {
    throw await printingError(error, open.deadline, request);
  });
  if (data === '') throw cannotPrint(request);
  return Buffer.from(data, 'base64');
}

async function countPages(pdf: Buffer): Promise<number> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  try {
    return document.numPages;
  } finally {
    await document.destroy();
  }
}

interface PrintResult {
  readonly body: Buffer;
  readonly pageCount: number;
}

async function print(
  open: OpenPage,
  request: CapturePdfRequest,
  sheet: Sheet,
  limits: CaptureLimits,
): Promise<PrintResult> {
  const body = await checkFile(printPdf(open, request, sheet), limits);
  return { body, pageCount: await open.deadline.race(countPages(body)) };
}

/**
 * How often to print at most, each time on a taller sheet: the measured height may be slightly less than the printed
 * one, or much less if the page sets its own page breaks.
 */
const MAX_TRIES = 3;

/**
 * Prints the page on one sheet of the height that it needs. Throws a ServiceError if that sheet is too tall for PDF
 * readers, or if the page does not fit on one sheet after MAX_TRIES tries.
 */
async function printOnOneSheet(
  open: OpenPage,
  request: CapturePdfRequest & PageWindow,
  paper: Sheet,
  limits: CaptureLimits,
): Promise<PrintResult> {
  const { scale, scaleFactor } = request;
  const { width, marginLeft, marginRight, marginTop, marginBottom } = paper;
  await applyPrintMedia(open, request);
  const pixelsPerInch = PIXELS_PER_INCH / scale;
  const pixels = await heightOnPaper(open, (width - marginLeft - marginRight) * pixelsPerInch, scaleFactor);
  let content = (pixels + 1) / pixelsPerInch;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const height = marginTop + content + marginBottom;
    checkSheet(height);
    const printed = await print(open, request, { ...paper, height }, limits);
    if (printed.pageCount === 1) return printed;
    content *= printed.pageCount;
  }
  throw growsWithSheet();
}

interface PdfFile extends PageDescription, PrintResult {
  /** The names of the request's margin fields that the page's own styles override. */
  readonly overriddenMargins: readonly string[];
}

export function pdfJob(requested: CapturePdfRequest, limits: FileLimits): CaptureJob<PdfFile> {
  const request = withPaperWindow(requested);
  let room: HeaderFooterRoom = { top: 0, bottom: 0 };
  return {
    request,
    readFile: async (arrived, signal) => ({
      ...(await passPdf(arrived, requested, signal, limits.pdfProcess)),
      overriddenMargins: [],
    }),
    prepare: async (blank) => {
      room = await measureHeaderFooter(blank, request, paperOf(request).width);
      await checkHeaderFooter(blank, request);
    },
    reveal: async (open) => {
      if (usesPaperWidth(requested) && !requested.singlePage) await fitToOwnSheet(open, request);
      const { isWhole } = await scrollPage(open, request, {
        maxHeight: limits.maxPageHeightPixels,
        depth: Infinity,
        endsAtTop: true,
      });
      await unroll(open, request.media === 'screen');
      return isWhole;
    },
    make: async (open) => {
      const overridden = await overriddenMargins(open, request);
      await reserveMargins(open, room, sheetOf(request, room));
      if (request.fixedElements === 'first') {
        await applyPrintMedia(open, request);
        await printFixedOnce(open);
      }
      await replaceFramesWithPictures(open);
      const printed = request.singlePage ? printOnOneSheet : print;
      const [description, file] = await Promise.all([
        describePage(open, request),
        printed(open, request, sheetOf(request, room), limits),
      ]);
      return { ...description, ...file, overriddenMargins: overridden };
    },
  };
}
