import { parseUrl } from '@signpost/contract';
import { z } from 'zod';
import { settledWithin } from '../../platform/within-time.js';
import type { OpenPage } from './open-page.js';
import { ALL_ELEMENTS } from './page-scroller.js';

/** Functions for the scripts below. They compute what styles derive from the window's size, for its present size. */
const OF_WINDOW = `
  const units = /(?<![\\w-])(-?\\d*\\.?\\d+)[sld]?v(h|b|w|i|min|max)(?![\\w-])/giu;
  const sides = { h: innerHeight, b: innerHeight, w: innerWidth, i: innerWidth, min: Math.min(innerWidth, innerHeight), max: Math.max(innerWidth, innerHeight) };
  const pixels = (value, unit) => (Number(value) * sides[unit.toLowerCase()]) / 100 + 'px';
  const inPixels = (text) => text.replace(units, (_, value, unit) => pixels(value, unit));
  const dependsOnWindow = (media) => /height|width|orientation|aspect-ratio/iu.test(media);
  const outcome = (media) => (matchMedia(media).matches ? 'all' : 'not all');`;

/**
 * A script that freezes what styles derive from the window's size (the outcome of media queries, and viewport units),
 * so that they have the same effect in a larger window. Makes fixed backgrounds scroll with their elements, except
 * those of the root element and the body. Evaluates to whether there are rules that it cannot read.
 */
export const FREEZE_RULES = `(() => {
  ${OF_WINDOW}
  const fix = (style) => {
    if (style.backgroundAttachment?.includes('fixed'))
      style.setProperty('background-attachment', 'scroll', style.getPropertyPriority('background-attachment'));
    const text = style.cssText;
    const fixed = inPixels(text);
    if (fixed !== text) style.cssText = fixed;
  };
  const isOfRoot = (selector) => {
    try {
      return document.documentElement.matches(selector) || document.body?.matches(selector) === true;
    } catch {
      return false;
    }
  };
  let hasForeign = false;
  const visitSheet = (sheet) => {
    try {
      if (sheet.media.length > 0 && dependsOnWindow(sheet.media.mediaText)) sheet.media.mediaText = outcome(sheet.media.mediaText);
      visit(sheet.cssRules);
    } catch {
      // The rules of other origins cannot be read.
      hasForeign = true;
    }
  };
  const visit = (rules) => {
    for (const rule of rules) {
      if (rule instanceof CSSImportRule) visitSheet(rule.styleSheet);
      if (rule instanceof CSSMediaRule && dependsOnWindow(rule.media.mediaText))
        rule.media.mediaText = outcome(rule.media.mediaText);
      if (rule.style !== undefined && !(rule instanceof CSSStyleRule && isOfRoot(rule.selectorText) && rule.style.backgroundAttachment.includes('fixed')))
        fix(rule.style);
      if (rule.cssRules !== undefined) visit(rule.cssRules);
    }
  };
  const all = ${ALL_ELEMENTS};
  const roots = [document, ...all.flatMap(({ shadowRoot }) => (shadowRoot instanceof ShadowRoot ? [shadowRoot] : []))];
  for (const root of roots) for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) visitSheet(sheet);
  for (const element of all) {
    const { style } = element;
    if (style instanceof CSSStyleDeclaration && style.length > 0 && element !== document.body && element !== document.documentElement) fix(style);
  }
  for (const source of document.querySelectorAll('picture source[media]'))
    if (dependsOnWindow(source.media)) source.media = outcome(source.media);
  return hasForeign;
})()`;

/**
 * A script that makes the fixed backgrounds of elements scroll with them, except those of the root element and the
 * body. It does not need to read style rules.
 */
const FREEZE_BACKGROUNDS = `for (const element of ${ALL_ELEMENTS})
  if (element !== document.body && element !== document.documentElement &&
    getComputedStyle(element).backgroundAttachment.includes('fixed'))
    element.style?.setProperty?.('background-attachment', 'scroll', 'important');`;

