import type { CapturePdfRequest } from '@signpost/contract';
import { getDocumentProxy } from 'unpdf';
import { ServiceError } from '../../platform/errors.js';
import { checkedFile, type CaptureJob, type CaptureLimits } from './capture-page.js';
import { describePage, type PageDescription } from './describe-page.js';
import { finishAnimations } from './finish-animations.js';
import { PDF_WINDOW } from './page-options.js';
import { revealLazyContent } from './reveal-lazy-content.js';
import type { OpenPage } from './open-page.js';

const line = (content: string) =>
  `<div style="width:100%;padding:0 1cm;font:8px sans-serif;text-align:center;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${content}</div>`;
const HEADER = line('<span class="title"></span>');
const FOOTER = line('<span class="pageNumber"></span> / <span class="totalPages"></span>');

/** Room for the header and the footer, which are not to be printed over the page. */
const LINE_MARGIN = '1cm';

const MM_PER_INCH = 25.4;
const inch = (widthMm: number, heightMm: number) => [widthMm / MM_PER_INCH, heightMm / MM_PER_INCH] as const;

/** Width and height in inches, upright. */
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

const UNITS_PER_INCH: Readonly<Record<string, number>> = { in: 1, cm: 2.54, mm: MM_PER_INCH, px: 96 };

/** A length such as "1.5cm" in inches; the schema lets no others through. */
const inches = (length: string) => parseFloat(length) / (UNITS_PER_INCH[length.slice(-2)] ?? 1);

const noSuchPages = (pageRanges: string) =>
  new ServiceError(
    'invalidRequest',
    `"pageRanges" asks for pages that the PDF does not have, or not in order: ${JSON.stringify(pageRanges)}. Leave it out for all of them.`,
  );

/** Prints the page as it would come out on paper: a line for each option. */
async function printPdf({ protocol, deadline }: OpenPage, request: CapturePdfRequest): Promise<Buffer> {
  const { format, landscape, printBackground, scale, displayHeaderFooter, pageRanges } = request;
  const { preferCssPageSize: preferCSSPageSize, tagged, outline } = request;
  const [formatWidth, formatHeight] = PAPER[format];
  const leastMargin = displayHeaderFooter ? inches(LINE_MARGIN) : 0;
  const atLeast = (margin = '0in') => Math.max(leastMargin, inches(margin));
  const printed = deadline.race(
    protocol.send('Page.printToPDF', {
      paperWidth: request.paperWidth === undefined ? formatWidth : inches(request.paperWidth),
      paperHeight: request.paperHeight === undefined ? formatHeight : inches(request.paperHeight),
      preferCSSPageSize,
      generateTaggedPDF: tagged,
      generateDocumentOutline: outline,
      ...(pageRanges === undefined ? {} : { pageRanges }),
      landscape,
      printBackground,
      scale,
      displayHeaderFooter,
      headerTemplate: HEADER,
      footerTemplate: FOOTER,
      marginTop: atLeast(request.marginTop),
      marginBottom: atLeast(request.marginBottom),
      marginLeft: inches(request.marginLeft ?? '0in'),
      marginRight: inches(request.marginRight ?? '0in'),
    }),
  );
  const { data } = await printed.catch((error: unknown) => {
    if (/page range/iu.test(String(error))) throw noSuchPages(pageRanges ?? '');
    if (!/content area is empty/u.test(String(error))) throw error;
    throw new ServiceError(
      'invalidRequest',
      `The margins leave no room on ${format} paper: make marginTop, marginBottom, marginLeft or marginRight smaller.`,
    );
  });
  return Buffer.from(data, 'base64');
}

/** The number of pages as the PDF itself has them. */
async function countPages(pdf: Buffer): Promise<number> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  try {
    return document.numPages;
  } finally {
    await document.destroy();
  }
}

interface PdfFile extends PageDescription {
  readonly body: Buffer;
  readonly pageCount: number;
}

export const pdfJob = (request: CapturePdfRequest, limits: CaptureLimits): CaptureJob<PdfFile> => ({
  request,
  make: async (open) => {
    await revealLazyContent(open, PDF_WINDOW, limits.maxPageHeightPixels);
    await finishAnimations(open, request);
    const page = await describePage(open, request);
    const body = await checkedFile(printPdf(open, request), limits);
    return { ...page, body, pageCount: await open.deadline.race(countPages(body)) };
  },
});
