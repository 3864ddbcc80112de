import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import type { Log } from './log.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const SECRET_FIELDS = [
  'apiKey',
  'key',
  'secret',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
  '["x-api-key"]',
  '["set-cookie"]',
];
const WITHIN = ['', '*.', '*.*.'];
const redactedPaths = WITHIN.flatMap((prefix) =>
  SECRET_FIELDS.map((field) =>
    field.startsWith('[') ? `${prefix.slice(0, -1)}${field}` : `${prefix}${field}`,
  ),
);

/** A key of ours wherever it stands in a text, such as a driver's error message. */
const KEY_IN_TEXT = /sp_live_\w+/gu;

/** JSON lines with a time in UTC; fields and texts that hold secrets are blotted out. */
export function createLogger(level: LogLevel, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    { write: (line: string) => destination.write(line.replace(KEY_IN_TEXT, 'sp_live_[redacted]')) },
  );
}
