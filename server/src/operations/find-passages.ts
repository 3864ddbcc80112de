import { LIMITS, type PagePassage } from '@signpost/contract';

const { max: MAX_PASSAGES, characters: PASSAGE_CHARACTERS } = LIMITS.passages;

const folded = new Map<string, string>();
const MAX_FOLDED = 10_000;
/** Characters that are ignored in comparisons: marks of Markdown, accents, and invisible ones. */
const IGNORED = /[\p{M}\p{Cf}*_`\\]/gu;

/** A character in the form that is compared: without case and accents, and with every kind of space the same. */
function fold(character: string): string {
  let simple = folded.get(character);
  if (simple === undefined) {
    simple = character.normalize('NFKD').replace(IGNORED, '').toLowerCase().replace(/\s/gu, ' ');
    if (folded.size < MAX_FOLDED) folded.set(character, simple);
  }
  return simple;
}

interface Folded {
  readonly text: string;
  /** The offset in the original text of each character of `text`. */
  readonly offsets: Uint32Array;
}

/** Converts a text to the form that is compared. Consecutive spaces become one. */
function foldText(text: string): Folded {
  const parts: string[] = [];
  const offsets: number[] = [];
  let offset = 0;
  let isAfterSpace = true;
  for (const character of text) {
    const simple = fold(character);
    if (simple !== '' && !(isAfterSpace && simple === ' ')) {
      parts.push(simple);
      for (let index = 0; index < simple.length; index += 1) offsets.push(offset);
      isAfterSpace = simple === ' ';
    }
    offset += character.length;
  }
  return { text: parts.join(''), offsets: Uint32Array.from(offsets) };
}

/** Moves an offset back by one if it would split a surrogate pair. */
const whole = (text: string, at: number) =>
  (text.codePointAt(at - 1) ?? 0) > 0xff_ff && at > 0 ? at - 1 : at;

/** The passages around the matches of one text. A match within the previous passage gets no passage of its own. */
function passagesOf(content: string, { text, offsets }: Folded, findText: string): PagePassage[] {
  const found: PagePassage[] = [];
  const searched = foldText(findText).text.trim();
  if (searched === '') return found;
  let end = 0;
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length)) {
    const offset = offsets[at] ?? 0;
    if (offset < end) continue;
    const length = (offsets[at + searched.length] ?? content.length) - offset;
    const before = Math.max(0, Math.floor((PASSAGE_CHARACTERS - length) / 2));
    const begin = whole(content, Math.max(0, offset - before));
    end = whole(content, Math.min(begin + PASSAGE_CHARACTERS, content.length));
    found.push({ findText, offset, passage: content.slice(begin, end) });
    if (found.length === MAX_PASSAGES) break;
  }
  return found;
}

/** Finds texts in a content, regardless of case and accents. Each text gets a fair share of the passages. */
export function findPassages(content: string, findTexts: readonly string[]): PagePassage[] {
  const simple = foldText(content);
  const lists = [...new Set(findTexts)].map((findText) => passagesOf(content, simple, findText));
  const chosen: PagePassage[] = [];
  for (let rank = 0; rank < MAX_PASSAGES; rank += 1)
    for (const list of lists) {
      const passage = list[rank];
      if (passage !== undefined && chosen.length < MAX_PASSAGES) chosen.push(passage);
    }
  return chosen.toSorted((one, other) => one.offset - other.offset);
}
