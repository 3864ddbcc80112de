import { z } from 'zod';
import { captureBase, captureHeaders } from './capture-operations.js';
import { LIMITS } from './limits.js';
import { newerField, integerHeader, type Operation } from './operation.js';
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

const { contentCharacters, pageTextCharacters, pageLinks, pageHeadings, findTexts, passages } = LIMITS;

export const CONTENT_FORMATS = ['markdown', 'text', 'html'] as const;

export const readPageRequest = z
  .strictObject({
    ...pageSource,
    format: z.enum(CONTENT_FORMATS).default('markdown').describe('How the content is written.'),
    mainContentOnly: z
      .boolean()
      .default(true)
      .describe('Leave out menus, adverts and everything else around the main content.'),
    selector: z
      .string()
      .min(1)
      .max(LIMITS.selectorCharacters.max)
      .optional()
      .describe(
        'A CSS selector: read only the first element that matches, also in open shadow trees. Waits for it for up to 5 s.',
      )
      .meta({ examples: ['#opening-times'] }),
    findTexts: z
      .array(z.string().min(findTexts.minCharacters).max(findTexts.maxCharacters))
      .min(findTexts.min)
      .max(findTexts.max)
      .optional()
      .describe(
        `Texts to find in the content, whatever their case and accents: "passages" has up to ${passages.max} places where they are.`,
      )
      .meta({ examples: [['opening times', 'closed']] }),
    headings: z.boolean().default(false).describe('List the headings of the content with their offsets.'),
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
  .superRefine(checkPageSteps)
  .meta(PAGE_EXAMPLE);

export const pageHeading = z
  .object({
    level: z.int().min(1).max(6).describe('1 for the topmost headings, to 6.'),
    text: z.string().describe('The words of the heading.'),
    offset: z.int().describe('The offset of the heading in the whole content.'),
  })
  .meta({ id: 'PageHeading', description: 'A heading of a page.' });

export const pagePassage = z
  .object({
    findText: z.string().describe('The requested text that was found.'),
    offset: z.int().describe('The offset of the found text in the whole content.'),
    passage: z
      .string()
      .describe(`The content around the found text, ${passages.characters} characters at most.`),
  })
  .meta({ id: 'PagePassage', description: 'A place where a requested text is in a page.' });

export type PagePassage = z.output<typeof pagePassage>;

const stated = (what: string) => z.string().nullable().describe(`${what}; null if the page does not say.`);

export const pageLink = z
  .object({
    url: z.string().describe('Where the link leads, a whole http or https address.'),
    text: z.string().describe('The words of the link; empty if it has none.'),
  })
  .meta({ id: 'PageLink', description: 'A link of a page.' });

export type PageLink = z.output<typeof pageLink>;

export const pageContent = z
  .object({
    url: z
      .string()
      .nullable()
      .describe('The address of the page, after all redirects; of HTML its "baseUrl", null without one.'),
    pageStatus: z.int().describe('The HTTP status of the page itself.'),
    title: stated('The title of the page'),
    description: stated('What the page says that it is about'),
    language: stated("The page's language, as a BCP 47 tag"),
    author: stated('Who wrote it'),
    publishedAt: stated('When it was published, as the page writes it'),
    modifiedAt: stated('When it was last changed, as the page writes it'),
    canonicalUrl: stated('The address that the page prefers for itself'),
    siteName: stated('The name of the website'),
    image: stated('The address of the picture that stands for the page'),
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
      .describe('The offset with which to ask for what comes next; null if this is all.'),
    links: z
      .array(pageLink)
      .nullable()
      .describe(
        `The links of the content, each address once, ${pageLinks.max.toLocaleString('en-GB')} at most; null unless they were requested.`,
      ),
    headings: newerField(
      null,
      z
        .array(pageHeading)
        .nullable()
        .describe(
          `The headings of the whole content in order, ${pageHeadings.max.toLocaleString('en-GB')} at most; null unless "headings" is set.`,
        ),
    ),
    passages: newerField(
      null,
      z
        .array(pagePassage)
        .nullable()
        .describe('The places of "findTexts" in the whole content; null if none were sent.'),
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
      'Opens a web page, or HTML, in a browser, scrolls through it, and returns its content as Markdown, text or HTML: every visible word of its main part, or of all of it with "mainContentOnly" false. An "#anchor" in the address starts there. Read a long page in parts with "offset": for ten minutes, the parts are of the page as it was first read. Each part is a request. The address of a PDF, or of a CSV, JSON or text file, returns its text.',
    request: readPageRequest,
    fieldGroups: {
      'Long pages': ['selector', 'findTexts', 'headings', 'maxCharacters', 'offset'],
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
      action: 'Read web page',
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
        maxCharacters: { displayName: 'Maximum Length (Characters)' },
        ...PAGE_OPTIONS_IN_N8N,
      },
    },
    mcp: {
      description:
        'The main content of a public web page as Markdown. For a fact in a long page use findTexts. Long pages come in parts by offset, each one request.',
    },
  },
} as const satisfies Record<string, Operation>;

export type ReadPageRequest = z.output<typeof readPageRequest>;
