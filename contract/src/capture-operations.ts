import { z } from 'zod';
import { API_KEY_BODY_ERRORS } from './errors.js';
import { LIMITS } from './limits.js';
import { integerHeader, optionalHeader, stringHeader, type Operation } from './operation.js';
import { checkPageCredentials } from './page-credentials.js';
import { PAGE_OPTION_GROUPS, PAGE_OPTIONS_IN_N8N, pageOptions } from './page-options.js';
import {
  checkPageSource,
  PAGE_EXAMPLE,
  PAGE_SOURCE_CHOICES,
  PAGE_SOURCE_GROUPS,
  PAGE_SOURCE_IN_N8N,
  pageSource,
} from './page-source.js';
import { checkPageSteps } from './page-steps.js';
import { capturePdfRequest } from './pdf-request.js';

const viewportPixels = (defaultPixels: number, what: string) =>
  z
    .int()
    .min(LIMITS.viewport.minPixels)
    .max(LIMITS.viewport.maxPixels)
    .optional()
    .describe(`${what} of the browser's window in pixels; unset: ${defaultPixels}, or the device's.`)
    .meta({ examples: [defaultPixels] });

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;

const side = z.number().min(LIMITS.clipSidePixels.min).max(LIMITS.viewport.maxPixels);
const coordinate = z.number().min(0).max(LIMITS.clipPixels.max);
const clip = z
  .strictObject({
    x: coordinate.describe('From the left edge of the page.'),
    y: coordinate.describe('From the top edge of the page.'),
    width: side.describe('Width of the piece.'),
    height: side.describe('Height of the piece.'),
  })
  .describe('Capture only this piece of the page, in pixels.')
  .meta({ examples: [{ x: 0, y: 0, width: 400, height: 300 }] });

export const captureScreenshotRequest = z
  .strictObject({
    ...pageSource,
    width: viewportPixels(LIMITS.viewport.defaultWidth, 'Width'),
    height: viewportPixels(LIMITS.viewport.defaultHeight, 'Height'),
    fullPage: z.boolean().default(false).describe('Capture the whole scrollable page, not only the window.'),
    format: z.enum(IMAGE_FORMATS).default('png').describe('The format of the image.'),
    quality: z
      .int()
      .min(LIMITS.imageQuality.min)
      .max(LIMITS.imageQuality.max)
      .optional()
      .describe(
        `The quality of a JPEG or WebP. A higher quality makes a larger file. Unset: ${LIMITS.imageQuality.default}.`,
      ),
    selector: z
      .string()
      .min(1)
      .max(LIMITS.selectorCharacters.max)
      .optional()
      .describe(
        'A CSS selector: capture only the first element that matches, also in an open shadow tree. It is waited for up to 5 s and scrolled into view.',
      )
      .meta({ examples: ['#chart'] }),
    clip: clip.optional(),
    transparent: z
      .boolean()
      .default(false)
      .describe('Leave out the white behind a page that has no background; not for JPEG.'),
    maxHeight: z
      .int()
      .min(LIMITS.viewport.minPixels)
      .max(LIMITS.clipPixels.max)
      .optional()
      .describe(
        'The most pixels of a full page to capture. The rest is cut, and X-Page-Height says how tall the page is.',
      ),
    part: z
      .int()
      .min(LIMITS.pagePart.min)
      .max(LIMITS.pagePart.max)
      .optional()
      .describe(
        'Which part of the full page to capture, counted from 1. Each part is as tall as "height", the last as tall as the rest. X-Page-Parts says how many there are.',
      )
      .meta({ examples: [1] }),
    ...pageOptions,
  })
  .superRefine(({ fullPage, selector, clip, transparent, format, quality, maxHeight, part }, context) => {
    const addIssue = (path: string, message: string, input: unknown) =>
      context.addIssue({ code: 'custom', path: [path], message, input });
    if (clip !== undefined && selector !== undefined)
      addIssue('clip', 'must be left out if "selector" is given', clip);
    if (fullPage && (clip !== undefined || selector !== undefined))
      addIssue('fullPage', 'must be left out if "clip" or "selector" chooses a part of the page', fullPage);
    if (part !== undefined && (clip ?? selector ?? maxHeight) !== undefined)
      addIssue('part', 'must be left out if "clip", "selector" or "maxHeight" is given', part);
    if (maxHeight !== undefined && !fullPage)
      addIssue('maxHeight', 'must be left out if "fullPage" is not true', maxHeight);
    if (transparent && format === 'jpeg')
      addIssue('transparent', 'must be left out for a JPEG, which has no transparency', transparent);
    if (quality !== undefined && format === 'png')
      addIssue('quality', 'must be left out for a PNG, which loses nothing', quality);
  })
  .superRefine(checkPageSource)
  .superRefine(checkPageCredentials)
  .superRefine(checkPageSteps)
  .meta(PAGE_EXAMPLE);

