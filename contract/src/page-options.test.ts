import { captureScreenshotRequest } from './capture-operations.js';
import { capturePdfRequest } from './pdf-request.js';
import { readPageRequest } from './content-operations.js';

const url = 'https://example.com';
const messagesOf = (schema: typeof captureScreenshotRequest | typeof capturePdfRequest, more: object) =>
  (schema.safeParse({ url, ...more }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const piece = { x: 0, y: 0, width: 10, height: 10 };

test.each<[string, object, RegExp]>([
  ['a quality for a PNG', { quality: 50 }, /^quality: must be left out for a PNG/u],
  ['a quality of 0', { format: 'jpeg', quality: 0 }, /^quality: /u],
  [
    'transparency for a JPEG',
    { format: 'jpeg', transparent: true },
    /^transparent: must be left out for a JPEG/u,
  ],
  [
    'a piece and an element',
    { clip: piece, selector: '#a' },
    /^clip: must be left out if "selector" is given/u,
  ],
  [
    'a piece and the full page',
    { clip: piece, fullPage: true },
    /^fullPage: must be left out if "clip" or "selector"/u,
  ],
  ['an element and the full page', { selector: '#a', fullPage: true }, /^fullPage: must be left out/u],
  ['a piece without a width', { clip: { x: 0, y: 0, height: 10 } }, /^clip.width: /u],
  ['a piece that is 0 pixels wide', { clip: { ...piece, width: 0 } }, /^clip.width: /u],
  ['a piece that is half a pixel high', { clip: { ...piece, height: 0.5 } }, /^clip.height: /u],
  ['a piece before the page', { clip: { ...piece, x: -1 } }, /^clip.x: /u],
  ['an empty selector', { selector: '' }, /^selector: /u],
  [
    'a maximum height without the full page',
    { maxHeight: 500 },
    /^maxHeight: must be left out if "fullPage" is not true/u,
  ],
  ['a maximum height below that of any window', { maxHeight: 15, fullPage: true }, /^maxHeight: /u],
  ['part 0', { part: 0 }, /^part: /u],
  ['half a part', { part: 1.5 }, /^part: /u],
  ['a part of a piece', { part: 1, clip: piece }, /^part: must be left out if "clip", "selector" or/u],
  ['a part of an element', { part: 1, selector: '#a' }, /^part: must be left out if/u],
  [
    'a part of a page with a maximum height',
    { part: 1, fullPage: true, maxHeight: 500 },
    /^part: must be left out if/u,
  ],
])('rejects a screenshot with %s', (_what, more, words) => {
  expect(messagesOf(captureScreenshotRequest, more)).toEqual([expect.stringMatching(words)]);
});

test.each<[string, object, RegExp]>([
  ['a word as page ranges', { pageRanges: 'all' }, /^pageRanges: must be pages such as "1-3, 5"/u],
  ['a range without ends', { pageRanges: '-' }, /^pageRanges: must be pages/u],
  ['a range from page 0', { pageRanges: '0-' }, /^pageRanges: must be pages/u],
  ['too narrow a window', { width: 15 }, /^width: /u],
  ['page 0', { pageRanges: '0' }, /^pageRanges: must be pages/u],
  [
    'paper without a unit',
    { paperWidth: '21' },
    /^paperWidth: must be a number with cm, mm, in, px, pt, pc or Q/u,
  ],
  ['one sheet and a paper height', { singlePage: true, paperHeight: '1cm' }, /^paperHeight: must be/u],
  [
    'one sheet and page ranges',
    { singlePage: true, pageRanges: '1' },
    /^pageRanges: must be left out if "singlePage"/u,
  ],
  [
    'one sheet and the CSS page size',
    { singlePage: true, preferCssPageSize: true },
    /^preferCssPageSize: must be left/u,
  ],
  ['an empty header', { headerHtml: '' }, /^headerHtml: /u],
  ['a footer that is too long', { footerHtml: 'x'.repeat(20_001) }, /^footerHtml: /u],
  ['paper of no height', { paperHeight: '0cm' }, /^paperHeight: must be more than 0/u],
  ['paper that is too wide', { paperWidth: '10001mm' }, /^paperWidth: must be at most 10000 of its unit/u],
])('rejects a PDF with a wrong option: %s', (_what, more, words) => {
  expect(messagesOf(capturePdfRequest, more)).toEqual([expect.stringMatching(words)]);
});

test.each<[string, object, RegExp]>([
  ['an unknown wait', { waitUntil: 'idle' }, /^waitUntil: /u],
  ['an empty selector to wait for', { waitForSelector: '' }, /^waitForSelector: /u],
  ['a wait that is too long', { waitMs: 10_001 }, /^waitMs: /u],
  ['a colour that is not a scheme', { colorScheme: 'blue' }, /^colorScheme: /u],
  ['an unknown medium', { media: 'paper' }, /^media: /u],
  ['a locale with an underscore', { locale: 'en_GB' }, /^locale: must be a language tag such as "en-GB"/u],
  ['an unknown time zone', { timezone: 'Mars/Olympus' }, /^timezone: must be an IANA time zone such as/u],
  ['a user agent of two lines', { userAgent: 'a\r\nX-Other: b' }, /^userAgent: must be of letters/u],
  ['a word for javaScript', { javaScript: 'off' }, /^javaScript: /u],
  ['too many selectors to hide', { hideSelectors: Array(21).fill('p') }, /^hideSelectors: /u],
  ['too many selectors to click', { clickSelectors: Array(6).fill('p') }, /^clickSelectors: /u],
  ['styles that are too long', { css: 'x'.repeat(65_537) }, /^css: /u],
  ['a timeout of less than a second', { timeoutMs: 999 }, /^timeoutMs: /u],
  ['an unknown onTimeout', { onTimeout: 'wait' }, /^onTimeout: /u],
  ['a maxAgeSeconds of more than a day', { maxAgeSeconds: 86_401 }, /^maxAgeSeconds: /u],
  [
    'credentials for a cached capture',
    { maxAgeSeconds: 1, headers: { 'X-Token': 'a' } },
    /^headers: must be left out if "maxAgeSeconds" is given, because credentials are not kept/u,
  ],
  ['a status for failOnPageStatus', { failOnPageStatus: 404 }, /^failOnPageStatus: /u],
  ['headers as a text', { headers: 'X-Token: a' }, /^headers: /u],
  [
    'a header whose name is not valid',
    { headers: { 'X Token': 'a' } },
    /^headers: must have names of letters/u,
  ],
  ['a header twice', { headers: { 'X-Token': 'a', 'x-token': 'b' } }, /^headers: must have each name once/u],
  ['a number as a header', { headers: { 'X-Token': 5 } }, /^headers.X-Token: /u],
  [
    'a header of two lines',
    { headers: { 'X-Token': 'a\r\nX-Other: b' } },
    /^headers.X-Token: must be of letters/u,
  ],
  ['a header with a NUL', { headers: { 'X-Token': 'a\0' } }, /^headers.X-Token: must be of letters/u],
  ['a header beyond ASCII', { headers: { 'X-Token': 'ä' } }, /^headers.X-Token: must be of letters/u],
  ['a blank header', { headers: { 'X-Token': ' ' } }, /^headers.X-Token: must be of letters/u],
  ['cookies in a header', { headers: { Cookie: 'a=b' } }, /^headers.Cookie: .* are given in "cookies"/u],
  [
    'two ways to sign in',
    { headers: { authorization: 'a' }, basicAuth: { username: 'a' } },
    /^headers.authorization: must be left out if "basicAuth" is given/u,
  ],
  [
    'too many headers',
    { headers: Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`X-${at}`, 'a'])) },
    /^headers: must have at most 30 names/u,
  ],
  [
    'headers that are too long',
    { headers: { 'X-Token': 'x'.repeat(8_192) } },
    /^headers: must have at most 8192/u,
  ],
  ['an empty list of cookies', { cookies: [] }, /^cookies: /u],
  ['too many cookies', { cookies: Array(51).fill({ name: 'a', value: 'b' }) }, /^cookies: /u],
  [
    'cookies that are too long',
    { cookies: [{ name: 'a', value: 'x'.repeat(8_192) }] },
    /^cookies: must have at most/u,
  ],
  [
    'two cookies as one',
    { cookies: [{ name: 'a', value: 'b; c=d' }] },
    /^cookies.0.value: must be of letters/u,
  ],
  [
    'a cookie of two lines',
    { cookies: [{ name: 'a', value: 'b\nc' }] },
    /^cookies.0.value: must be of letters/u,
  ],
  [
    'a cookie whose name is not valid',
    { cookies: [{ name: 'a=b', value: '' }] },
    /^cookies.0.name: must be of letters/u,
  ],
  ['a cookie for a domain', { cookies: [{ name: 'a', value: 'b', domain: 'c' }] }, /^cookies.0: /u],
  [
    'a cookie path without a slash',
    { cookies: [{ name: 'a', value: 'b', path: 'c' }] },
    /^cookies.0.path: must begin with/u,
  ],
  [
    'an empty user name',
    { basicAuth: { username: '' } },
    /^basicAuth.username: must be a name without a colon/u,
  ],
  [
    'a user name with a colon',
    { basicAuth: { username: 'a:b' } },
    /^basicAuth.username: must be a name without a colon/u,
  ],
  [
    'a password of two lines',
    { basicAuth: { username: 'a', password: 'b\nc' } },
    /^basicAuth.password: must be a password on one line/u,
  ],
])('rejects a capture with a wrong option: %s', (_what, more, words) => {
  for (const schema of [captureScreenshotRequest, capturePdfRequest])
    expect(messagesOf(schema, more)).toEqual([expect.stringMatching(words)]);
});

