import type { Config } from '../app/config.js';
import { type Colouring, colouringFor, isTerminal } from './terminal.js';

const COLOURS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;
type Level = keyof typeof COLOURS;

const isLevel = (level: unknown): level is Level => typeof level === 'string' && level in COLOURS;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Writes control characters (except line breaks and tabs) and marks that change the writing direction as escapes such
 * as \u001b, because a text with such characters could change what a terminal shows.
 */
const visible = (text: string) =>
  text.replaceAll(
    /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A field's value as JSON; a text has quotes only if it is empty or contains white space, " or =. */
const formatValue = (value: unknown) =>
  visible(typeof value === 'string' && /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value));

/** An error's stack or, without one, its message: indented, on new lines. Empty if it has neither. */
function formatError(error: unknown): string {
  if (!isRecord(error)) return '';
  const { stack, message } = error;
  const text = typeof stack === 'string' ? stack : typeof message === 'string' ? message : '';
  return text === '' ? '' : `\n${visible(text).replaceAll(/^/gmu, '    ')}`;
}

/**
 * Returns a function that turns a JSON line of the log into text: time of day in UTC, level, message, then every other
 * field that is not null, as name=value. The stack of an error is below the line.
 */
export const readableLines =
  (colour: Colouring) =>
  (line: string): string => {
    const parsed: unknown = JSON.parse(line);
    if (!isRecord(parsed)) return line;
    const { level, time, msg, err, ...fields } = parsed;
    const known = isLevel(level) ? level : 'info';
    const clock = String(time).slice(11, 19);
    const more = Object.entries(fields).map(([name, value]) =>
      value === null ? '' : ` ${colour('gray', `${name}=`)}${formatValue(value)}`,
    );
    const word = colour(COLOURS[known], known.toUpperCase().padEnd(5));
    return `${colour('gray', clock)} ${word} ${visible(String(msg))}${more.join('')}${formatError(err)}\n`;
  };

/**
 * Returns the function that formats log lines as text if SIGNPOST_LOG_FORMAT says so or, if it is unset, at a terminal;
 * undefined for JSON.
 */
export const logLineFormat = ({ logFormat }: Pick<Config, 'logFormat'>, stream: NodeJS.WritableStream) =>
  (logFormat ?? (isTerminal(stream) ? 'text' : 'json')) === 'text'
    ? readableLines(colouringFor(stream))
    : undefined;