/** The part of the definition that all operations that capture a page share. */
export const captureBase = {
  interface: 'A',
  authentication: 'apiKey',
  method: 'POST',
  tag: 'Capture',
  maxBodyBytes: LIMITS.captureBodyBytes.max,
  errors: [...API_KEY_BODY_ERRORS, 'timeout'],
} as const;
/** The schema of the values of X-Page-Rest, whose description in `captureHeaders` says what each means. */
export const pageRest = z.enum(['reached', 'bounded', 'skipped']);
export type PageRest = z.output<typeof pageRest>;

/** The response headers that the operations on a page share. */
export const captureHeaders = {
  'X-Capture-Complete': stringHeader(
    'true, or false if the page took too long and "onTimeout" captured what had loaded.',
  ),
  // Optional for clients, because older servers do not send it.
  'X-Page-Rest': optionalHeader(
    stringHeader(
      'reached if the page had settled: whatever moves was at its end, and nothing more was to come. bounded if it was captured before that, after about ten seconds of its own time, or if it is so long that it was not scrolled to its end. skipped if nothing was waited for, because of "animations": "allow" or because the page took too long.',
    ),
  ),
  Age: optionalHeader(integerHeader('How old the answer is, in seconds. Only with "maxAgeSeconds".')),
  'X-Cache': optionalHeader(
    stringHeader('hit for a cached response, miss for a new one. Only with "maxAgeSeconds".'),
  ),
};
const pageHeaders = {
  'X-Page-Status': integerHeader('The HTTP status of the page itself.'),
  'X-Page-Url': stringHeader(
    `The address of the page after all redirects, cut to ${LIMITS.pageUrlHeaderCharacters.max.toLocaleString('en-GB')} characters; empty for HTML that was sent.`,
  ),
  'X-Page-Title': stringHeader(
    `The title of the page, percent-encoded and cut to ${LIMITS.pageTitleHeaderCharacters.max} characters; empty if it has none.`,
  ),
  'X-Missing-Fonts': optionalHeader(
    stringHeader(
      'The scripts of the page whose letters the server has no font for, such as "Thai, emoji": they are shown as boxes. Only if there are any.',
    ),
  ),
  ...captureHeaders,
};

const sheetWords = (what: string) =>
  `HTML that is printed at the ${what} of each sheet, with its own styles. Its letters are 10 pixels high unless it sets another size. Elements of the classes date, title, url, pageNumber and totalPages are filled in.`;