test.each([
  'Host',
  'content-length',
  'Connection',
  'Transfer-Encoding',
  'Origin',
  'Proxy-Authorization',
  'sec-fetch-site',
])('rejects the header %s, which the browser sets', (name) => {
  expect(messagesOf(capturePdfRequest, { headers: { [name]: 'a' } })).toEqual([
    `headers.${name}: must be left out: the browser sets it itself`,
  ]);
});

test('accepts options that may be combined', () => {
  for (const more of [
    { format: 'webp', quality: 1, transparent: true, selector: '#a > .b:not([c])' },
    { format: 'png', clip: { x: 0.5, y: 200_000, width: 7_680, height: 1.5 } },
    { locale: 'zh-Hant-TW', timezone: 'Etc/GMT+1', hideSelectors: ['p'], clickSelectors: ['a', 'a'] },
    { fullPage: true, part: 100_000 },
    { fullPage: true, maxHeight: 16 },
    { headers: { Authorization: 'Bearer a.b', 'X-Token': '"a"\t, b' }, cookies: [{ name: 'a', value: '' }] },
    {
      headers: {},
      basicAuth: { username: 'Zoë' },
      cookies: [{ name: 'a', value: '{"b": 1}', path: '/c/d' }],
    },
  ])
    expect(messagesOf(captureScreenshotRequest, more)).toEqual([]);
  for (const more of [{ pageRanges: ' 1 - 3, 5', paperWidth: '.5in' }, { paperHeight: '10000mm' }])
    expect(messagesOf(capturePdfRequest, more)).toEqual([]);
});

