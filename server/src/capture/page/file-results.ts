import { type CapturePdfRequest, LIMITS, type ReadPageRequest } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import { escapeHtml, tableOf } from '../file/csv-table.js';
import { type PdfText, readPdf } from '../file/read-pdf.js';
import { textOfFile } from '../file/recognise-file.js';
import type { PageText } from '../capture-service.js';
import { type PageDescription, shownAddress } from './describe-page.js';
import type { FileArrived } from './incoming-file.js';
import { EMPTY_PAGE_FIELDS } from './text-document.js';

const invalidRequest = (message: string) => new ServiceError('invalidRequest', message);

/** The error for a file that the requested kind of capture cannot use. */
export function notAPage({ found }: FileArrived): ServiceError {
  if (found.kind === 'pdf')
    return invalidRequest(
      'The address leads to a PDF, not to a page, so there is no picture of it. /api/pdf passes the PDF on, and /api/content reads its text.',
    );
  if (found.kind === 'table')
    return invalidRequest(
      'The address leads to a CSV file, not to a page. /api/content reads it as a table.',
    );
  return invalidRequest(
    `The page cannot be captured: it is a download, not a page, namely ${found.name}. Send the address of a page, an image, a PDF, or a CSV, JSON or text file.`,
  );
}

const PROBLEMS = {
  password: 'it needs a password',
  damaged: 'it is damaged, or did not arrive whole',
  tooLarge: 'it takes too much memory',
} as const;

async function textOfPdf(
  { file }: FileArrived,
  maxCharacters: number,
  signal: AbortSignal,
  pdfProcess: URL | undefined,
): Promise<PdfText> {
  const answer = await readPdf(file.body, maxCharacters, signal, pdfProcess);
  if ('problem' in answer)
    throw invalidRequest(`The PDF at this address cannot be read: ${PROBLEMS[answer.problem]}.`);
  return answer;
}

/** Fields of a request that would change a PDF, each with the value that does not; undefined if every value would. */
const UNCHANGING: Readonly<Partial<Record<keyof CapturePdfRequest, unknown>>> = {
  format: 'A4',
  landscape: false,
  printBackground: true,
  scale: LIMITS.pdfScale.default,
  displayHeaderFooter: false,
  preferCssPageSize: false,
  tagged: true,
  outline: true,
  singlePage: false,
  fixedElements: 'repeat',
  marginTop: undefined,
  marginBottom: undefined,
  marginLeft: undefined,
  marginRight: undefined,
  pageRanges: undefined,
  paperWidth: undefined,
  paperHeight: undefined,
  headerHtml: undefined,
  footerHtml: undefined,
  width: undefined,
  device: undefined,
  media: undefined,
  css: undefined,
  hideSelectors: undefined,
  clickSelectors: undefined,
  steps: undefined,
  waitForSelector: undefined,
};

interface PdfResult extends PageDescription {
  readonly body: Buffer;
  readonly pageCount: number;
}

/**
 * Passes a PDF on unchanged, with a page count of 0 if it needs a password. Throws a ServiceError if the file is no
 * PDF, if the request would change it, or if it is damaged or takes too much memory.
 */
export async function passPdf(
  arrived: FileArrived,
  request: CapturePdfRequest,
  signal: AbortSignal,
  pdfProcess: URL | undefined,
): Promise<PdfResult> {
  const { file, found } = arrived;
  if (found.kind !== 'pdf') throw notAPage(arrived);
  const changing = Object.entries(UNCHANGING).flatMap(([name, unchanging]) => {
    const value = Object.entries(request).find(([field]) => field === name)?.[1];
    return value === undefined || value === unchanging ? [] : [`"${name}"`];
  });
  if (changing.length > 0)
    throw invalidRequest(
      `The address leads to a PDF, which is passed on as it is: leave out ${changing.join(', ')}, which would change it.`,
    );
  const answer = await readPdf(file.body, 0, signal, pdfProcess);
  if ('problem' in answer && answer.problem !== 'password')
    throw invalidRequest(`The PDF at this address cannot be read: ${PROBLEMS[answer.problem]}.`);
  return {
    body: file.body,
    pageCount: 'problem' in answer ? 0 : answer.pageCount,
    pageUrl: shownAddress(file.url),
    pageTitle: '',
  };
}

/**
 * Joins the text of a PDF's pages: with horizontal lines (---) between them in Markdown, with form feeds in plain text,
 * as sections in HTML. Empty if no page has text, for example because the pages are scanned.
 */
function joinPages(format: ReadPageRequest['format'], pages: readonly string[]): string {
  if (pages.every((text) => text === '')) return '';
  if (format === 'html')
    return pages.map((text) => `<section>\n<pre>${escapeHtml(text)}</pre>\n</section>`).join('\n');
  return pages.join(format === 'markdown' ? '\n\n---\n\n' : '\n\f\n');
}

/**
 * Reads a PDF or a table as the content of a page, cut at the maximum of LIMITS.pageTextCharacters. Throws a
 * ServiceError for other files, for a PDF that cannot be read, and if the request has a selector or steps.
 */
export async function contentOfFile(
  arrived: FileArrived,
  { format, includeLinks, selector, steps }: ReadPageRequest,
  signal: AbortSignal,
  pdfProcess: URL | undefined,
): Promise<Omit<PageText, 'pageStatus' | 'isComplete' | 'pageRest' | 'durationMs'>> {
  const { file, found } = arrived;
  const { max } = LIMITS.pageTextCharacters;
  const pageFields = { ...EMPTY_PAGE_FIELDS, url: shownAddress(file.url), links: includeLinks ? [] : null };
  const field = selector === undefined ? steps && 'steps' : 'selector';
  if (field !== undefined && found.kind !== 'other')
    throw invalidRequest(
      `The address leads to a file without elements. Leave "${field}" out to read all of it.`,
    );
  if (found.kind === 'table') {
    const text = textOfFile(file);
    return { ...pageFields, content: format === 'text' ? text.slice(0, max) : tableOf(text, format, max) };
  }
  if (found.kind !== 'pdf') throw notAPage(arrived);
  const { title, author, pages } = await textOfPdf(arrived, max, signal, pdfProcess);
  return { ...pageFields, title, author, content: joinPages(format, pages).slice(0, max) };
}
