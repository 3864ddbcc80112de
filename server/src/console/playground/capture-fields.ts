import { IMAGE_FORMATS, capturePdfRequest, captureScreenshotRequest } from '@signpost/contract';
import type { FormFields } from '../layout/form-data.js';

/** What a page can be captured as: the formats of pictures, and PDF. */
export const CAPTURE_KINDS = [...IMAGE_FORMATS, 'pdf'] as const;

const anyUrl = { url: 'https://example.com' };
/** What the contract takes where a field is left out. */
export const PICTURE_DEFAULTS = captureScreenshotRequest.parse(anyUrl);
export const PDF_DEFAULTS = capturePdfRequest.parse(anyUrl);

/** Every field of the form: those of both requests, and which of them is meant. The paper is the PDF's format. */
export const CAPTURE_FIELDS = [
  'key',
  'url',
  'kind',
  'width',
  'height',
  'fullPage',
  'paper',
  'landscape',
  'printBackground',
  'displayHeaderFooter',
  'scale',
  'marginTop',
  'marginBottom',
  'marginLeft',
  'marginRight',
] as const;

/** A number as a program would send it; what is none goes on as it is, for the contract to refuse in its words. */
export function sentNumber(text: string | undefined): number | string | undefined {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

const sentText = (text: string | undefined) => {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
};

const sentTick = (text: string | undefined) => text === 'yes';

/** The request that the form stands for, as a program would send it; a field left empty is left out. */
export function captureRequest(fields: FormFields): {
  readonly operationId: 'captureScreenshot' | 'capturePdf';
  readonly body: Readonly<Record<string, unknown>>;
} {
  const url = (fields.url ?? '').trim();
  if (fields.kind === 'pdf') {
    return {
      operationId: 'capturePdf',
      body: {
        url,
        format: sentText(fields.paper),
        landscape: sentTick(fields.landscape),
        printBackground: sentTick(fields.printBackground),
        scale: sentNumber(fields.scale),
        displayHeaderFooter: sentTick(fields.displayHeaderFooter),
        marginTop: sentText(fields.marginTop),
        marginBottom: sentText(fields.marginBottom),
        marginLeft: sentText(fields.marginLeft),
        marginRight: sentText(fields.marginRight),
      },
    };
  }
  return {
    operationId: 'captureScreenshot',
    body: {
      url,
      width: sentNumber(fields.width),
      height: sentNumber(fields.height),
      fullPage: sentTick(fields.fullPage),
      format: sentText(fields.kind),
    },
  };
}
