import { z } from 'zod';
import { LIMITS, STOP } from './limits.js';
import { parseWebAddress } from './parse-url.js';

/** The schema of an http or https address. Its output is the address in normalized form. */
const webAddress = z
  .string()
  .max(LIMITS.urlCharacters.max, STOP)
  .refine((text) => parseWebAddress(text) !== undefined, {
    error: 'must be a whole http or https address such as "https://example.com/page"',
    abort: true,
  })
  .overwrite((text) => parseWebAddress(text)?.href ?? text);

const { max } = LIMITS.htmlBytes;

/** The source of a capture: the page at an address, or HTML. */
export const pageSource = {
  url: webAddress
    .describe('The address of the page, http or https.')
    .meta({ examples: ['https://example.com'] })
    .optional(),
  html: z
    .string()
    .min(1)
    .max(max, STOP)
    .refine(
      (html) => html.length * 3 <= max || new TextEncoder().encode(html).length <= max,
      `must be HTML of at most ${max / 1_000_000} MB`,
    )
    .optional()
    .describe(`HTML in place of "url", of at most ${max / 1_000_000} MB. It gets a secure origin of its own.`)
    .meta({ examples: ['<h1>Invoice 42</h1>'] }),
  baseUrl: webAddress
    .optional()
    .describe('The address that relative addresses in "html" start from.')
    .meta({ examples: ['https://example.com/shop/'] }),
};

/** An example of a valid request, which has only the address. */
export const PAGE_EXAMPLE = { examples: [{ url: 'https://example.com' }] };

/**
 * The fields of the source that are parameters of their own in n8n. The n8n parameter `source` decides which of them is
 * shown.
 */
export const PAGE_SOURCE_IN_N8N = ['url', 'html'] as const;
export const PAGE_SOURCE_CHOICES = { url: { source: 'url' }, html: { source: 'html' } } as const;

/** The less common fields of the source. */
export const PAGE_SOURCE_GROUPS = { 'HTML in place of an address': ['html', 'baseUrl'] } as const;

type PageSource = z.output<z.ZodObject<typeof pageSource>>;

/** Rejects a request with neither an address nor HTML, with both, or with a base address without HTML. */
export function checkPageSource({ url, html, baseUrl }: PageSource, context: z.RefinementCtx): void {
  const addIssue = (field: keyof PageSource, message: string, input: unknown) =>
    context.addIssue({ code: 'custom', path: [field], message, input });
  if (url === undefined && html === undefined)
    addIssue('url', 'must be the address of a page, unless "html" is given in its place', url);
  if (url !== undefined && html !== undefined)
    addIssue('html', 'must be left out if "url" is given: a capture is of one page', html);
  if (baseUrl !== undefined && html === undefined)
    addIssue('baseUrl', 'must be left out if "html" is not given', baseUrl);
}
