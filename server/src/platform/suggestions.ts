import { closest as closestOf, distance } from 'fastest-levenshtein';

const maxDistance = (knownName: string) => Math.max(1, Math.floor(knownName.length / 3));

/** The known name that a misspelt one probably means; undefined if none is similar. */
export function suggest(name: string, knownNames: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  // Skip names whose length differs too much to be similar, so that a very long name costs little.
  const near = knownNames.filter((one) => Math.abs(one.length - lower.length) <= maxDistance(one));
  if (near.length === 0) return undefined;
  const byLower = new Map(near.map((one) => [one.toLowerCase(), one]));
  const best = closestOf(lower, [...byLower.keys()]);
  return distance(lower, best) <= maxDistance(best) ? byLower.get(best) : undefined;
}

/** How many characters of a misspelt name `nearest` compares, so that a very long name costs little. */
const COMPARED_CHARACTERS = 60;

/** The `count` known names most similar to a misspelt one, best match first. */
export function nearest(name: string, knownNames: readonly string[], count: number): string[] {
  const lower = name.slice(0, COMPARED_CHARACTERS).toLowerCase();
  return knownNames
    .map((one) => ({ one, distance: distance(lower, one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ one }) => one);
}
