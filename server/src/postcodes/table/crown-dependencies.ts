/**
 * The Crown dependencies by postcode area. In the directory they are countries, but Jersey and Guernsey are one
 * country together.
 */
export const CROWN_DEPENDENCIES: readonly (readonly [area: string, name: string])[] = [
  ['JE', 'Jersey'],
  ['GY', 'Guernsey'],
  ['IM', 'Isle of Man'],
];

/** The Crown dependency of an outcode; null if it is not in one. */
export const crownDependencyOf = (outcode: string): string | null =>
  CROWN_DEPENDENCIES.find(([area]) => outcode.startsWith(area))?.[1] ?? null;
