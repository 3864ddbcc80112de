import { z } from 'zod';
import { captureBase, captureHeaders } from './capture-operations.js';
import { LIMITS } from './limits.js';
import { integerHeader, type Operation } from './operation.js';
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

const { contentCharacters, pageTextCharacters, pageLinks } = LIMITS;

export const CONTENT_FORMATS = ['markdown', 'text', 'html'] as const;

export const readPageRequest = z
  .strictObject({
    ...pageSource,
    format: z.enum(CONTENT_FORMATS).default('markdown').describe('How the content is written.'),
    mainContentOnly: z
      .boolean()
      .default(true)
      .describe('Leave out menus, adverts and everything else around the main content.'),
    maxCharacters: z
      .int()
      .min(contentCharacters.min)
      .max(contentCharacters.max)
      .default(contentCharacters.default)
      .describe('How many characters of the content to return at most.'),
    offset: z
      .int()
      .min(0)
      .max(pageTextCharacters.max)
      .default(0)
      .describe(
        'How many characters of the content to skip: the "nextOffset" of an answer to the same request less than ten minutes ago.',
      ),
    includeLinks: z.boolean().default(false).describe('List the links of the content.'),
    ...pageOptions,
  })
  .superRefine(checkPageSource)
  .superRefine(checkPageCredentials)
  .meta(PAGE_EXAMPLE);

const stated = (what: string) => z.string().nullable().describe(`${what}; null where the page does not say.`);

export const pageLink = z
  .object({
    url: z.string().describe('Where the link leads, a whole http or https address.'),
    text: z.string().describe('What the link says; empty where it has no words.'),
  })
  .meta({ id: 'PageLink', description: 'A link of a page.' });

export type PageLink = z.output<typeof pageLink>;

export const pageContent = z
  .object({
    url: z
      .string()
      .nullable()
      .describe('The address of the page, after all redirects; of HTML its "baseUrl", null without one.'),
    pageStatus: z.int().describe('The HTTP status that the page itself answered with.'),
    title: stated('The title of the page'),
    description: stated('What the page says that it is about'),
    language: stated("The page's language, as a BCP 47 tag"),
    author: stated('Who wrote it'),
    publishedAt: stated('When it was published, as the page writes it'),
    format: z.enum(CONTENT_FORMATS).describe('How the content is written.'),
    content: z.string().describe('The content from the offset on; empty past its end.'),
    characters: z
      .int()
      .describe(
        `How many characters the whole content has, in UTF-16 units; of a longer one than ${pageTextCharacters.max.toLocaleString('en-GB')} the rest is cut.`,
      ),
    nextOffset: z
      .int()
      .nullable()
      .describe('The offset with which to ask for what comes next; null where nothing does.'),
    links: z
      .array(pageLink)
      .nullable()
      .describe(
        `The links of the content, each address once, ${pageLinks.max.toLocaleString('en-GB')} at most; null where they were not asked for.`,
      ),
  })
  .meta({ id: 'PageContent', description: 'What a page says.' });

export type PageContent = z.output<typeof pageContent>;

export const readPageResponse = z.object({ result: pageContent });

export const contentOperations = {
  readPage: {
    ...captureBase,
    path: '/api/content',
    title: 'Read a page',
    description:
      'Opens a web page, or HTML, in a browser and answers what it says as Markdown, text or HTML: its main content, or all inner text where little of a main content is found. A long content is read in parts by "offset"; for ten minutes the parts are of the page as it was first read. Each is a request.',
    request: readPageRequest,
    fieldGroups: {
      'Long pages': ['maxCharacters', 'offset'],
      ...PAGE_SOURCE_GROUPS,
      ...PAGE_OPTION_GROUPS,
    },
    response: { kind: 'json', schema: readPageResponse },
    responseHeaders: {
      'X-Capture-Time-Ms': integerHeader(
        'How long the page took to be read, in milliseconds; 0 for a part of what was read before.',
      ),
      ...captureHeaders,
    },
    n8n: {
      name: 'Read Page',
      action: 'Read a web page',
      description: 'Get what a web page says as Markdown, text or HTML',
      parameters: [...PAGE_SOURCE_IN_N8N, 'format', 'mainContentOnly'],
      choices: PAGE_SOURCE_CHOICES,
      fields: {
        format: {
          choices: {
            html: 'Cleaned of scripts and styles',
            markdown: 'With headings, lists, tables and links, for AI models',
            text: 'The words alone',
          },
        },
        ...PAGE_OPTIONS_IN_N8N,
      },
    },
    mcp: {
      description:
        'What a public web page says, as Markdown: the main content, without menus and adverts. A long page is read in parts by offset, each one request.',
    },
  },
} as const satisfies Record<string, Operation>;

export type ReadPageRequest = z.output<typeof readPageRequest>;