const MAX_SHEETS = 20;
const MAX_SHEET_CHARACTERS = 2_000_000;
/** The time limit for reading style sheets of other origins, which may have to be fetched again. */
const MAX_READING_MS = 2_000;
/**
 * If the page's own styles are longer, no foreign style sheet is read, because reading one makes the browser report all
 * sheets.
 */
const MAX_OWN_CHARACTERS = 2_000_000;

const OWN_STYLES = `({
  origin: location.origin,
  characters: [...document.querySelectorAll('style')].reduce((sum, { textContent }) => sum + textContent.length, 0),
})`;
const ownStyles = z.object({ origin: z.string(), characters: z.number() });

/**
 * A pattern for the parts of a style sheet that matter: comments, texts and addresses, in which nothing is replaced,
 * and media queries, imports and lengths in viewport units.
 */
const PARTS = [
  String.raw`/\*[^]*?\*/`,
  String.raw`"(?:[^"\\]|\\[^])*"`,
  String.raw`'(?:[^'\\]|\\[^])*'`,
  String.raw`url\((?!\s*["'])(?:[^)\\]|\\[^])*\)`,
  String.raw`@media([^{;]*)`,
  String.raw`(@import)`,
  // A length in viewport units. After an escaped character, such text is part of a name.
  String.raw`(?<!\\[^])(?<=[\s:,(+*/])([-+]?(?:\d+\.?\d*|\.\d+))[sld]?v(h|b|w|i|min|max)(?![\w-])`,
].join('|');

/**
 * Evaluates to a style sheet whose media queries and viewport units are frozen; to null if nothing changes, or if the
 * browser would fetch the sheet's imports again.
 */
const frozenSheet = (text: string) => `((text) => {
  ${OF_WINDOW}
  let hasImports = false;
  const frozen = text.replace(new RegExp(${JSON.stringify(PARTS)}, 'giu'), (part, media, isImport, value, unit) => {
    hasImports ||= isImport !== undefined;
    if (media !== undefined && dependsOnWindow(media)) return '@media ' + outcome(media);
    return value === undefined ? part : pixels(value, unit);
  });
  return hasImports || frozen === text ? null : frozen;
})(${JSON.stringify(text)})`;

/**
 * Freezes at most MAX_SHEETS style sheets of other origins, which the page's scripts cannot read but the protocol can.
 * Changes none once `isLate` returns true, because the window may have another size by then.
 */
async function freezeForeignSheets(open: OpenPage, isLate: () => boolean): Promise<void> {
  const { protocol, document } = open;
  const { origin, characters } = ownStyles.parse(await open.evaluate(OWN_STYLES));
  if (characters > MAX_OWN_CHARACTERS) return;
  const foreign: string[] = [];
  protocol.on('CSS.styleSheetAdded', ({ header: { frameId, sourceURL, length, styleSheetId } }) => {
    const isForeign =
      frameId === document.frameId && ![undefined, origin].includes(parseUrl(sourceURL)?.origin);
    if (isForeign && length <= MAX_SHEET_CHARACTERS && foreign.length < MAX_SHEETS)
      foreign.push(styleSheetId);
  });
  await protocol.send('DOM.enable');
  await protocol.send('CSS.enable');
  for (const styleSheetId of foreign) {
    const { text } = await protocol.send('CSS.getStyleSheetText', { styleSheetId });
    if (isLate()) break;
    const frozen = await open.evaluate(frozenSheet(text));
    if (typeof frozen === 'string' && !isLate())
      await protocol.send('CSS.setStyleSheetText', { styleSheetId, text: frozen });
  }
  await protocol.send('CSS.disable');
  await protocol.send('DOM.disable');
}

/** Freezes what the page's styles derive from the window's size, as far as the styles can be read in time. */
export async function freezeStyles(open: OpenPage): Promise<void> {
  if ((await open.evaluate(FREEZE_RULES)) !== true) return;
  let isLate = false;
  const frozen = freezeForeignSheets(open, () => isLate);
  await open.deadline.race(settledWithin(frozen, MAX_READING_MS));
  isLate = true;
  await open.evaluate(FREEZE_BACKGROUNDS);
}
