import { capturePdfRequest, captureScreenshotRequest, readPageRequest } from '@signpost/contract';
import { outcome } from '../../../test/fixtures/capture/outcome.js';
import { parseRequest } from './invalid-request.js';

const url = 'https://example.com';
const piece = { x: 0, y: 0, width: 10, height: 10 };
const DEVICES = /^"device" must be one of the 207 names that the reference lists, such as ".+", but is 5\.$/u;

const SCHEMAS = { screenshot: captureScreenshotRequest, PDF: capturePdfRequest, text: readPageRequest };
type Kind = keyof typeof SCHEMAS;

/** An invalid request, and its whole error message or a pattern that the message matches. */
type Case = readonly [request: object, sentence: string | RegExp];

const OF_EVERY_KIND: readonly Case[] = [
  [
    { url: undefined },
    '"url" is missing: it must be the address of a page, unless "html" is given in its place.',
  ],
  [
    { url: 'example.com' },
    '"url" must be a whole http or https address such as "https://example.com/page", but is "example.com".',
  ],
  [{ html: '<p>' }, '"html" must be left out if "url" is given: a capture is of one page, but is "<p>".'],
  [{ url: undefined, html: '€'.repeat(1_666_667) }, /^"html" must be HTML of at most 5 MB, but is "€+…\.$/u],
  [{ url: undefined, html: '' }, '"html" must be a string of 1 to 5000000 characters, but is "".'],
  [{ baseUrl: url }, '"baseUrl" must be left out if "html" is not given, but is "https://example.com".'],
  [
    { url: undefined, html: '<p>', baseUrl: '/shop' },
    '"baseUrl" must be a whole http or https address such as "https://example.com/page", but is "/shop".',
  ],
  [
    { waitUntil: 'soon' },
    '"waitUntil" must be one of "load", "domContentLoaded", "networkIdle", but is "soon".',
  ],
  [{ waitForSelector: '' }, '"waitForSelector" must be a string of 1 to 1000 characters, but is "".'],
  [{ waitMs: 10_001 }, '"waitMs" must be a whole number from 0 to 10000, but is 10001.'],
  [{ waitMs: 0.5 }, '"waitMs" must be a whole number from 0 to 10000, but is 0.5.'],
  [{ timeoutMs: 999 }, '"timeoutMs" must be a whole number from 1000 to 600000, but is 999.'],
  [{ onTimeout: 'wait' }, '"onTimeout" must be one of "error", "capture", but is "wait".'],
  [{ animations: 'stop' }, '"animations" must be one of "finish", "allow", but is "stop".'],
  [{ device: 5 }, DEVICES],
  [{ scaleFactor: 0.5 }, '"scaleFactor" must be a number from 1 to 3, but is 0.5.'],
  [{ colorScheme: 'blue' }, '"colorScheme" must be one of "light", "dark", but is "blue".'],
  [{ media: 'tv' }, '"media" must be one of "screen", "print", but is "tv".'],
  [{ locale: 'en_GB' }, '"locale" must be a language tag such as "en-GB" or "cy", but is "en_GB".'],
  [
    { timezone: 'Mars/Olympus' },
    '"timezone" must be an IANA time zone such as "Europe/London", but is "Mars/Olympus".',
  ],
  [{ userAgent: 'Zoë' }, '"userAgent" must be of letters, digits and signs of ASCII, but is "Zoë".'],
  [{ javaScript: 'off' }, '"javaScript" must be true or false, but is "off".'],
  [{ hideSelectors: [] }, '"hideSelectors" must be a list of 1 to 20 strings, but is a list of 0.'],
  [{ hideSelectors: [''] }, '"hideSelectors[0]" must be a string of 1 to 1000 characters, but is "".'],
  [{ hideSelectors: 'p' }, '"hideSelectors" must be a list of 1 to 20 strings, but is "p".'],
  [
    { clickSelectors: Array(6).fill('p') },
    '"clickSelectors" must be a list of 1 to 5 strings, but is a list of 6.',
  ],
  [{ steps: [] }, '"steps" must be a list of 1 to 20 objects, but is a list of 0.'],
  [{ steps: [{ click: 'a', hover: 'a' }] }, /^"steps\[0\]" must have exactly one of "click", .+\.$/u],
  [{ steps: [{ fill: 'a' }] }, '"steps[0].value" is missing: it must be given with "fill".'],
  [
    { steps: [{ fill: 'a', value: 5 }] },
    '"steps[0].value" must be a string of at most 10000 characters, but is a number.',
  ],
  [
    { steps: [{ press: '\u0007' }] },
    '"steps[0].press" must be a key by its name in KeyboardEvent.key, such as "Enter" or "Control+a", but is a string.',
  ],
  [
    { steps: [{ goto: 'example.com' }] },
    '"steps[0].goto" must be a whole http or https address such as "https://example.com/page", but is a string.',
  ],
  [
    { steps: [{ click: 'a' }], clickSelectors: ['a'] },
    '"steps" must be left out if "clickSelectors" is given: click with a step, but is a list of 1.',
  ],
  [{ css: '' }, '"css" must be a string of 1 to 65536 characters, but is "".'],
  [{ blockCookieBanners: 'yes' }, '"blockCookieBanners" must be true or false, but is "yes".'],
  [{ blockAds: 1 }, '"blockAds" must be true or false, but is 1.'],
  [{ failOnPageStatus: 404 }, '"failOnPageStatus" must be true or false, but is 404.'],
  [{ maxAgeSeconds: 86_401 }, '"maxAgeSeconds" must be a whole number from 0 to 86400, but is 86401.'],
  [
    { url: undefined, html: '<p>', maxAgeSeconds: 1 },
    '"maxAgeSeconds" must be left out if "html" is given, but is 1.',
  ],
  [{ headers: 'X-Token: a' }, '"headers" must be an object of strings, but is a string.'],
  [{ headers: { 'X-Token': 5 } }, '"headers.X-Token" must be a string, but is a number.'],
  [
    { headers: { 'X Token': 'a' } },
    '"headers" must have names of letters, digits and hyphens, such as "X-Token".',
  ],
  [
    { headers: { Host: 'a' } },
    '"headers.Host" must be left out: the browser sets it itself, but is a string.',
  ],
  [
    { headers: { 'X-Token': 'a' }, maxAgeSeconds: 1 },
    '"headers" must be left out if "maxAgeSeconds" is given, because credentials are not kept.',
  ],
  [{ cookies: [] }, '"cookies" must be a list of 1 to 50 objects, but is a list of 0.'],
  [
    { cookies: [{ name: 'a=b', value: '' }] },
    '"cookies[0].name" must be of letters, digits and hyphens, such as "session", but is a string.',
  ],
  [
    { cookies: [{ name: 'a' }] },
    '"cookies[0].value" is missing: it must be a string of at most 8192 characters.',
  ],
  [
    { cookies: [{ name: 'a', value: 'b', path: 'c' }] },
    '"cookies[0].path" must begin with "/", such as "/account", without spaces and semicolons, but is a string.',
  ],
  [{ basicAuth: 'a:b' }, '"basicAuth" must be an object with "username", "password", but is a string.'],
  [
    { basicAuth: { username: 'a:b' } },
    '"basicAuth.username" must be a name without a colon, but is a string.',
  ],
];

const OF_SCREENSHOTS: readonly Case[] = [
  [{ width: 15 }, '"width" must be a whole number from 16 to 7680, but is 15.'],
  [{ height: 7_681 }, '"height" must be a whole number from 16 to 7680, but is 7681.'],
  [{ fullPage: 'yes' }, '"fullPage" must be true or false, but is "yes".'],
  [
    { fullPage: true, clip: piece },
    '"fullPage" must be left out if "clip" or "selector" chooses a part of the page, but is true.',
  ],
  [{ format: 'gif' }, '"format" must be one of "png", "jpeg", "webp", but is "gif".'],
  [{ format: 'jpeg', quality: 101 }, '"quality" must be a whole number from 1 to 100, but is 101.'],
  [{ quality: 50 }, '"quality" must be left out for a PNG, which loses nothing, but is 50.'],
  [{ selector: 5 }, '"selector" must be a string of 1 to 1000 characters, but is 5.'],
  [{ clip: 5 }, '"clip" must be an object with "x", "y", "width", "height", but is 5.'],
  [{ clip: { ...piece, width: 0.5 } }, '"clip.width" must be a number from 1 to 7680, but is 0.5.'],
  [{ clip: { ...piece, x: -1 } }, '"clip.x" must be a number from 0 to 200000, but is -1.'],
  [{ clip: { ...piece, z: 1 } }, 'In "clip": "z" is not a field: did you mean "x"?'],
  [{ clip: piece, selector: 'p' }, '"clip" must be left out if "selector" is given.'],
  [{ transparent: 'yes' }, '"transparent" must be true or false, but is "yes".'],
  [
    { transparent: true, format: 'jpeg' },
    '"transparent" must be left out for a JPEG, which has no transparency, but is true.',
  ],
  [{ fullPage: true, maxHeight: 15 }, '"maxHeight" must be a whole number from 16 to 200000, but is 15.'],
  [{ maxHeight: 500 }, '"maxHeight" must be left out if "fullPage" is not true, but is 500.'],
  [{ part: 0 }, '"part" must be a whole number from 1 to 100000, but is 0.'],
  [
    { part: 1, selector: 'p' },
    '"part" must be left out if "clip", "selector" or "maxHeight" is given, but is 1.',
  ],
];

const LENGTH = 'must be a number with cm, mm, in, px, pt, pc or Q, such as';
const MARGIN = `${LENGTH} "1cm" or "0.5in", or 0`;
const PAPER = `${LENGTH} "21cm" or "8.5in"`;

const OF_PDFS: readonly Case[] = [
  [
    { format: 'Foolscap' },
    '"format" must be one of "A4", "Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A5", "A6", but is "Foolscap".',
  ],
  [{ landscape: 'yes' }, '"landscape" must be true or false, but is "yes".'],
  [{ printBackground: 'no' }, '"printBackground" must be true or false, but is "no".'],
  [{ scale: 2.1 }, '"scale" must be a number from 0.1 to 2, but is 2.1.'],
  [{ displayHeaderFooter: 1 }, '"displayHeaderFooter" must be true or false, but is 1.'],
  [{ marginTop: '1em' }, `"marginTop" ${MARGIN}, but is "1em".`],
  [{ marginBottom: '-1cm' }, `"marginBottom" ${MARGIN}, but is "-1cm".`],
  [{ marginLeft: '1' }, `"marginLeft" ${MARGIN}, but is "1".`],
  [{ marginRight: '10001px' }, '"marginRight" must be at most 10000 of its unit, but is "10001px".'],
  [{ width: 7681 }, '"width" must be a whole number from 16 to 7680, but is 7681.'],
  [{ fixedElements: 'last' }, '"fixedElements" must be one of "repeat", "first", but is "last".'],
  [{ pageRanges: '1-0' }, '"pageRanges" must be pages such as "1-3, 5" or "2-", but is "1-0".'],
  [{ paperWidth: '21' }, `"paperWidth" ${PAPER}, but is "21".`],
  [{ paperWidth: '10001mm' }, '"paperWidth" must be at most 10000 of its unit, but is "10001mm".'],
  [{ paperHeight: '0cm' }, '"paperHeight" must be more than 0, but is "0cm".'],
  [{ paperHeight: '10001mm' }, '"paperHeight" must be at most 10000 of its unit, but is "10001mm".'],
  [{ preferCssPageSize: 'yes' }, '"preferCssPageSize" must be true or false, but is "yes".'],
  [{ tagged: 'no' }, '"tagged" must be true or false, but is "no".'],
  [{ outline: 0 }, '"outline" must be true or false, but is 0.'],
  [{ singlePage: 1 }, '"singlePage" must be true or false, but is 1.'],
  [
    { singlePage: true, pageRanges: '1' },
    '"pageRanges" must be left out if "singlePage" is true, but is "1".',
  ],
  [{ headerHtml: '' }, '"headerHtml" must be a string of 1 to 20000 characters, but is "".'],
  [{ footerHtml: 5 }, '"footerHtml" must be a string of 1 to 20000 characters, but is 5.'],
];

const OF_TEXTS: readonly Case[] = [
  [{ format: 'pdf' }, '"format" must be one of "markdown", "text", "html", but is "pdf".'],
  [{ mainContentOnly: 'no' }, '"mainContentOnly" must be true or false, but is "no".'],
  [{ maxCharacters: 499 }, '"maxCharacters" must be a whole number from 500 to 500000, but is 499.'],
  [{ offset: -1 }, '"offset" must be a whole number from 0 to 2000000, but is -1.'],
  [{ selector: '' }, '"selector" must be a string of 1 to 1000 characters, but is "".'],
  [{ findTexts: [] }, '"findTexts" must be a list of 1 to 5 strings, but is a list of 0.'],
  [{ findTexts: ['a'] }, '"findTexts[0]" must be a string of 2 to 200 characters, but is "a".'],
  [{ headings: 'yes' }, '"headings" must be true or false, but is "yes".'],
  [{ includeLinks: 'yes' }, '"includeLinks" must be true or false, but is "yes".'],
];

const CASES: Readonly<Record<Kind, readonly Case[]>> = {
  screenshot: [...OF_EVERY_KIND, ...OF_SCREENSHOTS],
  PDF: [...OF_EVERY_KIND, ...OF_PDFS],
  text: [...OF_EVERY_KIND, ...OF_TEXTS],
};
const KINDS: readonly Kind[] = ['screenshot', 'PDF', 'text'];

const rejectionOf = (kind: Kind, request: object) =>
  outcome(new Promise((resolve) => resolve(parseRequest(SCHEMAS[kind], { url, ...request }))));

test.each(KINDS)('an invalid field of a %s request is rejected with a message about it', async (kind) => {
  for (const [request, sentence] of CASES[kind]) {
    const message: unknown = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence);
    expect({ request, ...(await rejectionOf(kind, request)) }).toEqual({
      request,
      kind: 'invalidRequest',
      message,
    });
  }
});

test.each(KINDS)('this file has an invalid request for every field of a %s request', (kind) => {
  const told = CASES[kind].map(([, sentence]) => /"(\w+)/u.exec(String(sentence))?.[1]);

  expect(Object.keys(SCHEMAS[kind].shape).filter((field) => !told.includes(field))).toEqual([]);
});
