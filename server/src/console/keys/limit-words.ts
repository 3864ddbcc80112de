import type { Limits } from '../../usage/admission.js';

const within = (limit: number | null, window: string) =>
  `${limit === null ? 'unlimited' : limit.toLocaleString('en-GB')} per ${window}`;

/** Limits in words, such as "5 per minute, 20 per day". */
export const limitWords = ({ perMinute, perDay }: Limits): string =>
  perMinute === null && perDay === null
    ? 'unlimited'
    : `${within(perMinute, 'minute')}, ${within(perDay, 'day')}`;

/** What is left of a limit in words. */
export const leftWords = (left: number | null): string =>
  left === null ? 'unlimited' : left.toLocaleString('en-GB');
