import { type DestinationStream, pino, stdTimeFunctions } from 'pino';

/** The server's structured log. The fields come first, then a message in words. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A log whose level can be changed while the server runs. */
export interface LevelledLog extends Log {
  level: string;
}

/**
 * A field of a JSON line that holds a secret, at any depth and in upper or lower case: its name, and its value, which
 * is a text or a list of texts.
 */
const SECRET_FIELD =
  /"((?:x-)?api[-_]?key|key|(?:client[-_]?)?secret|password|(?:(?:access|refresh)[-_]?)?token|(?:proxy-)?authorization|(?:set-)?cookie)":(?:"(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*",?)+\])/giu;

/**
 * Patterns of secrets inside any text, such as a database error, with their replacements. They match Signpost's own
 * secrets, also if a few characters at the end are missing, and JWTs.
 */
const SECRETS_IN_TEXT = [
  // A key's prefix on its own stays readable: it tells which key it is, and gives no access. The brackets show that it
  // is not a whole key, and keep it from the next pattern, which redacts whole keys.
  [/sp_live_([\dA-Za-z]{8})(?!\w)/gu, 'sp_live_[$1…]'],
  [/sp_(live|access|refresh|code)_[\w.]+/gu, 'sp_$1_[redacted]'],
  [/rt_[0-9A-Za-z]{20,}/gu, 'rt_[redacted]'],
  [/\/link\/[\w-]{20,}/gu, '/link/[redacted]'],
  [/\/c\/[\w-]{20,}/gu, '/c/[redacted]'],
  [/ey[AJ][\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/gu, '[redacted token]'],
] as const;

const redactSecrets = (line: string) =>
  SECRETS_IN_TEXT.reduce(
    (text, [secret, censored]) => text.replace(secret, censored),
    line.replace(SECRET_FIELD, '"$1":"[redacted]"'),
  );

/** Converts a JSON line to the text that is written. */
type LineFormat = (line: string) => string;

/**
 * Returns a log that writes each entry as a line of JSON with the time in UTC, or as what `format` makes of that line.
 * Secrets in fields and texts are redacted.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream,
  format: LineFormat = (line) => line,
): LevelledLog {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => destination.write(format(redactSecrets(line))) },
  );
}
