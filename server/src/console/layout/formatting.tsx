/** A whole number for people, as 12,345. */
export const formatCount = (count: number): string => count.toLocaleString('en-GB');

const MEGABYTE = 1_000_000;

/** A size for people, in megabytes. */
export const formatMegabytes = (bytes: number): string =>
  `${(bytes / MEGABYTE).toLocaleString('en-GB', { maximumFractionDigits: 1 })} MB`;

/** A time for people, to the minute, in UTC. */
export function Timestamp({ timeMs }: { readonly timeMs: number }) {
  const date = new Date(timeMs);
  const text = date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return <time datetime={date.toISOString()}>{`${text} UTC`}</time>;
}

const KILOMETRE_METRES = 1_000;

/** A length on the ground for people: metres below a kilometre, else kilometres with at most two decimals. */
export const formatDistance = (metres: number): string =>
  metres < KILOMETRE_METRES
    ? `${metres.toLocaleString('en-GB', { maximumFractionDigits: 1 })} m`
    : `${(metres / KILOMETRE_METRES).toLocaleString('en-GB', { maximumFractionDigits: 2 })} km`;
