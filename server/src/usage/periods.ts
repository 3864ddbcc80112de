import { DAY_MINUTES, HOUR_MINUTES, parseDay } from '../platform/time-units.js';
import { dayOf, minuteOf } from './rate-limit.js';

/**
 * The periods for which usage is shown. Each is divided into `spans` spans of `span` minutes, of which the last is the
 * current one.
 */
export const PERIODS = {
  minute: { words: 'This minute', span: 1, spans: 1 },
  hour: { words: 'Hour', span: 1, spans: 60 },
  day: { words: 'Day', span: HOUR_MINUTES, spans: 24 },
  month: { words: '30 days', span: DAY_MINUTES, spans: 30 },
  quarter: { words: '90 days', span: DAY_MINUTES, spans: 90 },
} as const;

export type Period = keyof typeof PERIODS;

export const isPeriod = (text: string): text is Period => Object.hasOwn(PERIODS, text);

/** A range of days, counted since the epoch. The first and the last are included. */
export interface DayRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The days from `from` to `to`, or from `to` to `from` if `to` is earlier. A day outside the last 90 is replaced by the
 * nearest of them. If `from` is not a day, the first of them takes its place; if `to` is not a day, today does.
 * Undefined if neither is a day.
 */
export function parseDayRange(from: string, to: string, nowMs: number): DayRange | undefined {
  const [fromMs, toMs] = [parseDay(from), parseDay(to)];
  if (fromMs === undefined && toMs === undefined) return undefined;
  const today = dayOf(nowMs);
  const earliest = today - PERIODS.quarter.spans + 1;
  const within = (timeMs: number) => Math.min(today, Math.max(earliest, dayOf(timeMs)));
  const [one, other] = [within(fromMs ?? 0), within(toMs ?? nowMs)];
  return { first: Math.min(one, other), last: Math.max(one, other) };
}

/**
 * The spans into which a period or a range of days is divided: their length in minutes, and their start minutes, oldest
 * first. For a range of days, spans in the future are left out.
 */
export function spansOf(period: Period | DayRange, nowMs: number) {
  const now = minuteOf(nowMs);
  if (typeof period === 'string') {
    const { span, spans } = PERIODS[period];
    const last = now - (now % span);
    return { span, starts: Array.from({ length: spans }, (_, index) => last - (spans - 1 - index) * span) };
  }
  // The counts by hour are kept for two days, so they are complete only for yesterday and today.
  const span = period.first >= dayOf(nowMs) - 1 ? HOUR_MINUTES : DAY_MINUTES;
  const begin = period.first * DAY_MINUTES;
  const end = Math.min((period.last + 1) * DAY_MINUTES, now + 1);
  return {
    span,
    starts: Array.from({ length: Math.ceil((end - begin) / span) }, (_, at) => begin + at * span),
  };
}
