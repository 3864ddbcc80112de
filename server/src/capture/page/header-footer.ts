import type { CapturePdfRequest } from '@signpost/contract';
import { z } from 'zod';
import type { BlankPage } from '../browser/blank-page.js';
import type { OpenPage } from './open-page.js';

const line = (content: string) =>
  `<div style="width:100%;padding:0 1cm;font:8px sans-serif;text-align:center;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">${content}</div>`;
const HEADER = line('<span class="title"></span>');
const FOOTER = line('<span class="pageNumber"></span> / <span class="totalPages"></span>');
/** In place of an empty one the browser would take its own. */
const NOTHING = '<span></span>';

/** Room for the header and the footer, where it suffices. */
const LINE_INCHES = 1 / 2.54;
/** Between the edge of the paper and what is printed at the head or the foot of it. */
const EDGE_PIXELS = 20;
/** Between that and the content. */
const GAP_PIXELS = 8;
export const PIXELS_PER_INCH = 96;

type HeaderAndFooter = Pick<CapturePdfRequest, 'displayHeaderFooter' | 'headerHtml' | 'footerHtml'>;

/** What is printed at the head and at the foot of each sheet. */
export function headerAndFooter({ displayHeaderFooter, headerHtml, footerHtml }: HeaderAndFooter) {
  const ours = displayHeaderFooter
    ? { header: HEADER, footer: FOOTER }
    : { header: NOTHING, footer: NOTHING };
  return {
    displayHeaderFooter: displayHeaderFooter || (headerHtml ?? footerHtml) !== undefined,
    headerTemplate: headerHtml ?? ours.header,
    footerTemplate: footerHtml ?? ours.footer,
  };
}

const MAX_DECODING_MS = 1_000;

/**
 * How tall the browser prints HTML at the head or the foot of a sheet, in pixels: its parts stand side by side there,
 * and nothing of it runs.
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

/** Margins at the top and the bottom that hold the header and the footer, in inches. */
export interface HeaderFooterRoom {
  readonly top: number;
  readonly bottom: number;
}

const measured = z.number();

/**
 * Measures what is to be printed at the head and at the foot, on a page that is still blank: a page's own policy would
 * have a say in it.
 */
export async function measureHeaderFooter(
  { protocol }: BlankPage,
  request: HeaderAndFooter,
  paperWidthInches: number,
): Promise<HeaderFooterRoom> {
  if (!headerAndFooter(request).displayHeaderFooter) return { top: 0, bottom: 0 };
  const roomFor = async (html: string | undefined) => {
    if (html === undefined) return LINE_INCHES;
    const expression = heightOf(html, paperWidthInches * PIXELS_PER_INCH);
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await protocol.send('Runtime.evaluate', asked);
    const pixels = measured.parse(result.value) + EDGE_PIXELS + GAP_PIXELS;
    return Math.max(LINE_INCHES, pixels / PIXELS_PER_INCH);
  };
  return { top: await roomFor(request.headerHtml), bottom: await roomFor(request.footerHtml) };
}

/**
 * Makes margins that the page gives its sheets itself, which hold before those of the paper, at least so wide. Where
 * they may stand in a sheet of styles that cannot be read, all sheets get just these.
 */
const atLeast = ({ top, bottom }: HeaderFooterRoom) => `(() => {
  const least = [['margin-top', '${top}in'], ['margin-bottom', '${bottom}in']];
  const sheets = [];
  let isHidden = false;
  const rulesOf = (sheet) => {
    try {
      return [...sheet.cssRules];
    } catch {
      isHidden = true;
      return [];
    }
  };
  const collect = (rule) => {
    if (rule instanceof CSSPageRule) sheets.push(rule.style);
    const inside = rule instanceof CSSImportRule ? rule.styleSheet : rule;
    if (inside?.cssRules !== undefined) rulesOf(inside).forEach(collect);
  };
  [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(rulesOf).forEach(collect);
  for (const style of sheets)
    for (const [name, length] of least) {
      const own = style.getPropertyValue(name);
      if (own !== '') style.setProperty(name, 'max(' + own + ', ' + length + ')', style.getPropertyPriority(name));
    }
  if (!isHidden || sheets.length > 0) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('@page {' + least.map(([name, length]) => name + ':' + length + '!important').join(';') + '}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** Keeps the page's content from what is printed at the head and at the foot, whatever its own styles say. */
export async function keepRoom(open: OpenPage, room: HeaderFooterRoom): Promise<void> {
  if (room.top + room.bottom > 0) await open.evaluate(atLeast(room));
}
