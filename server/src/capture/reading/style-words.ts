/**
 * The part of the script that reads the words that a page's styles write before and after an element, such as
 * " (required)" or a price's "£". Icons, counters and other signs are left out.
 */
export const STYLE_WORDS = String.raw`
  const WORDED = /[\p{L}\p{N}\p{Sc}%“”]/u;
  const ICON_FONT = /icon|icomoon|awesome|material|symbol|glyph|dingbat|fontello|etmodules|woocommerce|^"?star"?(?:,|$)/iu;
  const MAX_STYLE_WORDS = 1_000;
  /**
   * Matches the parts of a computed "content": a function such as url("…") or counter(…), a string, "open-quote" or
   * "close-quote", or the slash before the alternative text.
   */
  const CONTENT = /\b[a-z-]+\((?:"(?:[^"\\]|\\[^])*"|\((?:"(?:[^"\\]|\\[^])*"|[^"()])*\)|[^"()])*\)|"((?:[^"\\]|\\[^])*)"|\b(open-quote)|\b(close-quote)|( \/ )/gu;
  /**
   * The strings of a computed "content" in one line, without the alternative text after a slash. If isQuote is set,
   * open-quote and close-quote become “ and ”.
   */
  const stringsIn = (content, isQuote) => {
    const words = [];
    for (const [, text, open, close, slash] of content.matchAll(CONTENT)) {
      if (text !== undefined)
        words.push(text.replace(/\\([0-9a-f]{1,6}) ?|\\([^])/giu, (_all, code, sign) => sign ?? String.fromCodePoint(Number.parseInt(code, 16))));
      else if (isQuote && open !== undefined) words.push('“');
      else if (isQuote && close !== undefined) words.push('”');
      else if (slash !== undefined) break;
    }
    return cleaned(words.join('').slice(0, MAX_STYLE_WORDS)).replace(/\s+/gu, ' ');
  };
  const isPlacedAway = ({ position, left, top, textIndent, transform }) =>
    Number.parseFloat(textIndent) < -500 || transform.startsWith('matrix(0, 0, 0, 0,') ||
    (/absolute|fixed/u.test(position) && (Number.parseFloat(left) < -500 || Number.parseFloat(top) < -500));
  /** Whether the words before or after an element can be seen, if the element itself can. */
  const isWritten = (style, paint) => {
    if (style.display === 'none' || style.visibility !== 'visible' || Number(style.opacity) < 0.02) return false;
    if (Number.parseFloat(style.fontSize) < MIN_LETTER_PIXELS || ICON_FONT.test(style.fontFamily)) return false;
    if (isCutAway(style) || isPlacedAway(style)) return false;
    if (clips(style) && (Number.parseFloat(style.width) <= 1 || Number.parseFloat(style.height) <= 1)) return false;
    const colour = colourOf(style.webkitTextFillColor);
    if (colour[3] < 0.05) return false;
    const hasOwnPaint = style.backgroundImage !== 'none' || colourOf(style.backgroundColor)[3] > 0;
    return paint === null || hasOwnPaint || !areAlike(mixed(colour, paint.colour), paint.colour);
  };
  const isTight = (style) =>
    style.display === 'inline' && [style.marginLeft, style.marginRight, style.paddingLeft, style.paddingRight].every((side) => Number.parseFloat(side) < 3);
  const addStyleWords = (element, name, target, context) => {
    if (!isHtml(element)) return;
    const style = getComputedStyle(element, name);
    const { content } = style;
    if (content === 'none' || content === 'normal') return;
    const words = stringsIn(content, localNameOf(element) === 'q');
    if (!WORDED.test(words)) {
      if (/\s/u.test(words) && last !== null) last.isSpaced = true;
      return;
    }
    // In code, words without letters are usually line numbers.
    if (context.isCode && !/\p{L}/u.test(words)) return;
    const box = boxOf(element);
    const hasBox = box.width > 0 || box.height > 0;
    if (!isWritten(style, context.paint)) return;
    if (context.style.display !== 'contents' && (!hasBox || isOutOfReach(element, box, context))) return;
    if (context.isCode || isTight(style)) append(target, words);
    else say(target, words);
  };`;
