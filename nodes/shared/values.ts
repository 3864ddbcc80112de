import type { IDataObject } from 'n8n-workflow';

/** The property of an unknown value; undefined if it has none. */
export const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The trimmed text of an unknown value; undefined if it is empty or not a text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The number in an unknown value, such as a header; undefined if it is not a number. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(textOf(value) ?? NaN);
  return Number.isFinite(number) ? number : undefined;
}

/**
 * A text exactly as it was entered. A finite number or a boolean, which an expression may return, becomes text; any
 * other value becomes empty.
 */
export const enteredText = (value: unknown): string =>
  typeof value === 'string' || Number.isFinite(value) || typeof value === 'boolean' ? String(value) : '';

/** The trimmed text that was entered, such as a name; undefined if it is empty. */
export const entryOf = (value: unknown): string | undefined => textOf(enteredText(value));

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The boolean in a value, which may be a text from an expression; undefined if it is not a boolean. */
export const booleanOf = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : SWITCHES.get((textOf(value) ?? '').toLowerCase());

/** Parses a text as JSON; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * Parses an address; undefined if it is invalid. Does not use `URL.canParse`: after some thousand calls, Node.js 20
 * rejects addresses with letters such as "ü".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The names in a list, which may be a text from an expression: "codes, areas" or '["codes","areas"]'. */
export function namesIn(value: unknown): string[] {
  const parsed = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  const entries: unknown[] = Array.isArray(parsed) ? parsed.flat() : enteredText(parsed).split(/[\s,;]+/u);
  return entries.map(entryOf).filter((name) => name !== undefined);
}

/** Matches the name of the header, "Bearer" or both, which people often paste in front of a key or token. */
const BEFORE_KEY = /^(?:(?:x-api-key|authorization)\s*:\s*)?(?:bearer(?:\s+|$))?/iu;

/** A key or token without what people often paste with it, such as quotation marks, line breaks and "Bearer". */
export const cleanKey = (value: unknown): string =>
  enteredText(value)
    .replace(/\p{Cf}+/gu, '')
    .trim()
    .replace(/^(["'`])(.*)\1$/su, '$2')
    // Before line breaks are removed, because one may follow "Bearer".
    .replace(BEFORE_KEY, '')
    .replace(/\p{Cc}+/gu, '')
    .trim();
