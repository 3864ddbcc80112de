/** The Crown dependencies by postcode area. The directory has them as countries, but Jersey and Guernsey as one. */
export const CROWN_DEPENDENCIES: readonly (readonly [area: string, name: string])[] = [
  ['JE', 'Jersey'],
  ['GY', 'Guernsey'],
  ['IM', 'Isle of Man'],
];

/** The Crown dependency of an outcode; null if it is not in one. */
export const crownDependencyOf = (outcode: string): string | null =>
  CROWN_DEPENDENCIES.find(([area]) => outcode.startsWith(area))?.[1] ?? null;
