import { type ComponentChild, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time-units.js';

export const formatCount = (count: number): string => count.toLocaleString('en-GB');

const MEGABYTE = 1_000_000;

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

const AGO_UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always', style: 'short' });

/** How far a time is from `nowMs`, in the largest unit that fits, such as "2 hr ago"; "now" within a minute. */
export function formatAgo(timeMs: number, nowMs: number): string {
  const awayMs = timeMs - nowMs;
  const [unit, ms] = AGO_UNITS.find(([, size]) => Math.abs(awayMs) >= size) ?? ['minute', MINUTE_MS];
  return Math.abs(awayMs) < MINUTE_MS ? 'now' : relative.format(Math.trunc(awayMs / ms), unit);
}

/** The time at which the page was requested, for relative times; undefined if none are shown. */
export const NowContext = createContext<number | undefined>(undefined);

/**
 * How far a past or future time is from the time of the request, to be shown beside the exact time; nothing if
 * `NowContext` has no time.
 */
export function Ago({ timeMs }: TimeProps) {
  const nowMs = useContext(NowContext);
  return nowMs === undefined ? null : <span class="ago">{formatAgo(timeMs, nowMs)}</span>;
}

/** A time to the minute, and how far it is from now. */
export const Moment = ({ timeMs }: TimeProps) => (
  <>
    <Timestamp timeMs={timeMs} /> <Ago timeMs={timeMs} />
  </>
);

/** The parts, with `between` between each two neighbours. */
export const join = (parts: readonly ComponentChild[], between: ComponentChild): ComponentChild[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));

const SHORT_EMAIL_CHARACTERS = 28;

/** An e-mail address. If it is long, it may break after the @ and after each dot. */
export const Email = ({ address }: { readonly address: string }) => (
  <>{address.length <= SHORT_EMAIL_CHARACTERS ? address : join(address.split(/(?<=[@.])/u), <wbr />)}</>
);

export const EmailLink = ({ email, href }: { readonly email: string; readonly href: string }) => (
  <a href={href}>
    <Email address={email} />
  </a>
);

export const NameLink = ({ name, href }: { readonly name: string; readonly href: string }) => (
  <a href={href}>
    <bdi>{name}</bdi>
  </a>
);

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

/** Formats a distance: in metres below a kilometre, otherwise in kilometres with at most two decimals. */
export const formatDistance = (metres: number): string =>
  metres < KILOMETRE_METRES
    ? `${metres.toLocaleString('en-GB', { maximumFractionDigits: 1 })} m`
    : `${(metres / KILOMETRE_METRES).toLocaleString('en-GB', { maximumFractionDigits: 2 })} km`;
