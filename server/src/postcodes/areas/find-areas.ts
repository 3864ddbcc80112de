import { CROWN_DEPENDENCIES } from '../table/crown-dependencies.js';
import { NAME_COLUMNS, type NameColumn } from '../table/directory-data.js';
import type { PackedDirectory } from '../table/packed-directory.js';

/** An area of the directory, identified by its index among the values of its column. */
export interface Area {
  readonly kind: NameColumn;
  readonly index: number;
  /** Null if the directory has no code for it. */
  readonly code: string | null;
  readonly name: string;
}

type Names = Pick<PackedDirectory, 'values' | 'areaCodes'>;

function areaAt({ values, areaCodes }: Names, kind: NameColumn, index: number): Area | undefined {
  const name = values[kind][index] ?? null;
  return name === null ? undefined : { kind, index, code: areaCodes?.[kind][index] ?? null, name };
}

/** The area with a code, in upper or lower case; undefined if there is none, or the directory has no codes. */
export function areaOfCode(directory: Names, code: string): Area | undefined {
  const requestedCode = code.trim().toUpperCase();
  if (requestedCode === '') return undefined;
  for (const kind of NAME_COLUMNS) {
    const index = directory.areaCodes?.[kind].indexOf(requestedCode) ?? -1;
    const area = areaAt(directory, kind, index);
    if (area !== undefined) return area;
  }
  return undefined;
}

/** A name in the form that is compared: in lower case, with single spaces and only one kind of apostrophe. */
const foldName = (name: string) =>
  name
    .normalize('NFC')
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/[’‘`´]/gu, "'")
    .toLowerCase();

/** The folded names (see `foldName`) of each list, made at first use. */
const foldedNames = new WeakMap<readonly (string | null)[], readonly (string | null)[]>();

function foldedNamesOf(values: readonly (string | null)[]): readonly (string | null)[] {
  let names = foldedNames.get(values);
  if (names === undefined) {
    names = values.map((name) => (name === null ? null : foldName(name)));
    foldedNames.set(values, names);
  }
  return names;
}

/** The Crown dependency with this name, and its postcode area; undefined if there is none. */
export function crownDependencyNamed(text: string): { postcodeArea: string; name: string } | undefined {
  const foldedText = foldName(text);
  const found = CROWN_DEPENDENCIES.find(([, name]) => foldName(name) === foldedText);
  return found === undefined ? undefined : { postcodeArea: found[0], name: found[1] };
}

/** The areas of a kind that have this name, compared as `foldName` folds it. */
export function areasOfName(directory: Names, kind: NameColumn, name: string): Area[] {
  const foldedName = foldName(name);
  const areas: Area[] = [];
  foldedNamesOf(directory.values[kind]).forEach((value, index) => {
    const area = value === foldedName ? areaAt(directory, kind, index) : undefined;
    if (area !== undefined) areas.push(area);
  });
  return areas;
}
