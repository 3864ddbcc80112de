import { z } from 'zod';
import { API_KEY_BODY_ERRORS } from './errors.js';
import { LIMITS } from './limits.js';
import { type Operation, stringHeader } from './operation.js';
import { parseWebAddress } from './parse-url.js';

const { refreshSeconds, expiresInSeconds, max: MAX_LINKS } = LIMITS.captureLinks;

/** The beginning of the path of a link to a capture. A slash and the token of the link follow it. */
export const CAPTURE_LINKS_PATH = '/c';

/** The operations whose captures can be linked. */
export const LINKED_OPERATIONS = ['captureScreenshot', 'capturePdf'] as const;
export type LinkedOperation = (typeof LINKED_OPERATIONS)[number];

/**
 * Fields that a linked request must not have. They may contain secrets or act on a page, and anyone may open a link.
 */
const NOT_IN_LINKS = ['html', 'headers', 'cookies', 'basicAuth', 'steps', 'clickSelectors'] as const;

/**
 * Returns a message if a request has a field of NOT_IN_LINKS, no "url", or a user name or password in "url"; otherwise
 * undefined. The message repeats no value of the request.
 */
function problemOfLinkedRequest(request: Readonly<Record<string, unknown>>): string | undefined {
  const field = NOT_IN_LINKS.find((name) => request[name] !== undefined);
  if (field !== undefined)
    return `must have no "${field}": anyone with the link would use it without knowing it`;
  if (typeof request['url'] !== 'string') return 'must have "url", the address of the page';
  const { username = '', password = '' } = parseWebAddress(request['url']) ?? {};
  return username + password === ''
    ? undefined
    : 'must have a "url" without a user name and a password: anyone with the link would use them';
}

export const createCaptureLinkRequest = z.strictObject({
  operation: z.enum(LINKED_OPERATIONS).describe('The operation that opening the link runs.'),
  request: z
    .record(z.string(), z.unknown())
    .superRefine((request, context) => {
      const message = problemOfLinkedRequest(request);
      if (message !== undefined) context.addIssue({ code: 'custom', message, input: request });
    })
    .describe(
      `The request of that operation, as an object. It has "url", and none of ${NOT_IN_LINKS.map((name) => `"${name}"`).join(', ')}.`,
    )
    .meta({ examples: [{ url: 'https://example.com' }] }),
  refreshSeconds: z
    .int()
    .min(refreshSeconds.min)
    .max(refreshSeconds.max)
    .default(refreshSeconds.default)
    .describe('How old the capture may be, in seconds. Opening the link with an older one makes a new one.'),
  expiresInSeconds: z
    .int()
    .min(expiresInSeconds.min)
    .max(expiresInSeconds.max)
    .default(expiresInSeconds.default)
    .describe('After how many seconds the link ends.'),
});

export const captureLink = z
  .object({
    url: z.string().describe('The link. Anyone who has it sees the capture, without a key.'),
    expiresAt: z.iso.datetime().describe('When the link ends, ISO 8601 in UTC.'),
  })
  .meta({ id: 'CaptureLink', description: 'A link to a capture.' });

export const linkOperations = {
  createCaptureLink: {
    interface: 'A',
    authentication: 'apiKey',
    method: 'POST',
    path: '/api/link',
    tag: 'Capture',
    title: 'Make a link to a capture',
    description: `Makes an address that anyone can open without a key, such as in a mail, a sheet or a wiki. It returns the capture made last, or makes one with your key if that is older than "refreshSeconds"; each capture counts as a request of the key. If the limit of the key is used up, or the page cannot be captured, it returns the capture made last. The link ends with its key. An account has at most ${MAX_LINKS.toLocaleString('en-GB')} links.`,
    request: createCaptureLinkRequest,
    response: { kind: 'json', schema: captureLink },
    responseHeaders: {},
    errors: API_KEY_BODY_ERRORS,
    n8n: {
      name: 'Make a Link',
      action: 'Make link to capture',
      description: 'Make an address at which anyone sees a capture of a web page, without a key',
      fields: {
        operation: {
          parameter: 'linkedCapture',
          displayName: 'Capture',
          description: 'The kind of capture that the link shows.',
          choices: { capturePdf: 'The page as a PDF', captureScreenshot: 'The page as a picture' },
        },
        request: {
          parameter: 'captureOptions',
          displayName: 'Capture Options',
          own: ['url'],
          description:
            'The other fields of the capture as a JSON object, by their names in the API reference. What signs in or acts on the page cannot be linked.',
          hint: 'For example { "fullPage": true }',
        },
        refreshSeconds: { displayName: 'Refresh After (Seconds)', hint: '3600 is an hour, 86400 a day' },
        expiresInSeconds: { displayName: 'Ends After (Seconds)', hint: '86400 is a day, 2592000 is 30 days' },
      },
    },
  },
} as const satisfies Record<string, Operation>;

/**
 * The opening of a link. It is not an operation: it needs no key, and only a capture that it makes is counted, for the
 * key of the link.
 */
export const openedLink = {
  id: 'openCaptureLink',
  path: `${CAPTURE_LINKS_PATH}/{token}`,
  title: 'Open a link to a capture',
  description: `Returns the capture made last for a link, or makes one if that is older than the "refreshSeconds" of the link. All who open the link meanwhile get the same one. HEAD returns the headers. Pages of any site may show it. If there is nothing to show, the response says why in the form that the Accept header prefers: JSON, a page, or else a picture.`,
  parameters: { token: 'The last part of the "url" that the link was made with.' },
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'],
  headers: {
    ETag: stringHeader('Changes with every capture. With If-None-Match, the same one is not sent again.'),
    'Last-Modified': stringHeader('When the capture was made.'),
    'Cache-Control': stringHeader(
      `Caches may keep it until it is too old, at most ${LIMITS.captureLinks.cacheSeconds} seconds.`,
    ),
    'Access-Control-Allow-Origin': stringHeader('Always *.'),
    'Cross-Origin-Resource-Policy': stringHeader('Always cross-origin.'),
  },
  errors: [
    { name: 'notFound', description: 'There is no such link.' },
    {
      name: 'gone',
      description:
        'The link has ended: it expired, its owner ended it, or its key or account no longer works.',
    },
    {
      name: 'rateLimited',
      description:
        'The limit of the key is used up and there is no capture yet, or too many links were guessed.',
    },
    { name: 'internal', description: 'The server failed.' },
    {
      name: 'notCaptured',
      description: 'The page could not be captured, and there is no earlier capture of it.',
    },
    {
      name: 'overloaded',
      description:
        'Too many requests are waiting, or the capture was deleted to make room for others just now.',
    },
    {
      name: 'timeout',
      description: 'The page took longer than a capture may take, and there is no earlier capture of it.',
    },
  ],
} as const;

export type CreateCaptureLinkRequest = z.output<typeof createCaptureLinkRequest>;
