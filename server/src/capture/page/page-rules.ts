import { type CapturePdfRequest, inches } from '@signpost/contract';
import { z } from 'zod';
import { type HeaderFooterRoom, PIXELS_PER_INCH } from './header-footer.js';
import type { OpenPage } from './open-page.js';

/**
 * A script that defines `rules`, the styles of the page's `@page` rules, and `isHidden`, whether there may be more
 * in style sheets that cannot be read.
 */
const COLLECT_RULES = `
  const rules = [];
  let isHidden = false;
  const isForPaper = (media) => media.length === 0 || [...media].some((query) => !/^(?:only )?screen/iu.test(query));
  const rulesOf = (sheet) => {
    try {
      return isForPaper(sheet.media) ? [...sheet.cssRules] : [];
    } catch {
      isHidden = true;
      return [];
    }
  };
  const collect = (rule) => {
    if (rule instanceof CSSPageRule) rules.push(rule.style);
    if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null) rulesOf(rule.styleSheet).forEach(collect);
    } else if (rule.cssRules !== undefined && (!(rule instanceof CSSMediaRule) || isForPaper(rule.media)))
      [...rule.cssRules].forEach(collect);
  };
  [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(rulesOf).forEach(collect);`;

/**
 * A script that increases the top and bottom margins in the page's own `@page` rules to what the header and footer
 * need, because these rules override the paper's margins. If a style sheet that cannot be read may have more such
 * rules, it adds the paper's margins as important and, after them, the margins that can be read, under their
 * conditions.
 */
const enforceMinimumMargins = ({ top, bottom }: HeaderFooterRoom, paper: PaperMargins) => `(() => {
  const least = [['margin-top', '${top}in'], ['margin-bottom', '${bottom}in']];
  const ofPaper = [['margin-top', '${paper.marginTop}in'], ['margin-bottom', '${paper.marginBottom}in']];
  ${COLLECT_RULES}
  for (const style of rules)
    for (const [name, length] of least) {
      const own = style.getPropertyValue(name);
      if (own !== '') style.setProperty(name, 'max(' + own + ', ' + length + ')', style.getPropertyPriority(name));
    }
  if (!isHidden) return;
  const pageRule = (selector, lengths) =>
    '@page ' + selector + '{' + lengths.map(([name, length]) => name + ':' + length + '!important;').join('') + '}';
  const under = (media, text) => media.length === 0 ? text : '@media ' + media.mediaText + '{' + text + '}';
  const within = (rule, text) => {
    const { parentRule, parentStyleSheet } = rule;
    const inner = rule instanceof CSSMediaRule ? under(rule.media, text)
      : rule instanceof CSSSupportsRule ? '@supports ' + rule.conditionText + '{' + text + '}' : text;
    if (parentRule !== null) return within(parentRule, inner);
    const outer = under(parentStyleSheet.media, inner);
    return parentStyleSheet.ownerRule === null ? outer : within(parentStyleSheet.ownerRule, outer);
  };
  // All margins become important here, so those that already were important come last, and win.
  const readable = ['', 'important'].flatMap((priority) => rules.map((style) => {
    const own = least.map(([name]) => [name, style.getPropertyValue(name)]).filter(([name, length]) =>
      length !== '' && style.getPropertyPriority(name) === priority);
    return own.length === 0 ? '' : within(style.parentRule, pageRule(style.parentRule.selectorText, own));
  }));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([pageRule('', ofPaper), ...readable].join(''));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** The margins of the paper, in inches, which are at least what the header and footer need. */
interface PaperMargins {
  readonly marginTop: number;
  readonly marginBottom: number;
}

/** Keeps the page's content away from the header and footer, although the page's own styles may set other margins. */
export async function reserveMargins(
  open: OpenPage,
  room: HeaderFooterRoom,
  paper: PaperMargins,
): Promise<void> {
  if (room.top + room.bottom > 0) await open.evaluate(enforceMinimumMargins(room, paper));
}

const marginField = z.enum(['marginTop', 'marginBottom', 'marginLeft', 'marginRight']);

/** A script that finds which of these margins, in pixels, the page's own rules override. */
const findOverriddenMargins = (
  margins: readonly { readonly field: string; readonly pixels: number }[],
) => `(() => {
  ${COLLECT_RULES}
  const differs = (text, pixels) => {
    try {
      return Math.abs(CSSNumericValue.parse(text).to('px').value - pixels) > 0.5;
    } catch {
      return true;
    }
  };
  return ${JSON.stringify(margins)}.flatMap(({ field, pixels }) => {
    const name = 'margin-' + field.replace('margin', '').toLowerCase();
    const own = rules.map((style) => style.getPropertyValue(name));
    return own.some((text) => text !== '' && differs(text, pixels)) ? [field] : [];
  });
})()`;

/**
 * The names of the request's margin fields that the page overrides with its own `@page` rules, as far as those can be
 * read.
 */
export async function overriddenMargins(
  open: OpenPage,
  request: CapturePdfRequest,
): Promise<readonly string[]> {
  const requested = marginField.options.flatMap((field) => {
    const length = request[field];
    return length === undefined ? [] : [{ field, pixels: inches(length) * PIXELS_PER_INCH }];
  });
  if (requested.length === 0) return [];
  return z.array(marginField).parse(await open.evaluate(findOverriddenMargins(requested)));
}

/**
 * Evaluates to the sheet that the page's own `@page` rules ask for, in pixels. Rules for certain sheets only, such as
 * the first or named ones, do not count.
 */
const OWN_SHEET = `(() => {
  ${COLLECT_RULES}
  const plain = rules.filter(({ parentRule }) => parentRule.selectorText === '');
  const last = (name) => plain.map((style) => style.getPropertyValue(name)).findLast((text) => text !== '') ?? '';
  const pixels = (text) => {
    try {
      return CSSNumericValue.parse(text).to('px').value;
    } catch {
      return null;
    }
  };
  const words = last('size').toLowerCase().split(' ');
  return {
    names: words.filter((word) => /^[a-z]+[0-9]?$/u.test(word)),
    lengths: words.map(pixels).filter((length) => length !== null),
    left: pixels(last('margin-left')),
    right: pixels(last('margin-right')),
  };
})()`;
const ownSheet = z.object({
  /** The words that state the size of the sheet, such as "a5" and "landscape"; empty if there are none. */
  names: z.array(z.string()),
  /** The sheet's width and height, or a single length for both; empty if the page states no lengths. */
  lengths: z.array(z.number()),
  left: z.number().nullable(),
  right: z.number().nullable(),
});

export const readOwnSheet = async (open: OpenPage): Promise<z.output<typeof ownSheet>> =>
  ownSheet.parse(await open.evaluate(OWN_SHEET));
