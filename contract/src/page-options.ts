import { z } from 'zod';
import { deviceName } from './devices.js';
import { LIMITS, STOP } from './limits.js';
import { pageCredentials } from './page-credentials.js';
import { pageSteps, STEPS_IN_N8N } from './page-steps.js';

const selector = z.string().min(1).max(LIMITS.selectorCharacters.max);
const SELECTOR_EXAMPLE = { examples: ['#chart'] };

/** The options that the operations on a page share. */
export const pageOptions = {
  waitUntil: z
    .enum(['load', 'domContentLoaded', 'networkIdle'])
    .default('load')
    .describe(
      'What to wait for first: the whole page, only its document, or half a second without any fetching.',
    ),
  waitForSelector: selector
    .optional()
    .describe('A CSS selector: the capture waits until an element of it is visible.')
    .meta(SELECTOR_EXAMPLE),
  waitMs: z
    .int()
    .min(0)
    .max(LIMITS.waitMs.max)
    .default(0)
    .describe('How long to wait after everything else, in milliseconds.'),
  timeoutMs: z
    .int()
    .min(LIMITS.timeoutMs.min)
    .max(LIMITS.timeoutMs.max)
    .optional()
    .describe(
      "How long the page may take, in milliseconds. It cannot be more than the server's limit, which applies if this is unset.",
    ),
  onTimeout: z
    .enum(['error', 'capture'])
    .default('error')
    .describe(
      'What to do with a page that takes longer: answer an error, or capture what has loaded by then, with "X-Capture-Complete" false.',
    ),
  animations: z
    .enum(['finish', 'allow'])
    .default('finish')
    .describe('Bring charts, counters and transitions to their end before the capture, or let them run.'),
  device: deviceName
    .optional()
    .describe(
      'Show the page as on this device, with its window, pixels, browser name and touch. Your other options win over those of the device.',
    )
    .meta({ examples: ['iPhone 15'] }),
  scaleFactor: z
    .number()
    .min(LIMITS.scaleFactor.min)
    .max(LIMITS.scaleFactor.max)
    .optional()
    .describe(
      "How many pixels of the picture each pixel of the page gets, for sharper pictures. Unset: 1, or the device's.",
    )
    .meta({ examples: [2] }),
  colorScheme: z
    .enum(['light', 'dark'])
    .default('light')
    .describe('The colour scheme that the visitor prefers.'),
  media: z
    .enum(['screen', 'print'])
    .optional()
    .describe('Use the styles for this medium. Unset: screen for pictures, print for PDFs.'),
  locale: z
    .string()
    .max(LIMITS.localeCharacters.max, STOP)
    .refine(isLocale, 'must be a language tag such as "en-GB" or "cy"')
    .optional()
    .describe("The visitor's language, as a BCP 47 tag.")
    .meta({ examples: ['en-GB'] }),
  timezone: z
    .string()
    .max(LIMITS.timezoneCharacters.max, STOP)
    .refine(isTimezone, 'must be an IANA time zone such as "Europe/London"')
    .optional()
    .describe("The visitor's time zone, by its IANA name.")
    .meta({ examples: ['Europe/London'] }),
  userAgent: z
    .string()
    .min(1)
    .max(LIMITS.userAgentCharacters.max, STOP)
    .regex(/^[\t\x20-\x7e]+$/u, 'must be of letters, digits and signs of ASCII')
    .optional()
    .describe('How the browser names itself.')
    .meta({ examples: ['Mozilla/5.0 (compatible; Example/1.0)'] }),
  javaScript: z.boolean().default(true).describe("Run the page's scripts."),
  hideSelectors: z
    .array(selector)
    .min(1)
    .max(LIMITS.hideSelectors.max)
    .optional()
    .describe('CSS selectors of elements to hide. Their space stays.')
    .meta({ examples: [['.advert', '#chat']] }),
  clickSelectors: z
    .array(selector)
    .min(1)
    .max(LIMITS.clickSelectors.max)
    .optional()
    .describe('CSS selectors of elements to click, one after another, once the page is loaded.')
    .meta({ examples: [['#accept']] }),
  css: z
    .string()
    .min(1)
    .max(LIMITS.cssCharacters.max)
    .optional()
    .describe("Styles that are added to the page's own.")
    .meta({ examples: ['body { font-size: 20px }'] }),
  blockCookieBanners: z.boolean().default(false).describe('Refuse and close cookie banners.'),
  blockAds: z
    .boolean()
    .default(false)
    .describe('Load no advertisements and no visitor counters, and hide the places of the advertisements.'),
  failOnPageStatus: z.boolean().default(false).describe('Fail if the status of the page is 400 or more.'),
  maxAgeSeconds: z
    .int()
    .min(0)
    .max(LIMITS.maxAgeSeconds.max)
    .default(0)
    .describe(
      'Accept a kept answer to the same request of your account, if it is at most this many seconds old. 0: make a new answer, and do not keep it.',
    ),
  ...pageSteps,
  ...pageCredentials,
};

/** The names of the page options, grouped by purpose. */
export const PAGE_OPTION_GROUPS = {
  'When the page is ready': [
    'waitUntil',
    'waitForSelector',
    'waitMs',
    'timeoutMs',
    'onTimeout',
    'animations',
  ],
  'Visitor and device': [
    'device',
    'scaleFactor',
    'colorScheme',
    'media',
    'locale',
    'timezone',
    'userAgent',
    'javaScript',
  ],
  'Changes to the page': ['hideSelectors', 'clickSelectors', 'css', 'blockCookieBanners', 'blockAds'],
  'Sign-in, cookies and headers': ['steps', 'basicAuth', 'cookies', 'headers'],
  'Answer and cache': ['failOnPageStatus', 'maxAgeSeconds'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** How n8n shows page options, if that differs from what follows from their names and schemas. */
export const PAGE_OPTIONS_IN_N8N = {
  cookies: { hasEntries: true },
  javaScript: { displayName: 'JavaScript' },
  maxAgeSeconds: { displayName: 'Cache (Seconds)' },
  onTimeout: {
    description: 'What to do with a page that takes longer.',
    choices: { capture: 'Capture what has loaded by then', error: 'The item fails' },
  },
  scaleFactor: { decimals: 2, default: 2 },
  steps: STEPS_IN_N8N,
  timeoutMs: { displayName: 'Timeout (Milliseconds)', default: LIMITS.timeoutMs.default },
  waitMs: { displayName: 'Wait (Milliseconds)' },
} as const;

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function isTimezone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
