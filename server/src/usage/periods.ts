import { DAY_MINUTES, HOUR_MINUTES } from '../platform/time-units.js';
import { minuteOf } from './rate-limit.js';

/**
 * The periods for which usage is shown, each divided into spans of equal length. The last span is the current one.
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

/** The start minutes of a period's spans, oldest first. */
export function startsOf(period: Period, nowMs: number): readonly number[] {
  const { span, spans } = PERIODS[period];
  const now = minuteOf(nowMs);
  const last = now - (now % span);
  return Array.from({ length: spans }, (_, index) => last - (spans - 1 - index) * span);
}
