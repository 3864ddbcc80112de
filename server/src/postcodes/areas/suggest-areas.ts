import { NAME_COLUMNS, type NameColumn } from '../table/directory-data.js';
import { areasOfName, crownDependencyNamed } from './find-areas.js';
import type { PackedDirectory } from '../table/packed-directory.js';

type Names = Pick<PackedDirectory, 'values' | 'areaCodes'>;

/** An area or a Crown dependency that the requested name may mean. */
export interface SuggestedArea {
  readonly kind: NameColumn;
  readonly code: string | null;
  readonly name: string;
}

const MAX_SUGGESTIONS = 5;
/** Words that do not count when names are compared, unless a name has no others. */
const FILLERS = new Set(
  'nhs integrated care board icb city county of the and borough metropolitan police constabulary'.split(' '),
);

/**
 * A name in the form that is compared: lower case, without accents and punctuation, with "saint" as "st" and "&" as
 * "and".
 */
const plainName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/\bsaint\b/gu, 'st')
    .replace(/[^a-z0-9]+/gu, ' ')
    .trim();

function wordsOf(plain: string): string[] {
  const words = plain.split(' ');
  const important = words.filter((word) => !FILLERS.has(word));
  return important.length === 0 ? words : important;
}

/** The number of typing errors between two texts; a number above `max` if there are more than that. */
function errorsBetween(first: string, second: string, max: number): number {
  if (Math.abs(first.length - second.length) > max) return max + 1;
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= second.length; column += 1) {
      const isSame = first[row - 1] === second[column - 1];
      const errors = Math.min(
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      current.push(errors);
      least = Math.min(least, errors);
    }
    if (least > max) return max + 1;
    previous = current;
  }
  return previous[second.length] ?? max + 1;
}

const EQUAL = 0;
const EQUAL_WORDS = 1;
const HAS_WORDS = 2;
const BEGINS_WORDS = 4;
const TYPED_WRONG = 5;
const WORD_WEIGHT = 0.01;
const CHARACTERS_PER_ERROR = 5;

const maxErrors = (name: string) => Math.max(1, Math.floor(name.length / CHARACTERS_PER_ERROR));

/** A requested name, prepared for many comparisons. */
interface RequestedName {
  readonly plain: string;
  readonly words: readonly string[];
  readonly compact: string;
}

/** How different a name is from the requested one; Infinity if it is not similar. */
function distanceOf(
  { plain: requested, words: requestedWords, compact }: RequestedName,
  plain: string,
): number {
  if (plain === requested) return EQUAL;
  const words = wordsOf(plain);
  const otherCompact = words.join('');
  if (compact === otherCompact) return EQUAL_WORDS;
  const penalty = Math.abs(words.length - requestedWords.length) * WORD_WEIGHT;
  if (
    requestedWords.every((word) => words.includes(word)) ||
    words.every((word) => requestedWords.includes(word))
  )
    return HAS_WORDS + penalty;
  if (requestedWords.every((word) => words.some((candidate) => candidate.startsWith(word))))
    return BEGINS_WORDS + penalty;
  // Typing errors are counted only if the first characters are equal, which saves time. Otherwise the name does not
  // count as similar.
  if (compact[0] !== otherCompact[0]) return Infinity;
  const max = maxErrors(compact);
  const errors = errorsBetween(compact, otherCompact, max);
  return errors > max ? Infinity : TYPED_WRONG + errors;
}

/** The plain names (see `plainName`) of each list, made at first use. */
const plainNames = new WeakMap<readonly (string | null)[], readonly string[]>();

function plainNamesOf(values: readonly (string | null)[]): readonly string[] {
  let plain = plainNames.get(values);
  if (plain === undefined) {
    plain = values.map((name) => (name === null ? '' : plainName(name)));
    plainNames.set(values, plain);
  }
  return plain;
}

/**
 * If a kind has more names than this, a name is compared only if it contains the first BEGINNING_CHARACTERS of the
 * requested name's first word (see `wordsOf`), or if it has the same first letter and nearly the same length.
 */
const MANY_NAMES = 5_000;
const BEGINNING_CHARACTERS = 3;

/** The areas of a kind with a name similar to the requested one, most similar first, as pairs of distance and area. */
function areasLike(
  { values, areaCodes }: Names,
  kind: NameColumn,
  requested: RequestedName,
): [number, SuggestedArea][] {
  const isLong = values[kind].length > MANY_NAMES;
  const beginning = (requested.words[0] ?? '').slice(0, BEGINNING_CHARACTERS);
  const max = maxErrors(requested.compact);
  const mayBeLike = (plain: string) =>
    (beginning.length === BEGINNING_CHARACTERS && plain.includes(beginning)) ||
    (plain[0] === requested.plain[0] && Math.abs(plain.length - requested.plain.length) <= max);
  return plainNamesOf(values[kind])
    .flatMap((plain, index): [number, SuggestedArea][] => {
      const name = values[kind][index] ?? null;
      if (name === null || (isLong && !mayBeLike(plain))) return [];
      const distance = distanceOf(requested, plain);
      return distance === Infinity
        ? []
        : [[distance, { kind, code: areaCodes?.[kind][index] ?? null, name }]];
    })
    .sort(([one, { name }], [other, { name: otherName }]) => one - other || (name < otherName ? -1 : 1));
}

/** The smaller islands that have postcodes of Guernsey. */
const GUERNSEY_ISLANDS = new Set(['alderney', 'sark', 'herm', 'jethou', 'brecqhou']);

/** Kinds whose areas are not suggested if another kind was requested. */
const SMALL_AREAS: ReadonlySet<NameColumn> = new Set(['lsoa', 'msoa']);

/**
 * Suggests up to five areas. First come those of the requested kind with a similar name, then those of other kinds,
 * except small areas, with the same name. If no other kind has the name and the directory has the Channel Islands, the
 * Crown dependency of that name comes instead, or Guernsey if one of its smaller islands has that name.
 */
export function suggestAreas(directory: Names, kind: NameColumn, name: string): SuggestedArea[] {
  const plain = plainName(name);
  if (plain === '') return [];
  const words = wordsOf(plain);
  const requested = { plain, words, compact: words.join('') };
  const likely = areasLike(directory, kind, requested).map(([, area]) => area);
  const others = NAME_COLUMNS.filter((column) => column !== kind && !SMALL_AREAS.has(column)).flatMap(
    (column) => areasOfName(directory, column, name),
  );
  const island = crownDependencyNamed(GUERNSEY_ISLANDS.has(plain) ? 'Guernsey' : name)?.name;
  const hasIsland = island !== undefined && directory.values.country.includes('Channel Islands');
  const islands: SuggestedArea[] = hasIsland ? [{ kind: 'country', code: null, name: island }] : [];
  const same = others.map(({ kind: otherKind, code, name: itsName }) => ({
    kind: otherKind,
    code,
    name: itsName,
  }));
  return [...likely, ...(same.length === 0 ? islands : same)].slice(0, MAX_SUGGESTIONS);
}