test.each<[string, object, readonly string[]]>([
  ['no page', {}, ['url: must be the address of a page, unless "html" is given in its place']],
  ['two pages', { url, html: '<p>' }, ['html: must be left out if "url" is given: a capture is of one page']],
  ['a URL with a base URL', { url, baseUrl: url }, ['baseUrl: must be left out if "html" is not given']],
  ['empty HTML', { html: '' }, [expect.stringMatching(/^html: /u)]],
  ['HTML that is too long', { html: '€'.repeat(1_666_667) }, ['html: must be HTML of at most 5 MB']],
  [
    'HTML with maxAgeSeconds',
    { html: '<p>', maxAgeSeconds: 1 },
    ['maxAgeSeconds: must be left out if "html" is given'],
  ],
  [
    'HTML with a base that is not an address',
    { html: '<p>', baseUrl: '/shop' },
    [expect.stringMatching(/^baseUrl: must be a whole http or https address/u)],
  ],
  [
    'HTML with headers, cookies and a sign-in',
    { html: '<p>', headers: {}, cookies: [{ name: 'a', value: 'b' }], basicAuth: { username: 'a' } },
    ['headers', 'cookies', 'basicAuth'].map(
      (name) => `${name}: must be left out if "html" is given, because nothing is requested from a server`,
    ),
  ],
])(
  'rejects a capture whose page is missing or wrong, or has parameters that do not go with it: %s',
  (_what, request, messages) => {
    for (const schema of [captureScreenshotRequest, capturePdfRequest, readPageRequest]) {
      const issues = schema.safeParse(request).error?.issues ?? [];
      expect(issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(messages);
    }
  },
);

test('accepts five million bytes of HTML with a base URL', () => {
  expect(readPageRequest.safeParse({ html: 'é'.repeat(2_500_000), baseUrl: url }).success).toBe(true);
});

test('reports one problem for each wrong field, or each wrong part of a cookie, if the values of a PDF request have 12 million characters', () => {
  const long = ' 1,'.repeat(4_000_000);
  const fields = [
    'url',
    'baseUrl',
    'locale',
    'timezone',
    'userAgent',
    'pageRanges',
    'marginTop',
    'paperWidth',
  ];
  const secrets = { headers: { [long]: long }, cookies: [{ name: long, value: long, path: long }] };
  const body = { ...Object.fromEntries(fields.map((field) => [field, long])), ...secrets };
  const { issues = [] } = capturePdfRequest.safeParse({ ...body, basicAuth: { username: long } }).error ?? {};
  expect(issues.map(({ code, path }) => [code, path.join('.')]).toSorted()).toEqual(
    [
      ...fields.map((field) => ['too_big', field]),
      ['custom', 'headers'],
      ...['name', 'value', 'path'].map((part) => ['too_big', `cookies.0.${part}`]),
      ['too_big', 'basicAuth.username'],
    ].toSorted(),
  );
});
