import { z } from 'zod';

const MAX_CHARACTERS = 200;
const MAX_WORDS = 6;
export const MAX_FOUND = 15;
const EXCERPT_CHARACTERS = 240;
const BEFORE_CHARACTERS = 80;
/** A word in the title counts more than all words in headings, and a word in a heading more than all texts. */
const WEIGHTS = { title: 100, heading: 10 };
const MAX_SECTIONS_COUNTED = 9;

const storedDocument = z.object({
  path: z.string(),
  sections: z.array(z.object({ id: z.string(), heading: z.string(), text: z.string() })),
});

interface Section {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  readonly lowerHeading: string;
  readonly lowerText: string;
}

/** A document with its sections, the first of which has the title as its heading. */
export interface DocumentText {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

/** The section of a document that fits a search best. */
export interface FoundSection {
  readonly path: string;
  readonly title: string;
  /** The heading of the section; empty if it is the beginning of the document. */
  readonly heading: string;
  readonly id: string;
  /** A piece of the section's text, divided so that every second part is a word of the search. */
  readonly excerpt: readonly string[];
}

export function readSections(json: string): readonly DocumentText[] {
  return z
    .array(storedDocument)
    .parse(JSON.parse(json))
    .map(({ path, sections }) => ({
      path,
      title: sections[0]?.heading ?? '',
      sections: sections.map(({ id, heading, text }) => ({
        id,
        heading,
        text,
        lowerHeading: heading.toLowerCase(),
        lowerText: text.toLowerCase(),
      })),
    }));
}

/**
 * The first `MAX_WORDS` words in the first `MAX_CHARACTERS` characters of a query, in lower case and each once. Single
 * characters, which most texts have, count only if there are no longer words.
 */
function wordsOf(query: string): readonly string[] {
  const words = [...new Set(query.slice(0, MAX_CHARACTERS).toLowerCase().split(/\s+/u))];
  const longer = words.filter((word) => word.length > 1);
  return (longer.length === 0 ? words.filter(Boolean) : longer).slice(0, MAX_WORDS);
}

const isIn = (text: string) => (word: string) => text.includes(word);

/** How well a section fits: 2 for each word in its heading, plus 1 for each word in its text. */
const fitOf = ({ lowerHeading, lowerText }: Section, words: readonly string[]) =>
  words.filter(isIn(lowerHeading)).length * 2 + words.filter(isIn(lowerText)).length;

/** How well a document fits; 0 if it lacks one of the words. */
function scoreOf({ sections }: DocumentText, words: readonly string[]): number {
  const isAnywhere = (word: string) =>
    sections.some(({ lowerHeading, lowerText }) => lowerHeading.includes(word) || lowerText.includes(word));
  if (!words.every(isAnywhere)) return 0;
  const [first] = sections;
  const inTitle = words.filter(isIn(first?.lowerHeading ?? '')).length;
  const inHeading = words.filter((word) => sections.some(({ lowerHeading }) => lowerHeading.includes(word)));
  const fullMatches = sections.filter(({ lowerText }) => words.every(isIn(lowerText))).length;
  return (
    1 +
    inTitle * WEIGHTS.title +
    inHeading.length * WEIGHTS.heading +
    Math.min(fullMatches, MAX_SECTIONS_COUNTED)
  );
}

/**
 * A piece of a text around the first place that has one of the words, or the beginning of the text if none has. The
 * piece is divided at every such word.
 */
function excerptOf(text: string, words: readonly string[]): readonly string[] {
  const word = words.map((each) => each.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join('|');
  const index = Math.max(0, text.search(new RegExp(word, 'iu')));
  const space = text.slice(0, index).indexOf(' ', index - BEFORE_CHARACTERS);
  const start = index <= BEFORE_CHARACTERS ? 0 : space === -1 ? index : space + 1;
  const piece = text.slice(start, start + EXCERPT_CHARACTERS);
  const end = start + EXCERPT_CHARACTERS < text.length ? ' …' : '';
  return `${start === 0 ? '' : '… '}${piece}${end}`.split(new RegExp(`(${word})`, 'giu'));
}

/** Finds up to `MAX_FOUND` documents with all words of a query, the best first, each with its best section. */
export function findInDocuments(documents: readonly DocumentText[], query: string): readonly FoundSection[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return documents
    .map((document) => ({ document, score: scoreOf(document, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .flatMap(({ document: { path, title, sections } }) => {
      const fits = sections.map((section) => fitOf(section, words));
      const index = fits.indexOf(Math.max(...fits));
      const best = sections[index];
      if (best === undefined) return [];
      const heading = index === 0 ? '' : best.heading;
      return [{ path, title, heading, id: best.id, excerpt: excerptOf(best.text, words) }];
    });
}
