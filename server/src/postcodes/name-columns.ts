/**
 * The fields of a record that the directory holds as codes and the names tables give words for, in runs of neighbours.
 * Of the values of one run there are few combinations: mostly one for each value of its last field.
 */
export const NAME_RUNS = [
  ['country', 'region', 'localAuthority', 'ward'],
  ['constituency'],
  ['lsoa'],
  ['msoa'],
  ['policeForce', 'icb'],
] as const;

export type NameColumn = (typeof NAME_RUNS)[number][number];

export const NAME_COLUMNS: readonly NameColumn[] = NAME_RUNS.flat();

/** One value for each name column. */
export type ByNameColumn<Value> = Readonly<Record<NameColumn, Value>>;

/** Builds one value for each name column. */
export const byNameColumn = <Value>(valueOf: (column: NameColumn) => Value): ByNameColumn<Value> => ({
  country: valueOf('country'),
  region: valueOf('region'),
  localAuthority: valueOf('localAuthority'),
  ward: valueOf('ward'),
  constituency: valueOf('constituency'),
  lsoa: valueOf('lsoa'),
  msoa: valueOf('msoa'),
  policeForce: valueOf('policeForce'),
  icb: valueOf('icb'),
});