export const captureOperations = {
  captureScreenshot: {
    ...captureBase,
    path: '/api/screenshot',
    title: 'Capture a screenshot',
    description:
      'Opens a web page, or HTML, in a browser and returns a picture of the window or of the whole page.',
    request: captureScreenshotRequest,
    fieldGroups: {
      Picture: ['width', 'height', 'quality', 'transparent'],
      'A piece of the page': ['selector', 'clip', 'maxHeight', 'part'],
      ...PAGE_SOURCE_GROUPS,
      ...PAGE_OPTION_GROUPS,
    },
    response: {
      kind: 'file',
      mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
      description: 'The picture.',
    },
    responseHeaders: {
      'X-Capture-Time-Ms': integerHeader('How long the capture took, in milliseconds.'),
      ...pageHeaders,
      'X-Page-Height': optionalHeader(
        integerHeader('How tall the whole page is, in pixels. Only for full pages and their parts.'),
      ),
      'X-Page-Parts': optionalHeader(integerHeader('How many parts the page has. Only with "part".')),
    },
    n8n: {
      name: 'Screenshot',
      action: 'Capture screenshot of web page',
      description: 'Capture a web page as a PNG, JPEG or WebP image',
      parameters: [...PAGE_SOURCE_IN_N8N, 'fullPage', 'format'],
      choices: PAGE_SOURCE_CHOICES,
      fields: {
        width: { displayName: 'Window Width (Pixels)', default: LIMITS.viewport.defaultWidth },
        height: { displayName: 'Window Height (Pixels)', default: LIMITS.viewport.defaultHeight },
        format: {
          displayName: 'Image Format',
          choices: {
            jpeg: 'Smaller, for photographs and previews',
            png: 'Exact, for text and comparison',
            webp: 'The smallest; at most 16,383 pixels tall',
          },
        },
        quality: { default: LIMITS.imageQuality.default },
        clip: {
          parts: {
            x: { displayName: 'Left (Pixels)' },
            y: { displayName: 'Top (Pixels)' },
            width: { displayName: 'Width (Pixels)', default: 400 },
            height: { displayName: 'Height (Pixels)', default: 300 },
          },
        },
        maxHeight: {
          displayName: 'Maximum Height (Pixels)',
          description:
            'The most pixels of a full page to capture. The rest is cut, and "pageHeight" says how tall the page is.',
          default: 10_000,
        },
        part: {
          description:
            'Which part of the full page to capture, counted from 1. Each part is as tall as the window, the last as tall as the rest. "pageParts" says how many there are.',
          default: LIMITS.pagePart.min,
        },
        ...PAGE_OPTIONS_IN_N8N,
      },
    },
    mcp: {
      description:
        'A picture of a public web page as a browser shows it: the window, or with fullPage all of it. Use it to look at a page; to read it use read_page. A tall one comes in up to five pictures from the top, with part for the rest.',
    },
  },
  capturePdf: {
    ...captureBase,
    path: '/api/pdf',
    title: 'Capture a PDF',
    description:
      'Opens a web page, or HTML, in a browser and returns it as a PDF of as many pages as it needs. The address of a PDF returns that PDF as it is.',
    request: capturePdfRequest,
    fieldGroups: {
      'Paper and margins': [
        'paperWidth',
        'paperHeight',
        'preferCssPageSize',
        'singlePage',
        'marginTop',
        'marginBottom',
        'marginLeft',
        'marginRight',
      ],
      Printing: ['width', 'printBackground', 'scale', 'pageRanges', 'fixedElements', 'tagged', 'outline'],
      'Header and footer': ['displayHeaderFooter', 'headerHtml', 'footerHtml'],
      ...PAGE_SOURCE_GROUPS,
      ...PAGE_OPTION_GROUPS,
    },
    response: { kind: 'file', mediaTypes: ['application/pdf'], description: 'The PDF.' },
    responseHeaders: {
      'X-Generation-Time-Ms': integerHeader('How long the generation took, in milliseconds.'),
      'X-Page-Count': integerHeader(
        'How many pages the PDF has; 0 for a PDF from elsewhere with a password.',
      ),
      'X-Margins-Overridden': optionalHeader(
        stringHeader(
          'The margins of the request that the page overrides by "@page" in its own styles, such as "marginTop, marginLeft". Only if it does.',
        ),
      ),
      ...pageHeaders,
    },
    n8n: {
      name: 'PDF',
      action: 'Convert web page to PDF',
      description: 'Convert a web page to a PDF of as many pages as it needs',
      parameters: [...PAGE_SOURCE_IN_N8N, 'format', 'landscape'],
      choices: PAGE_SOURCE_CHOICES,
      fields: {
        format: { displayName: 'Page Size' },
        scale: { decimals: 2 },
        width: { displayName: 'Window Width (Pixels)', default: 1280 },
        fixedElements: {
          description: 'Where to print fixed elements, such as a bar that stays at the top.',
          choices: { first: 'On the first sheet only', repeat: 'On each sheet' },
        },
        displayHeaderFooter: { displayName: 'Header and Footer' },
        headerHtml: { displayName: 'Header HTML', description: sheetWords('head') },
        footerHtml: { displayName: 'Footer HTML', description: sheetWords('foot') },
        singlePage: { displayName: 'One Sheet' },
        ...PAGE_OPTIONS_IN_N8N,
      },
    },
    mcp: {
      description:
        'A public web page printed to a PDF of as many pages as it needs. Use it to keep, print or pass on a page; to look at one use capture_screenshot.',
    },
  },
} as const satisfies Record<string, Operation>;

export type CaptureScreenshotRequest = z.output<typeof captureScreenshotRequest>;
