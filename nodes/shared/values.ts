import type { IDataObject } from 'n8n-workflow';

/** The property of a value that may be anything; undefined where there is none. */
export const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text of a value that may be anything; undefined for what is no text or empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** A number of a value that may be anything, such as a header; undefined for what is none. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(textOf(value) ?? NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** The JSON that a text holds; undefined where it holds none. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * The address in a text; undefined where it is none. `URL.canParse` is not asked: after some thousand calls Node.js 20
 * refuses addresses with letters such as "ü".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** A key or token as it is meant: people paste it with the word that stands before it in a header. */
export const pasted = (value: unknown): string => (textOf(value) ?? '').replace(/^bearer(?:\s+|$)/iu, '');
