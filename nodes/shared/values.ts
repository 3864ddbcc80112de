import type { IDataObject } from 'n8n-workflow';

/** The property of an unknown value; undefined if it has none. */
export const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The trimmed text of an unknown value; undefined if it is not a text or empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The number in an unknown value, such as a header; undefined if it is not a number. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(textOf(value) ?? NaN);
  return Number.isFinite(number) ? number : undefined;
}

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

/** Removes a "Bearer" before a key or token, which people often paste with it. */
export const pasted = (value: unknown): string => (textOf(value) ?? '').replace(/^bearer(?:\s+|$)/iu, '');
