import { z } from 'zod';
import { cssLength } from './css-length.js';
import { LIMITS, STOP } from './limits.js';
import { checkPageCredentials } from './page-credentials.js';
import { pageOptions } from './page-options.js';
import { checkPageSource, PAGE_EXAMPLE, pageSource } from './page-source.js';
import { checkPageSteps } from './page-steps.js';

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

const margin = (side: string, unset: string) =>
  cssLength('"1cm" or "0.5in"')
    .optional()
    .describe(
      `Margin at the ${side} with its unit (cm, mm, in, px, pt, pc or Q), e.g. "1cm" or "0.5in", or 0; ${unset}.`,
    )
    .meta({ examples: ['1cm'] });

/** Pages and page ranges, separated by commas, such as "1, 3-5, 8-". */
const PAGE_RANGES =
  /^\s*(?:[1-9]\d*(?:\s*-(?:\s*[1-9]\d*)?)?|-\s*[1-9]\d*)(?:\s*,\s*(?:[1-9]\d*(?:\s*-(?:\s*[1-9]\d*)?)?|-\s*[1-9]\d*))*\s*$/u;

const paperLength = (what: string) =>
  cssLength('"21cm" or "8.5in"', false)
    .optional()
    .describe(`${what} of the paper with its unit, in place of that of "format".`)
    .meta({ examples: ['21cm'] });

const sheetHtml = (what: string, kind: string) =>
  z
    .string()
    .min(1)
    .max(LIMITS.headerHtmlCharacters.max, STOP)
    .optional()
    .describe(
      `HTML that is printed at the ${what} of each sheet, with its own styles and no scripts. Its letters are 10 pixels high unless it sets another size. Elements of the classes "date", "title", "url", "pageNumber" and "totalPages" are filled in. Pictures must be data: addresses.`,
    )
    .meta({ examples: [`<div style="width:100%;font-size:10px;text-align:center">${kind}</div>`] });

const marginDefault = 'unset: 0; with header and footer at least 1cm';

export const capturePdfRequest = z
  .strictObject({
    ...pageSource,
    format: z.enum(PAGE_SIZES).default('A4').describe('The size of the paper.'),
    width: z
      .int()
      .min(LIMITS.viewport.minPixels)
      .max(LIMITS.viewport.maxPixels)
      .optional()
      .describe(
        'Width in pixels of the window in which the page is laid out before it is printed; unset: that of the device, else the width between the margins of the paper divided by "scale".',
      )
      .meta({ examples: [1280] }),
    landscape: z
      .boolean()
      .default(false)
      .describe('Print in landscape. "Ledger" lies on its side already, so with this it is printed upright.'),
    printBackground: z.boolean().default(true).describe('Print background graphics and colours.'),
    scale: z
      .number()
      .min(LIMITS.pdfScale.min)
      .max(LIMITS.pdfScale.max)
      .default(LIMITS.pdfScale.default)
      .describe('How large to print the page. 1 is its own size.'),
    displayHeaderFooter: z
      .boolean()
      .default(false)
      .describe("Print the page's title at the head and page numbers at the foot of each sheet."),
    marginTop: margin('top', marginDefault),
    marginBottom: margin('bottom', marginDefault),
    marginLeft: margin('left', 'unset: 0'),
    marginRight: margin('right', 'unset: 0'),
    pageRanges: z
      .string()
      .max(LIMITS.pageRangesCharacters.max, STOP)
      .regex(PAGE_RANGES, 'must be pages such as "1-3, 5" or "2-"')
      .optional()
      .describe(
        'The pages to print, such as "1-3, 5", or "2-" for all from the second. Pages after the last are left out. Unset: all.',
      )
      .meta({ examples: ['1-3, 5'] }),
    paperWidth: paperLength('Width'),
    paperHeight: paperLength('Height'),
    preferCssPageSize: z
      .boolean()
      .default(false)
      .describe("Use the paper size of the page's own styles, if they set one."),
    tagged: z.boolean().default(true).describe('Tell screen readers the structure of the PDF.'),
    outline: z.boolean().default(true).describe('Make an outline from the headings. This needs "tagged".'),
    singlePage: z
      .boolean()
      .default(false)
      .describe(
        'Print the whole page on one sheet, as wide as the paper and as tall as needed. At most 5,080 mm, because PDF readers show no more.',
      ),
    fixedElements: z
      .enum(['repeat', 'first'])
      .default('repeat')
      .describe(
        'Print fixed elements, such as a bar that stays at the top, on each sheet (repeat) or on the first only (first).',
      ),
    headerHtml: sheetHtml('head', '<span class=title></span>'),
    footerHtml: sheetHtml('foot', '<span class=pageNumber></span>'),
    ...pageOptions,
  })
  .superRefine((request, context) => {
    if (!request.singlePage) return;
    for (const name of ['paperHeight', 'preferCssPageSize', 'pageRanges'] as const) {
      const input = request[name];
      const message = 'must be left out if "singlePage" is true';
      if (input !== undefined && input !== false)
        context.addIssue({ code: 'custom', path: [name], message, input });
    }
  })
  .superRefine(checkPageSource)
  .superRefine(checkPageCredentials)
  .superRefine(checkPageSteps)
  .meta(PAGE_EXAMPLE);

export type CapturePdfRequest = z.output<typeof capturePdfRequest>;
