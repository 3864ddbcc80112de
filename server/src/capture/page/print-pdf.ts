import type { CapturePdfRequest } from '@signpost/contract';
import { getDocumentProxy } from 'unpdf';
import { ServiceError } from '../../platform/errors.js';
import { checkedFile, type CaptureJob, type CaptureLimits } from './capture-page.js';
import type { OpenPage } from './open-page.js';

const line = (content: string) =>
  `<div style="width:100%;padding:0 1cm;font:8px sans-serif;text-align:center;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${content}</div>`;
const HEADER = line('<span class="title"></span>');
const FOOTER = line('<span class="pageNumber"></span> / <span class="totalPages"></span>');

/** Room for the header and the footer where the caller does not say how much. */
const LINE_MARGIN = '1cm';

/** Prints the page as it would come out on paper: a line for each option. */
async function printPdf({ page, deadline }: OpenPage, request: CapturePdfRequest): Promise<Buffer> {
  const { format, landscape, printBackground, scale, displayHeaderFooter } = request;
  const unset = displayHeaderFooter ? LINE_MARGIN : '0';
  const printed = deadline.race(
    page.pdf({
      format,
      landscape,
      printBackground,
      scale,
      displayHeaderFooter,
      headerTemplate: HEADER,
      footerTemplate: FOOTER,
      margin: {
        top: request.marginTop ?? unset,
        bottom: request.marginBottom ?? unset,
        left: request.marginLeft ?? '0',
        right: request.marginRight ?? '0',
      },
    }),
  );
  return printed.catch((error: unknown) => {
    if (!/content area is empty/u.test(String(error))) throw error;
    throw new ServiceError(
      'invalidRequest',
      `The margins leave no room on ${format} paper: make marginTop, marginBottom, marginLeft or marginRight smaller.`,
    );
  });
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

interface PdfFile {
  readonly body: Buffer;
  readonly pageCount: number;
}

export const pdfJob = (request: CapturePdfRequest, limits: CaptureLimits): CaptureJob<PdfFile> => ({
  request,
  make: async (open) => {
    const body = checkedFile(await printPdf(open, request), limits);
    return { body, pageCount: await open.deadline.race(countPages(body)) };
  },
});
