import { closest as closestOf, distance } from 'fastest-levenshtein';

const maxDistance = (known: string) => Math.max(1, Math.floor(known.length / 3));

/** The name among the known ones that a misspelt one most likely means; undefined where none is near. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  // Where the lengths alone are too far apart nothing is compared, however long the name is.
  const near = known.filter((one) => Math.abs(one.length - lower.length) <= maxDistance(one));
  if (near.length === 0) return undefined;
  const byLower = new Map(near.map((one) => [one.toLowerCase(), one]));
  const best = closestOf(lower, [...byLower.keys()]);
  return distance(lower, best) <= maxDistance(best) ? byLower.get(best) : undefined;
}

/** Longer ones than this name nothing that is known. */
const COMPARED_CHARACTERS = 60;

/** The names among the known ones that are most like a misspelt one, the nearest first. */
export function nearest(name: string, known: readonly string[], count: number): string[] {
  const lower = name.slice(0, COMPARED_CHARACTERS).toLowerCase();
  return known
    .map((one) => ({ one, distance: distance(lower, one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ one }) => one);
}
