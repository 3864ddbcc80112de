import { z } from 'zod';
import { LIMITS, STOP } from './limits.js';

/** HTTP's "token": a valid name of a header or cookie. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/u;
const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/u;
const COOKIE_VALUE = /^(?:[\x21-\x3a\x3c-\x7e](?:[\x20-\x3a\x3c-\x7e]*[\x21-\x3a\x3c-\x7e])?)?$/u;
const COOKIE_PATH = /^\/[\x21-\x3a\x3c-\x7e]*$/u;
const WITHOUT_CONTROLS = /^\P{Cc}*$/u;

const LEFT_TO_BROWSER = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/**
 * Returns why a header must be left out or what is wrong with its value, as the end of a sentence; otherwise undefined.
 */
function faultOfHeader(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'cookie') return 'must be left out: cookies are given in "cookies"';
  if (LEFT_TO_BROWSER.has(lower) || /^(?:proxy|sec)-/u.test(lower))
    return 'must be left out: the browser sets it itself';
  return HEADER_VALUE.test(value)
    ? undefined
    : 'must be of letters, digits and signs of ASCII on one line, without spaces around it';
}

/**
 * Returns what is wrong with the number, the total length or the names of the headers, as the end of a sentence;
 * undefined if nothing is.
 */
function faultOfHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers);
  if (names.length > LIMITS.pageHeaders.max) return `must have at most ${LIMITS.pageHeaders.max} names`;
  const { max } = LIMITS.pageHeadersCharacters;
  if (Object.entries(headers).flat().join('').length > max)
    return `must have at most ${max} characters in all`;
  if (!names.every((name) => TOKEN.test(name)))
    return 'must have names of letters, digits and hyphens, such as "X-Token"';
  return new Set(names.map((name) => name.toLowerCase())).size < names.length
    ? 'must have each name once, in whatever case'
    : undefined;
}

const headers = z
  .record(
    z.string().describe('The name of the header, such as "X-Token".'),
    z.string().describe('Its value, on one line.').meta({ format: 'password' }),
  )
  .superRefine((headers, context) => {
    const fault = faultOfHeaders(headers);
    if (fault !== undefined) {
      context.addIssue({ code: 'custom', message: fault, input: headers });
      return;
    }
    for (const [name, value] of Object.entries(headers)) {
      const message = faultOfHeader(name, value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message, input: value });
    }
  })
  .describe(
    `Headers by their names, sent only to the origin of "url": at most ${LIMITS.pageHeaders.max}, with ${LIMITS.pageHeadersCharacters.max} characters in all.`,
  )
  .meta({ maxProperties: LIMITS.pageHeaders.max, examples: [{ 'Accept-Language': 'cy' }] });

const cookie = z.strictObject({
  name: z
    .string()
    .max(LIMITS.pageCookiesCharacters.max, STOP)
    .regex(TOKEN, 'must be of letters, digits and hyphens, such as "session"')
    .describe('The name of the cookie.'),
  value: z
    .string()
    .max(LIMITS.pageCookiesCharacters.max, STOP)
    .regex(
      COOKIE_VALUE,
      'must be of letters, digits and signs of ASCII, without semicolons and without spaces around it',
    )
    .describe('Its value.')
    .meta({ format: 'password' }),
  path: z
    .string()
    .max(LIMITS.pageCookiesCharacters.max, STOP)
    .regex(COOKIE_PATH, 'must begin with "/", such as "/account", without spaces and semicolons')
    .default('/')
    .describe('The path that it is sent to, with everything below.'),
});

const cookies = z
  .array(cookie)
  .min(1)
  .max(LIMITS.pageCookies.max, STOP)
  .refine(
    (cookies) =>
      cookies.reduce((sum, one) => sum + one.name.length + one.value.length + one.path.length, 0) <=
      LIMITS.pageCookiesCharacters.max,
    `must have at most ${LIMITS.pageCookiesCharacters.max} characters in all`,
  )
  .describe(
    `Cookies, each with "name", "value" and optionally "path", sent only to the origin of "url" and hidden from scripts: at most ${LIMITS.pageCookiesCharacters.max} characters in all.`,
  )
  .meta({ examples: [[{ name: 'session', value: 'a1b2c3', path: '/' }]] });

const withoutControls = (what: string) =>
  z
    .string()
    .max(LIMITS.basicAuthCharacters.max, STOP)
    .regex(WITHOUT_CONTROLS, `must be a ${what} on one line, without control characters`);

const basicAuth = z
  .strictObject({
    username: withoutControls('name')
      .refine((name) => name !== '' && !name.includes(':'), 'must be a name without a colon')
      .describe('The user name.'),
    password: withoutControls('password').default('').describe('The password.').meta({ format: 'password' }),
  })
  .describe(
    'HTTP Basic authentication with "username" and "password", sent only to the origin of "url", even if the page does not ask for it.',
  )
  .meta({ examples: [{ username: 'reader', password: 'a1b2c3' }] });

/** The fields for headers, cookies and a password, which are sent only to the origin of the page's address. */
export const pageCredentials = {
  headers: headers.optional(),
  cookies: cookies.optional(),
  basicAuth: basicAuth.optional(),
};

const CREDENTIALS = ['headers', 'cookies', 'basicAuth'] as const;

export type PageCredentials = z.output<z.ZodObject<typeof pageCredentials>>;

/**
 * Rejects credentials together with "html", which has no server to send them to, or with "maxAgeSeconds" above 0, and
 * an Authorization header beside "basicAuth". Also rejects "maxAgeSeconds" above 0 together with "html".
 */
export function checkPageCredentials(
  request: PageCredentials & { readonly html?: string | undefined; readonly maxAgeSeconds: number },
  context: z.RefinementCtx,
): void {
  const { headers: requestHeaders = {}, basicAuth: signIn, html, maxAgeSeconds } = request;
  const addIssue = (field: string, message: string, input: unknown) =>
    context.addIssue({ code: 'custom', path: [field], message, input });
  const isKept = maxAgeSeconds > 0;
  if (isKept && html !== undefined)
    addIssue('maxAgeSeconds', 'must be left out if "html" is given', maxAgeSeconds);
  for (const name of CREDENTIALS) {
    const credential = request[name];
    if (credential === undefined) continue;
    if (html !== undefined)
      addIssue(
        name,
        'must be left out if "html" is given, because nothing is requested from a server',
        credential,
      );
    else if (isKept)
      addIssue(
        name,
        'must be left out if "maxAgeSeconds" is given, because credentials are not kept',
        credential,
      );
  }
  const name = Object.keys(requestHeaders).find((header) => header.toLowerCase() === 'authorization');
  if (name === undefined || signIn === undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['headers', name],
    message: 'must be left out if "basicAuth" is given, which is sent in it',
    input: requestHeaders[name],
  });
}
