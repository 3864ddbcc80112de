import { LIMITS, type PagePassage } from '@signpost/contract';

const { max: MAX_PASSAGES, characters: PASSAGE_CHARACTERS } = LIMITS.passages;

const folded = new Map<string, string>();
const MAX_FOLDED = 10_000;
/**
 * Characters that are ignored in comparisons: combining accents, invisible characters, and the signs * _ ` \ of
 * Markdown.
 */
const IGNORED = /[\p{M}\p{Cf}*_`\\]/gu;
const SINGLE_QUOTES = /[‘’‚ʼ′]/u;
const DOUBLE_QUOTES = /[“”„″]/u;
const DASHES = /[‐‑‒–—−]/u;
/** Letters that Unicode does not decompose, with the form that is compared. */
const LETTERS = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ς: 'σ' }),
);

/**
 * A character in the form that is compared: without case and accents, and with only one kind of space, of dash, and of
 * single and double quotation mark. May be empty, or several characters, such as "ss".
 */
function fold(character: string): string {
  let simple = folded.get(character);
  if (simple === undefined) {
    // Quotation marks are replaced before the normalisation, which would turn a double prime into two characters.
    simple = character.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-');
    simple = simple.normalize('NFKD').replace(IGNORED, '').toLowerCase().replace(/\s/gu, ' ');
    simple = LETTERS.get(simple) ?? simple;
    if (folded.size < MAX_FOLDED) folded.set(character, simple);
  }
  return simple;
}

interface FoldedText {
  readonly text: string;
  /** The offset in the original text of each character of `text`. */
  readonly offsets: Uint32Array;
}

/**
 * Markup between the words of Markdown or HTML: the ends and beginnings of links and images, tags, the signs of
 * headings, items and quotations at the beginning of a line, borders of cells, and characters that are written as
 * entities.
 */
const MARKUP =
  /(?<!\\)(?:\]\([^\s()]*\)|!?\[|<\/?([a-z][a-z\d]*)\b[^<>\n]*>|&(amp|lt|gt|quot|nbsp|#39);|\|(?: ?-{3,} ?\|)*)|^(?:[ \t]*(?:#{1,6}|[->:]|\d{1,9}\.) )+/gimu;
const INLINE_TAG = /^(?:a|b|code|del|em|i|s|span|strong|sub|sup)$/iu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
};

/**
 * Returns what replaces a match of MARKUP: the character for an entity, a space for the border of a cell or a tag that
 * is not inline, otherwise nothing.
 */
function charactersOf(match: RegExpExecArray): string {
  const [, tag, entity] = match;
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? '';
  if (tag !== undefined) return INLINE_TAG.test(tag) ? '' : ' ';
  return match[0].startsWith('|') ? ' ' : '';
}

/**
 * Converts a text to the form that is compared, with matches of `markup` replaced as `charactersOf` says. Consecutive
 * spaces become one, and leading spaces are dropped.
 */
function foldText(text: string, markup?: RegExp): FoldedText {
  const parts: string[] = [];
  const offsets: number[] = [];
  let isAfterSpace = true;
  const add = (characters: string, begin: number) => {
    let offset = begin;
    for (const character of characters) {
      const simple = fold(character);
      if (simple !== '' && !(isAfterSpace && simple === ' ')) {
        parts.push(simple);
        for (let index = 0; index < simple.length; index += 1) offsets.push(offset);
        isAfterSpace = simple === ' ';
      }
      offset += character.length;
    }
  };
  let at = 0;
  for (const match of markup === undefined ? [] : text.matchAll(markup)) {
    add(text.slice(at, match.index), at);
    add(charactersOf(match), match.index);
    at = match.index + match[0].length;
  }
  add(text.slice(at), at);
  return { text: parts.join(''), offsets: Uint32Array.from(offsets) };
}

/** Moves an offset back by one if it would split a surrogate pair. */
export const characterStart = (text: string, at: number): number =>
  (text.codePointAt(at - 1) ?? 0) > 0xff_ff && at > 0 ? at - 1 : at;

/**
 * Returns the passages around the matches of `findText`, at most `MAX_PASSAGES`. A match that begins within the
 * previous passage gets no passage of its own.
 */
function passagesOf(content: string, { text, offsets }: FoldedText, findText: string): PagePassage[] {
  const passages: PagePassage[] = [];
  const searched = foldText(findText).text.trim();
  if (searched === '') return passages;
  let end = 0;
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length)) {
    const offset = offsets[at] ?? 0;
    if (offset < end) continue;
    const length = (offsets[at + searched.length] ?? content.length) - offset;
    const before = Math.max(0, Math.floor((PASSAGE_CHARACTERS - length) / 2));
    const begin = characterStart(content, Math.max(0, offset - before));
    end = characterStart(content, Math.min(begin + PASSAGE_CHARACTERS, content.length));
    passages.push({ findText, offset, passage: content.slice(begin, end) });
    if (passages.length === MAX_PASSAGES) break;
  }
  return passages;
}

/**
 * Finds texts in the content of a page, regardless of case, accents and markup between words. Searches the markup, too,
 * for a text that is not found otherwise, such as the address of a link. Takes the first passage of each text, then the
 * second ones, and so on, up to `MAX_PASSAGES` in all. The result is sorted by offset.
 */
export function findPassages(content: string, findTexts: readonly string[]): PagePassage[] {
  const words = foldText(content, MARKUP);
  let all: FoldedText | undefined;
  const lists = [...new Set(findTexts)].map((findText) => {
    const passages = passagesOf(content, words, findText);
    return passages.length > 0 ? passages : passagesOf(content, (all ??= foldText(content)), findText);
  });
  const chosen: PagePassage[] = [];
  for (let rank = 0; rank < MAX_PASSAGES; rank += 1)
    for (const list of lists) {
      const passage = list[rank];
      if (passage !== undefined && chosen.length < MAX_PASSAGES) chosen.push(passage);
    }
  return chosen.toSorted((one, other) => one.offset - other.offset);
}
