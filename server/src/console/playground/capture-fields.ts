import {
  IMAGE_FORMATS,
  LIMITS,
  capturePdfRequest,
  captureScreenshotRequest,
  type CapturePdfRequest,
  type CaptureScreenshotRequest,
} from '@signpost/contract';
import { z } from 'zod';
import type { FormFields } from '../layout/form-data.js';

/** What a page can be captured as: the formats of pictures, and PDF. */
export const CAPTURE_KINDS = [...IMAGE_FORMATS, 'pdf'] as const;

/** What the form can show of an option; lists and objects are for programs. */
const shownOption = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean']),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  examples: z.array(z.coerce.string()).optional(),
  description: z.string(),
});

type Property = keyof CaptureScreenshotRequest | keyof CapturePdfRequest;

/** The address has a field of its own; HTML is for programs. */
const PAGE_SOURCE = ['url', 'html', 'baseUrl'] as const;
type PageSource = (typeof PAGE_SOURCE)[number];
const isPageSource = (property: string) => PAGE_SOURCE.some((name) => name === property);

/** An option's name in the form: the format of a picture is the kind of the capture, that of a PDF its paper. */
type FieldName = Exclude<Property, PageSource | 'format'> | 'kind' | 'paper';

const isFieldName = (name: string): name is FieldName =>
  ['kind', 'paper'].includes(name) ||
  [captureScreenshotRequest, capturePdfRequest].some(({ shape }) => name in shape);

/** An option of a capture as a field of the form. */
export interface CaptureField {
  /** Its name in the form. */
  readonly name: FieldName;
  /** Its name in the request. */
  readonly property: string;
  readonly label: string;
  /** What it means, where the label does not say it. */
  readonly hint: string | undefined;
  readonly option: z.output<typeof shownOption>;
}

/** The words of a field, where its name and description are not the best that can be said. */
const LABELS: Readonly<Partial<Record<FieldName, string>>> = {
  fullPage: 'The whole page, as far as it scrolls',
  paper: 'Paper',
  scale: `Scale, ${LIMITS.pdfScale.min} to ${LIMITS.pdfScale.max}`,
  landscape: 'Landscape',
  printBackground: 'Print backgrounds',
  displayHeaderFooter: 'Title and page numbers',
  marginTop: 'Margin, top',
  marginBottom: 'Margin, bottom',
  marginLeft: 'Margin, left',
  marginRight: 'Margin, right',
  headerHtml: 'Header, as HTML',
  footerHtml: 'Footer, as HTML',
  css: 'CSS',
  waitMs: 'Wait, in milliseconds',
};

/** "waitForSelector" as "Wait for selector". */
function sentenceCase(property: string): string {
  const words = property.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function labelAndHint(
  name: FieldName,
  property: string,
  { type, description }: CaptureField['option'],
): Pick<CaptureField, 'label' | 'hint'> {
  const label = LABELS[name];
  if (label !== undefined) return { label, hint: undefined };
  return type === 'boolean'
    ? { label: description.replace(/\.$/u, ''), hint: undefined }
    : { label: sentenceCase(property), hint: description };
}

/** The options of a request in the order of its schema. */
function fieldsOf(request: z.ZodObject, formatName: 'kind' | 'paper'): CaptureField[] {
  const { properties = {} } = z.toJSONSchema(request, { io: 'input' });
  return Object.entries(properties).flatMap(([property, schema]) => {
    const option = shownOption.safeParse(schema).data;
    const name = property === 'format' ? formatName : property;
    if (isPageSource(property) || option === undefined || !isFieldName(name)) return [];
    return [{ name, property, option, ...labelAndHint(name, property, option) }];
  });
}

const PICTURE_FIELDS = fieldsOf(captureScreenshotRequest, 'kind');
const PDF_FIELDS = fieldsOf(capturePdfRequest, 'paper');

const isAmong = (fields: readonly CaptureField[], { name }: CaptureField) =>
  fields.some((field) => field.name === name);

/** The fields by what they are for: the page itself, however it is captured, a picture, or a PDF. */
export const FIELDS_BY_PURPOSE = {
  page: PICTURE_FIELDS.filter((field) => isAmong(PDF_FIELDS, field)),
  picture: PICTURE_FIELDS.filter((field) => field.name !== 'kind' && !isAmong(PDF_FIELDS, field)),
  pdf: PDF_FIELDS.filter((field) => !isAmong(PICTURE_FIELDS, field)),
};

/** The names of all fields of the form. */
export const CAPTURE_FIELDS = [
  ...new Set(['key', 'url', ...[...PICTURE_FIELDS, ...PDF_FIELDS].map(({ name }) => name)] as const),
];

const sentText = (text: string | undefined) => {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
};

/** A number as a program would send it; what is none goes on as it is, for the contract to refuse in its words. */
export function sentNumber(text: string | undefined): number | string | undefined {
  const trimmed = sentText(text);
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

function sentValue({ name, option }: CaptureField, fields: FormFields): unknown {
  if (option.type === 'boolean') return fields[name] === 'yes';
  return option.type === 'string' ? sentText(fields[name]) : sentNumber(fields[name]);
}

/** The request that the form stands for, as a program would send it; a field left empty is left out. */
export function captureRequest(form: FormFields): {
  readonly operationId: 'captureScreenshot' | 'capturePdf';
  readonly body: Readonly<Record<string, unknown>>;
} {
  const isPdf = form.kind === 'pdf';
  const body: Record<string, unknown> = { url: (form.url ?? '').trim() };
  for (const field of isPdf ? PDF_FIELDS : PICTURE_FIELDS) body[field.property] = sentValue(field, form);
  return { operationId: isPdf ? 'capturePdf' : 'captureScreenshot', body };
}
