/** The writing systems that are checked, by their names in Unicode, and emoji. */
const SCRIPTS = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Bengali'],
  ...['Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao'],
  ...['Khmer', 'Myanmar', 'Tibetan', 'Ethiopic', 'Han', 'Hiragana', 'Katakana', 'Hangul'],
] as const;
const MAX_TEXTS = 20_000;
const MAX_TEXT_CHARACTERS = 2_000;
const CANVAS_PIXELS = 48;
const LETTER_PIXELS = 32;

/**
 * Evaluates to the writing systems in the visible text whose letters no font can show, including fonts that the page
 * loads. A letter without a font looks like a character that does not exist, or like nothing.
 */
export const MISSING_FONTS = `(() => { try {
  const wanted = new Map(${JSON.stringify(SCRIPTS)}.map((name) =>
    [name, new RegExp('(?=\\\\p{L})\\\\p{Script=' + name + '}', 'u')]));
  wanted.set('emoji', /\\p{Emoji_Presentation}/u);
  const found = [];
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let count = 0; count < ${MAX_TEXTS} && wanted.size > 0 && texts.nextNode() !== null; count += 1) {
    const { data, parentElement } = texts.currentNode;
    const text = data.slice(0, ${MAX_TEXT_CHARACTERS});
    if (!wanted.has('Latin') && !/[^\\0-\\x7F]/u.test(text)) continue;
    let isVisible;
    for (const [name, pattern] of wanted) {
      const letter = pattern.exec(text)?.[0];
      if (letter === undefined) continue;
      isVisible ??= parentElement?.checkVisibility({ visibilityProperty: true }) === true;
      if (!isVisible) break;
      wanted.delete(name);
      found.push([name, letter, getComputedStyle(parentElement).fontFamily]);
    }
  }
  if (found.length === 0) return [];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = ${CANVAS_PIXELS};
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const draw = (letter, family) => {
    context.clearRect(0, 0, ${CANVAS_PIXELS}, ${CANVAS_PIXELS});
    context.font = '${LETTER_PIXELS}px ' + family;
    context.fillText(letter, 4, 36);
    return context.getImageData(0, 0, ${CANVAS_PIXELS}, ${CANVAS_PIXELS}).data.join();
  };
  const blank = draw('', 'serif');
  return found.flatMap(([name, letter, family]) => {
    const drawn = draw(letter, family);
    return drawn === blank || drawn === draw('\\u0378', family) ? [name] : [];
  });
} catch {
  // An element of the page has replaced a function that is used here.
  return [];
} })()`;
