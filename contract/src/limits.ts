/** The limits and defaults of the interface. A name has its unit, if the number has one. */
export const LIMITS = {
  viewport: { minPixels: 16, maxPixels: 7680, defaultWidth: 1920, defaultHeight: 1080 },
  scaleFactor: { min: 1, max: 3 },
  imageQuality: { min: 1, max: 100, default: 85 },
  clipPixels: { max: 200_000 },
  clipSidePixels: { min: 1 },
  pagePart: { min: 1, max: 100_000 },
  pageRangesCharacters: { max: 100 },
  headerHtmlCharacters: { max: 20_000 },
  /** The page's address in a response header. A longer one is cut. */
  pageUrlHeaderCharacters: { max: 2_048 },
  pageTitleHeaderCharacters: { max: 200 },
  selectorCharacters: { max: 1_000 },
  htmlBytes: { max: 5_000_000 },
  /**
   * The body of a capture request, 10 MiB. As JSON, a byte of HTML takes at most two bytes, unless it is a rare control
   * character, so 5 MB of HTML fit, with 480 kB for all other fields. If a client also escapes letters beyond ASCII, as
   * in `\u20ac`, each takes two to three times its bytes, so less HTML fits if most of it is such text.
   */
  captureBodyBytes: { max: 10_485_760 },
  maxAgeSeconds: { max: 86_400 },
  waitMs: { max: 10_000 },
  /** `max` is the highest limit that an operator can configure. */
  timeoutMs: { min: 1_000, max: 600_000, default: 30_000 },
  localeCharacters: { max: 35 },
  timezoneCharacters: { max: 64 },
  userAgentCharacters: { max: 500 },
  hideSelectors: { max: 20 },
  clickSelectors: { max: 5 },
  steps: { max: 20 },
  stepValueCharacters: { max: 10_000 },
  stepKeyCharacters: { max: 40 },
  cssCharacters: { max: 65_536 },
  pageHeaders: { max: 30 },
  /** The length of all names and values together. Many servers accept no more than 16 KiB of headers. */
  pageHeadersCharacters: { max: 8_192 },
  pageCookies: { max: 50 },
  pageCookiesCharacters: { max: 8_192 },
  basicAuthCharacters: { max: 256 },
  /** The part of a page's text that one response contains. */
  contentCharacters: { min: 500, max: 500_000, default: 50_000 },
  /** The most text that is read from a page. */
  pageTextCharacters: { max: 2_000_000 },
  /** The text of a page in the result of an MCP tool, which a model has to read. */
  toolContentCharacters: { max: 100_000, default: 20_000 },
  pageLinks: { max: 1_000 },
  pageHeadings: { max: 1_000, maxCharacters: 300 },
  findTexts: { min: 1, max: 5, minCharacters: 2, maxCharacters: 200 },
  /** Excerpts of a page around the texts to find. */
  passages: { max: 20, characters: 300 },
  pdfScale: { min: 0.1, max: 2, default: 1 },
  bulkPostcodes: { min: 1, max: 100 },
  nearestResults: { min: 1, max: 100, default: 10 },
  nearestRadiusMetres: { min: 100, max: 20_000, default: 2_000 },
  nearestOffset: { min: 0, max: 10_000 },
  distancePlaces: { min: 1, max: 100 },
  reversePoints: { min: 1, max: 100 },
  textCharacters: { max: 100_000 },
  textsToSearch: { min: 1, max: 100 },
  /** A text in an MCP tool's arguments, which a model has to write. */
  toolTextCharacters: { max: 10_000 },
  /** The body of a request with texts to search. A character takes at most six bytes as JSON. */
  textBodyBytes: { max: 655_360 },
  autocompleteResults: { min: 1, max: 100, default: 10 },
  autocompletePartialCharacters: { min: 2 },
  areaPostcodes: { min: 1, max: 1_000, default: 100 },
  /** The maximum is above the number of rows in any directory. */
  areaOffset: { min: 0, max: 5_000_000, default: 0 },
  areaCodeCharacters: { max: 20 },
  areaNameCharacters: { max: 200 },
  urlCharacters: { max: 8_192 },
  /** The body of a request whose operation does not set its own limit. */
  bodyBytes: { max: 65_536 },
  /** Fields and list entries of a JSON body, in all its objects and lists together. */
  bodyValues: { max: 512 },
  /** The whole error body. */
  errorBytes: { max: 4_096 },
  /** How many problems of a request an error message lists at most. */
  problems: { max: 5 },
  /** How many days the log keeps a request, and how many requests of each outcome it keeps for a key. */
  requestLog: { days: 7, answered: 1_000, wrong: 500, failed: 500, refused: 500 },
  freeTier: { requestsPerMinute: 5, requestsPerDay: 20 },
  accessTokenLifetimeMinutes: 180,
  /** Assistants that connect to `/mcp` by OAuth. */
  oauth: {
    codeSeconds: 120,
    accessTokenSeconds: 3_600,
    /** How long a replaced refresh token still returns the tokens that replaced it. */
    refreshGraceSeconds: 60,
    /** A connection ends if it is not renewed for this long. */
    unusedDays: 30,
    redirectUris: 20,
    /** The length of each parameter and of each redirect URI. */
    parameterCharacters: 2_048,
    clientNameCharacters: 100,
    /**
     * The size of a client's metadata document, and of the body of a request to register a client, or to get or revoke
     * a token.
     */
    bodyBytes: 16_384,
  },
  /**
   * Files that MCP tools return as addresses. `max` and `maxBytes` are for all files of one account, or in signpost-mcp
   * of one key. The oldest files are deleted to make room for a new one.
   */
  linkedFiles: { minutes: 10, max: 20, maxBytes: 200_000_000 },
  /**
   * Links to captures. `max` is for the working links of one account; `maxBytes` is for the captures of all its links,
   * the oldest of which make room for a new one.
   */
  captureLinks: {
    max: 1_000,
    maxCaptureBytes: 20_000_000,
    maxBytes: 200_000_000,
    refreshSeconds: { min: 60, max: 86_400, default: 3_600 },
    expiresInSeconds: { min: 60, max: 31_536_000, default: 2_592_000 },
    /** How long caches may keep what a link returned, at most. */
    cacheSeconds: 300,
    /** For this many days after its end, a link says that it has ended. After that it is unknown. */
    endedDays: 30,
  },
  usageHistoryDays: 30,
  /**
   * Live keys of one account, plus its keys made today (UTC) that are revoked or expired. The command line can make
   * more.
   */
  keysOfAccount: { max: 20 },
  /** Projects of one account. The command line can make more. */
  projectsOfAccount: { max: 20 },
  /**
   * How many requests to the operator may be open: `ofAccount` of each kind by one account; the others are kinds, each
   * with its maximum for all accounts together.
   */
  openRequests: { ofAccount: 10, access: 500, password: 250, limits: 150, apiAccess: 100 },
  /** How many of the newest requests for higher limits an account's owner sees. */
  shownLimitRequests: { max: 20 },
  /** Return URLs of the whole installation. */
  returnUrls: { max: 200 },
  /**
   * How many of the newest audit entries that match a filter are counted and can be paged through. To reach older
   * ones, filter by day.
   */
  pagedAuditEntries: { max: 10_000 },
  /**
   * Browsers that one account is signed in with. One more ends the session that was unused for longest. The same number
   * may be waiting for their second-factor code.
   */
  sessions: { max: 50 },
  /**
   * Successful sign-ins of one account: from one address, and from all addresses together. The second limit does not
   * apply to an account with a second factor.
   */
  signIns: { fromAddressIn15Minutes: 100, ofAccountADay: 1_000 },
} as const;

/** The options of a check of length. If the check fails, the checks after it are skipped. */
export const STOP = { abort: true };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/**
 * The index of the quote that closes the string whose opening quote is at `begin`; the length of the text if none does.
 */
function endOfString(json: string, begin: number): number {
  for (let index = begin + 1; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return json.length;
}

/**
 * Returns an error message if a JSON text has more fields and list entries, in all objects and lists together, than
 * LIMITS.bodyValues; otherwise undefined. Does not parse the text. An empty object or list counts as one entry.
 */
export function tooManyValues(json: string): string | undefined {
  const { max } = LIMITS.bodyValues;
  let values = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
    if (values > max)
      return `The request body has too many fields and entries: at most ${max} are accepted, in all its objects and lists together.`;
  }
  return undefined;
}
