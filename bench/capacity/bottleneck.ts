/** The share of each resource that is in use, by name. */
export type Shares = Readonly<Record<string, number>>;

const percent = (share: number) => Number((share * 100).toPrecision(2));

/** The name of the most used resource, which runs out first. */
const bottleneckOf = (shares: Shares): string =>
  Object.entries(shares).reduce((most, one) => (one[1] > most[1] ? one : most))[0];

export const isBelow = (shares: Shares, most: number): boolean =>
  Object.values(shares).every((share) => share <= most);

/** The columns of a table: each share in percent, and the bottleneck. */
export const shareColumns = (shares: Shares): Record<string, string | number> => ({
  ...Object.fromEntries(Object.entries(shares).map(([name, share]) => [`${name} %`, percent(share)])),
  bottleneck: bottleneckOf(shares),
});
