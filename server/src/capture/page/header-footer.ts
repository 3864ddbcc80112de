import type { CapturePdfRequest } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';
import type { BlankPage } from '../browser/blank-page.js';
import { ProtocolError } from '../browser/protocol/protocol-errors.js';

const line = (content: string) =>
  `<div style="width:100%;padding:0 1cm;font:8px sans-serif;text-align:center;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${content}</div>`;
const HEADER = line('<span class="title"></span>');
const FOOTER = line('<span class="pageNumber"></span> / <span class="totalPages"></span>');
/**
 * Used for a header or footer that the request does not ask for, because the browser would print its own in place of an
 * omitted one.
 */
const NOTHING = '<span></span>';

/** The minimum space for a header or footer: enough for one line. */
const LINE_INCHES = 1 / 2.54;
/** The space between the edge of the paper and the header or footer. */
const EDGE_PIXELS = 20;
/** The space between the header or footer and the content. */
const GAP_PIXELS = 8;
export const PIXELS_PER_INCH = 96;

/**
 * Makes a header or footer readable: the browser's default font size is 1 pixel. The box has no layout of its own,
 * so that the parts stay side by side.
 */
const withReadableFont = (html: string) => `<div style="display:contents;font-size:10px">${html}</div>`;

type HeaderAndFooter = Pick<CapturePdfRequest, 'displayHeaderFooter' | 'headerHtml' | 'footerHtml'>;

/** The browser's printing options for the header and footer of each sheet. */
export function headerFooterOptions({ displayHeaderFooter, headerHtml, footerHtml }: HeaderAndFooter) {
  const defaults = displayHeaderFooter
    ? { header: HEADER, footer: FOOTER }
    : { header: NOTHING, footer: NOTHING };
  return {
    displayHeaderFooter: displayHeaderFooter || (headerHtml ?? footerHtml) !== undefined,
    headerTemplate: headerHtml === undefined ? defaults.header : withReadableFont(headerHtml),
    footerTemplate: footerHtml === undefined ? defaults.footer : withReadableFont(footerHtml),
  };
}

const cannotPrint = (fields: readonly string[]) =>
  new ServiceError(
    'invalidRequest',
    `The browser cannot print ${fields.map((name) => `"${name}"`).join(' and ')}. A header or footer cannot load style sheets, @import, fonts or clip paths from the network: write the styles into it, and embed the rest as data: addresses.`,
  );

const MAX_DECODING_MS = 1_000;

/**
 * A script that measures the height in pixels at which the browser prints HTML as a header or footer: there its
 * parts are side by side, and no scripts run.
 */
const heightOf = (html: string, widthPixels: number) => `(async () => {
  document.open();
  document.write('<!doctype html><body style="margin:0">');
  document.close();
  const box = document.createElement('div');
  box.style.cssText = 'display:flex;font-size:1px;width:${widthPixels}px';
  const parsed = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html');
  for (const element of parsed.querySelectorAll('script, iframe, object, embed, link, meta, base')) element.remove();
  for (const element of parsed.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (/^on/iu.test(name)) element.removeAttribute(name);
  box.append(...parsed.head.childNodes, ...parsed.body.childNodes);
  document.body.append(box);
  const images = [...box.querySelectorAll('img')].filter(({ src }) => src.startsWith('data:'));
  const late = new Promise((resolve) => setTimeout(resolve, ${MAX_DECODING_MS}));
  await Promise.race([late, Promise.allSettled(images.map((image) => image.decode()))]);
  return Math.max(box.getBoundingClientRect().height, box.scrollHeight);
})()`;

/** The top and bottom margins that the header and the footer need, in inches. */
export interface HeaderFooterRoom {
  readonly top: number;
  readonly bottom: number;
}

const measured = z.number();

/**
 * Measures the margins for the header and footer while the page is still blank, because the page's own policy could
 * interfere.
 */
export async function measureHeaderFooter(
  { protocol }: BlankPage,
  request: HeaderAndFooter,
  paperWidthInches: number,
): Promise<HeaderFooterRoom> {
  if (!headerFooterOptions(request).displayHeaderFooter) return { top: 0, bottom: 0 };
  const roomFor = async (html: string | undefined) => {
    if (html === undefined) return LINE_INCHES;
    const expression = heightOf(withReadableFont(html), paperWidthInches * PIXELS_PER_INCH);
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await protocol.send('Runtime.evaluate', params);
    const pixels = measured.parse(result.value) + EDGE_PIXELS + GAP_PIXELS;
    return Math.max(LINE_INCHES, pixels / PIXELS_PER_INCH);
  };
  return { top: await roomFor(request.headerHtml), bottom: await roomFor(request.footerHtml) };
}

/**
 * Matches HTML that may load something; a backslash or `&` can encode the other words. Other HTML is not checked,
 * because a check means printing once.
 */
const MAY_LOAD = /@|\\|&|url|src|href|poster|data\s*=/iu;

/**
 * Throws a ServiceError if the header or footer may load something and even a blank page cannot be printed with both.
 * Chromium 156 ends the page's process if one loads a style sheet, an import, a font or a clip path from the network.
 */
export async function checkHeaderFooter({ protocol }: BlankPage, request: HeaderAndFooter): Promise<void> {
  const { headerHtml, footerHtml } = request;
  const fields = Object.entries({ headerHtml, footerHtml }).filter(([, html = '']) => MAY_LOAD.test(html));
  if (fields.length === 0) return;
  const crashed = new Promise<boolean>((resolve) =>
    protocol.on('Inspector.targetCrashed', () => resolve(false)),
  );
  const printing = protocol.send('Page.printToPDF', headerFooterOptions(request)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ProtocolError) return false;
      throw error;
    },
  );
  if (!(await Promise.race([printing, crashed]))) throw cannotPrint(fields.map(([name]) => name));
}
