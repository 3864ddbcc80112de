/** A whole number for people, as 12,345. */
export const formatCount = (count: number): string => count.toLocaleString('en-GB');

const MEGABYTE = 1_000_000;

/** A size for people, in megabytes. */
export const formatMegabytes = (bytes: number): string =>
  `${(bytes / MEGABYTE).toLocaleString('en-GB', { maximumFractionDigits: 1 })} MB`;

interface TimeProps {
  readonly timeMs: number;
}

const minuteText = (date: Date) =>
  `${date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

/** A time for people, to the minute, in UTC. */
export function Timestamp({ timeMs }: TimeProps) {
  const date = new Date(timeMs);
  return <time datetime={date.toISOString()}>{minuteText(date)}</time>;
}

/** The day of a time for people, in UTC, where the minute is of use to few. */
export function Day({ timeMs }: TimeProps) {
  const date = new Date(timeMs);
  return (
    <time datetime={date.toISOString()} title={minuteText(date)}>
      {date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })}
    </time>
  );
}

const KILOMETRE_METRES = 1_000;

/** A length on the ground for people: metres below a kilometre, else kilometres with at most two decimals. */
export const formatDistance = (metres: number): string =>
  metres < KILOMETRE_METRES
    ? `${metres.toLocaleString('en-GB', { maximumFractionDigits: 1 })} m`
    : `${(metres / KILOMETRE_METRES).toLocaleString('en-GB', { maximumFractionDigits: 2 })} km`;
