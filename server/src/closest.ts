import { closest as closestOf, distance } from 'fastest-levenshtein';

/** The name among the known ones that a misspelt one most likely means; undefined where none is near. */
export function closest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const lower = name.toLowerCase();
  const byLower = new Map(known.map((candidate) => [candidate.toLowerCase(), candidate]));
  const best = closestOf(lower, [...byLower.keys()]);
  const maxDistance = Math.max(1, Math.floor(best.length / 3));
  return distance(lower, best) <= maxDistance ? byLower.get(best) : undefined;
}
