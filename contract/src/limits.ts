/** Every bound and default of the interface, each with its unit in its name. */
export const LIMITS = {
  viewport: { minPixels: 16, maxPixels: 7680, defaultWidth: 1920, defaultHeight: 1080 },
  scaleFactor: { min: 1, max: 3 },
  imageQuality: { min: 1, max: 100, default: 85 },
  clipPixels: { max: 200_000 },
  clipSidePixels: { min: 1 },
  pagePart: { min: 1, max: 100_000 },
  pageRangesCharacters: { max: 100 },
  headerHtmlCharacters: { max: 20_000 },
  /** Of what the headers of an answer say of its page, so that all of them together are no more than proxies take. */
  pageUrlHeaderCharacters: { max: 2_048 },
  pageTitleHeaderCharacters: { max: 200 },
  selectorCharacters: { max: 1_000 },
  htmlBytes: { max: 5_000_000 },
  /** Of a request with HTML: as JSON, a byte of it takes three at most but for what is escaped needlessly. */
  captureBodyBytes: { max: 16_777_216 },
  maxAgeSeconds: { max: 86_400 },
  waitMs: { max: 10_000 },
  /** Of an operator who allows the most; most allow less. */
  timeoutMs: { min: 1_000, max: 600_000, default: 30_000 },
  localeCharacters: { max: 35 },
  timezoneCharacters: { max: 64 },
  userAgentCharacters: { max: 500 },
  hideSelectors: { max: 20 },
  clickSelectors: { max: 5 },
  cssCharacters: { max: 65_536 },
  pageHeaders: { max: 30 },
  /** Of all names and values together: many servers take no more than 16 KiB of headers. */
  pageHeadersCharacters: { max: 8_192 },
  pageCookies: { max: 50 },
  pageCookiesCharacters: { max: 8_192 },
  basicAuthCharacters: { max: 256 },
  /** Of what a page says, the part that one answer holds. */
  contentCharacters: { min: 500, max: 500_000, default: 50_000 },
  /** Of what a page says, all that is read. */
  pageTextCharacters: { max: 2_000_000 },
  /** Of the text of a tool's result, which a model has to read. */
  toolContentCharacters: { max: 100_000, default: 20_000 },
  pageLinks: { max: 1_000 },
  pdfScale: { min: 0.1, max: 2, default: 1 },
  bulkPostcodes: { min: 1, max: 100 },
  nearestResults: { min: 1, max: 100, default: 10 },
  nearestRadiusMetres: { min: 100, max: 20_000, default: 2_000 },
  nearestOffset: { min: 0, max: 10_000 },
  distancePlaces: { min: 1, max: 100 },
  reversePoints: { min: 1, max: 100 },
  textCharacters: { max: 100_000 },
  /** Of the text of a tool call, which a model has to write. */
  toolTextCharacters: { max: 10_000 },
  /** Of a request with a text: as JSON, a character takes six bytes at most. */
  textBodyBytes: { max: 655_360 },
  autocompleteResults: { min: 1, max: 100, default: 10 },
  autocompletePartialCharacters: { min: 2 },
  areaPostcodes: { min: 1, max: 1_000, default: 100 },
  /** More than a directory has rows. */
  areaOffset: { min: 0, max: 5_000_000, default: 0 },
  areaCodeCharacters: { max: 20 },
  areaNameCharacters: { max: 200 },
  urlCharacters: { max: 8_192 },
  /** Of a request whose operation says nothing else. */
  bodyBytes: { max: 65_536 },
  /** Fields and entries of a JSON body, all its objects and lists together. */
  bodyValues: { max: 512 },
  /** The whole body of a refusal, however much was wrong. */
  errorBytes: { max: 4_096 },
  /** How much of what is wrong with a request is looked for. */
  problems: { max: 5 },
  /** How many requests of a key its log keeps, by what became of them: each outcome has a quota of its own. */
  requestLog: { days: 7, answered: 1_000, wrong: 500, failed: 500, refused: 500 },
  freeTier: { requestsPerMinute: 5, requestsPerDay: 20 },
  accessTokenLifetimeMinutes: 180,
  /** Of assistants that connect to `/mcp` by OAuth. */
  oauth: {
    codeSeconds: 120,
    accessTokenSeconds: 3_600,
    /** How long a replaced refresh token still returns the tokens that replaced it. */
    refreshGraceSeconds: 60,
    /** A connection ends if it is not renewed for this long. */
    unusedDays: 30,
    redirectUris: 20,
    /** Of each parameter and redirect. */
    parameterCharacters: 2_048,
    clientNameCharacters: 100,
    /** Of a client's document, and of what is sent to register one or to get a token. */
    bodyBytes: 16_384,
  },
  /** Files of MCP clients that are kept under an address, of an account. */
  linkedFiles: { minutes: 10, max: 20, maxBytes: 200_000_000 },
  usageHistoryDays: 30,
  /** Live keys of one account, with those made today (UTC) that have ended. Commands make more. */
  keysOfAccount: { max: 20 },
  /** Projects of one account. Commands make more. */
  projectsOfAccount: { max: 20 },
  /** Requests to the operator that are open: of one account and kind, and of all accounts for each kind. */
  openRequests: { ofAccount: 10, access: 500, password: 250, limits: 150, apiAccess: 100 },
  /** The newest requests for higher limits that the owner of an account is shown. */
  shownLimitRequests: { max: 20 },
  /** Return URLs of an installation. */
  returnUrls: { max: 200 },
  /** The newest audit entries of a filter that are counted and paged through. Filters by day reach older ones. */
  pagedAuditEntries: { max: 10_000 },
  /** Browsers that one account is signed in with. As many more may wait for the code of the second factor. */
  sessions: { max: 50 },
  /** Right sign-ins of one account. An account with a second factor is only limited for each address. */
  signIns: { fromAddressIn15Minutes: 100, ofAccountADay: 1_000 },
} as const;

/** Of what is too long nothing else is checked: that may take seconds of a body with megabytes. */
export const STOP = { abort: true };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** The end of the string that begins at a quote of a JSON text. */
function endOfString(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}

/**
 * Why a JSON text cannot be taken: it has more fields and entries than any request of ours, all its objects and lists
 * together; undefined where it has not. Found without parsing it, which of a text full of fields takes milliseconds.
 */
export function tooManyValues(json: string): string | undefined {
  const { max } = LIMITS.bodyValues;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
    if (values > max)
      return `The request body has too many fields and entries: at most ${max} are accepted, in all its objects and lists together.`;
  }
  return undefined;
}
