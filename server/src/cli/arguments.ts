import { InvalidArgumentError } from 'commander';
import { ServiceError } from '../platform/errors.js';
import { type Limit, parseLimit } from '../platform/limit.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time-units.js';

/** The option of commands that print a list. */
export const WIDE_OPTION = ['--wide', 'show all columns, whatever the width of the terminal'] as const;

/** The option of commands that print a result. */
export const JSON_OPTION = ['--json', 'print JSON, for programs'] as const;
export const ACCOUNT_OPTION = ['--account <address>', "the account's e-mail"] as const;

/**
 * Returns a parser for limits: a whole number from `min` to MAX_LIMIT, "unlimited" or "default". It throws an
 * InvalidArgumentError for any other text.
 */
export const limitArgumentFrom =
  (min: number) =>
  (text: string): Limit => {
    try {
      return parseLimit(text, min);
    } catch (error) {
      if (error instanceof ServiceError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };

const limitArgument = limitArgumentFrom(0);

export const PER_MINUTE_OPTION = [
  '--per-minute <limit>',
  'requests per minute: a number, unlimited, or default',
  limitArgument,
] as const;
export const PER_DAY_OPTION = [
  '--per-day <limit>',
  'requests per day (UTC): a number, unlimited, or default',
  limitArgument,
] as const;

const UNIT_MS = new Map([
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
]);

/** Parses a duration such as 30m, 24h or 7d into milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/u.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS.get(unit) ?? 0);
}

/** Parses a time such as 2026-01-31 or 2026-01-31T08:00Z into milliseconds since the epoch; undefined if invalid. */
export function parseTime(text: string): number | undefined {
  const atMs = /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

const MAX_PASSWORD_CHARACTERS = 10_000;

/**
 * Reads a piped password: the whole input without the line break at its end, or only the beginning of an input that is
 * much too long for a password. Throws a ServiceError if the input is a terminal.
 */
export async function readPassword(stdin: NodeJS.ReadableStream): Promise<string> {
  if ('isTTY' in stdin && stdin.isTTY === true) {
    throw new ServiceError(
      'invalidRequest',
      '--password-stdin reads the password from a pipe, so that it never shows on the screen. Pipe it in from a file or a password manager, or leave the option out: a password is then made for you.',
    );
  }
  stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > MAX_PASSWORD_CHARACTERS) break;
  }
  return text.replace(/\r?\n$/u, '');
}
