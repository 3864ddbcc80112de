import { InvalidArgumentError } from 'commander';
import { endedAtMs, type Key } from '../keys/key.js';
import { parsePermissions, type StoredPermissions } from '../keys/permissions.js';
import { ServiceError } from '../platform/errors.js';
import { parseTime } from './arguments.js';
import { formatTime, isoTime } from './output.js';

export const NAME_OPTION = ['--name <name>', 'a name that people recognise'] as const;
export const NOTE_OPTION = ['--note <text>', 'a note, such as who uses the key'] as const;

/** Parses the time at which a key expires into milliseconds since 1970, or throws an InvalidArgumentError. */
export function endsArgument(text: string): number {
  const atMs = parseTime(text);
  if (atMs !== undefined) return atMs;
  throw new InvalidArgumentError('Give a time such as 2027-01-31 or 2027-01-31T08:00Z.');
}

/**
 * Parses the permissions of a key, such as "captures, usage"; null for all of them. Throws an InvalidArgumentError if
 * the text has another name, or none.
 */
export function onlyArgument(text: string): StoredPermissions {
  try {
    return parsePermissions(text);
  } catch (error) {
    if (error instanceof ServiceError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/**
 * The state of a key as commands print it: "ended" instead of "expired", because scripts rely on that word, and options
 * and columns call an expiry the end of a key.
 */
const stateOf = ({ state }: Key) => (state === 'expired' ? 'ended' : state);

/** The fields of a key in JSON output. */
export const keyJson = (key: Key) => ({
  prefix: key.prefix,
  name: key.name,
  note: key.note,
  account: key.accountEmail,
  project: key.projectName,
  state: stateOf(key),
  perMinute: key.perMinute,
  perDay: key.perDay,
  only: key.permissions?.split(',') ?? null,
  createdAt: isoTime(key.createdAtMs),
  endsAt: isoTime(key.endsAtMs),
  disabledAt: isoTime(key.disabledAtMs),
  disabledBy: key.disabledBy,
  revokedAt: isoTime(key.revokedAtMs),
});

export const KEY_HEADINGS = ['KEY', 'NAME', 'PROJECT', 'STATE', 'PER MINUTE', 'PER DAY', 'CREATED', 'ENDS'];

export const keyCells = (key: Key): string[] => [
  key.prefix,
  key.name ?? '-',
  key.projectName,
  stateOf(key),
  String(key.perMinute),
  String(key.perDay),
  formatTime(key.createdAtMs),
  formatTime(endedAtMs(key) ?? key.endsAtMs),
];
