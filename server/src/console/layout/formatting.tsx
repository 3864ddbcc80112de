/** Formats a whole number as 12,345. */
export const formatCount = (count: number): string => count.toLocaleString('en-GB');

const MEGABYTE = 1_000_000;

/** Formats a size in megabytes. */
export const formatMegabytes = (bytes: number): string =>
  `${(bytes / MEGABYTE).toLocaleString('en-GB', { maximumFractionDigits: 1 })} MB`;

interface TimeProps {
  readonly timeMs: number;
}

const minuteText = (date: Date) =>
  `${date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

/** A time to the minute, in UTC. */
export function Timestamp({ timeMs }: TimeProps) {
  const date = new Date(timeMs);
  return <time datetime={date.toISOString()}>{minuteText(date)}</time>;
}

/** The day of a time, in UTC, for places that rarely need the minute. */
export function Day({ timeMs }: TimeProps) {
  const date = new Date(timeMs);
  return (
    <time datetime={date.toISOString()} title={minuteText(date)}>
      {date.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })}
    </time>
  );
}

const KILOMETRE_METRES = 1_000;

/** Formats a distance: in metres below a kilometre, else in kilometres with at most two decimals. */
export const formatDistance = (metres: number): string =>
  metres < KILOMETRE_METRES
    ? `${metres.toLocaleString('en-GB', { maximumFractionDigits: 1 })} m`
    : `${(metres / KILOMETRE_METRES).toLocaleString('en-GB', { maximumFractionDigits: 2 })} km`;
