/** The writing systems that are checked besides Latin and emoji, by their names in Unicode. */
const SCRIPTS = `
  Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada
  Malayalam Sinhala Thai Lao Khmer Myanmar Tibetan Ethiopic Han Hiragana Katakana Hangul`;
const MAX_TEXTS = 20_000;
const MAX_TEXT_CHARACTERS = 2_000;
const CANVAS_PIXELS = 48;
const LETTER_PIXELS = 32;

/**
 * Evaluates to the names of the writing systems in the visible text that neither the browser's fonts nor the page's can
 * show, judged by the first letter of each system. A letter without a font looks like a character that does not exist,
 * or like nothing.
 */
export const MISSING_FONTS = `(() => { try {
  const latin = new Map([['Latin', /[A-Za-z]/u]]);
  // The expressions for writing systems besides Latin. They are created for the first text that may need them, because
  // that takes several milliseconds.
  let others;
  const makeOthers = () => new Map(${JSON.stringify(SCRIPTS.trim().split(/\s+/u))}.map((name) =>
    [name, new RegExp('(?=\\\\p{L})\\\\p{Script=' + name + '}', 'u')])).set('emoji', /\\p{Emoji_Presentation}/u);
  const found = [];
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let count = 0; count < ${MAX_TEXTS} && texts.nextNode() !== null; count += 1) {
    const { data, parentElement } = texts.currentNode;
    const text = data.slice(0, ${MAX_TEXT_CHARACTERS});
    const isLatin = !/[^\\0-\\u024F\\u2000-\\u206F]/u.test(text);
    let isVisible;
    for (const wanted of isLatin ? [latin] : [latin, (others ??= makeOthers())])
      for (const [name, letters] of wanted) {
        const letter = letters.exec(text)?.[0];
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
  // Latin letters are compared with each other, as a browser searches all fonts for a character that does not exist.
  const otherThan = (name, letter) => name !== 'Latin' ? '\\u0378' : letter === 'W' ? 'i' : 'W';
  return found.flatMap(([name, letter, family]) => {
    const drawn = draw(letter, family);
    const isBlank = !/[1-9]/u.test(drawn);
    return isBlank || drawn === draw(otherThan(name, letter), family) ? [name] : [];
  });
} catch {
  // An element of the page has replaced a function that is used here.
  return [];
} })()`;
