import { hasTextValues, type JsonSchema } from './json-schema.js';
import type { RequestField } from './request-fields.js';

export type FormState = Readonly<Record<string, string>>;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replaceAll('\0', '').replaceAll('\r\n', '\n') : undefined;

/**
 * The value of a field as one text; undefined if it was not sent. If there are several values, the last one
 * counts, because a ticked checkbox is sent after a hidden "no". In a field with several checkboxes, all values count,
 * one per line.
 */
function sentText(value: unknown, { kind }: RequestField): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const texts = value.map(textOf).filter((text) => text !== undefined);
  return kind === 'ticks' ? texts.filter((text) => text !== '').join('\n') : texts.at(-1);
}

const inputsOf = (field: RequestField) => (field.kind === 'parts' ? field.parts : [field]);

const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/iu;
const LOCAL_ADDRESS =
  /^(?:(?:[^/:?#]+\.)?localhost\.?|\[[^\]]*\]|\d+(?:\.\d+){3}|[^./:?#]+)(?::\d+)?(?:[/?#]|$)/iu;

/**
 * Adds a scheme to the value of the field `url` if it has none: http for localhost, IP addresses and names without a
 * dot, otherwise https. Values of other fields stay unchanged.
 */
function withScheme(text: string, { name }: Pick<RequestField, 'name'>): string {
  // Leading slashes are the rest of a scheme that was copied only in part.
  const address = text.trim().replace(/^\/+/u, '');
  if (name !== 'url' || address === '' || SCHEME.test(address)) return text;
  return `${LOCAL_ADDRESS.test(address) ? 'http' : 'https'}://${address}`;
}

/** Reads the values of these fields from a form's body or an address's query. Fields that were not sent are missing. */
export function readState(input: unknown, fields: readonly RequestField[]): FormState {
  const values = new Map<string, unknown>(
    typeof input === 'object' && input !== null ? Object.entries(input) : [],
  );
  return Object.fromEntries(
    fields.flatMap(inputsOf).flatMap((field) => {
      const text = sentText(values.get(field.name), field);
      return text === undefined ? [] : [[field.name, withScheme(text, field)]];
    }),
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A number, or the text unchanged, so that the contract rejects it with its own message. */
const parseNumber = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text);

/**
 * The fields of the object that a schema accepts, by itself or as one of its alternatives (`anyOf`); undefined if it
 * accepts no object with named fields.
 */
const objectForm = ({ properties, anyOf = [] }: JsonSchema) =>
  properties ?? anyOf.find((form) => form.properties !== undefined)?.properties;

/** Parses as many numbers as there are names, such as "51.501, -0.1416", to an object; undefined for other texts. */
function parseNumbers(line: string, names: readonly string[]) {
  const parts = line.trim().split(/[,\s]+/u);
  const numbers = parts.map((part) => (part === '' ? Number.NaN : Number(part)));
  if (numbers.length !== names.length || !numbers.every(Number.isFinite)) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, numbers[index]]));
}

/**
 * Parses pairs such as "session=a1b2; path=/account". The first pair gives the fields `name` and `value`; each other
 * pair gives the field that it names.
 */
function parsePairs(line: string) {
  const [first = '', ...others] = line.split(/;\s*/u);
  const pairOf = (pair: string): readonly [string, string] => [
    pair.split('=', 1)[0]?.trim() ?? '',
    pair.slice(pair.indexOf('=') + 1).trim(),
  ];
  const [name, value] = pairOf(first);
  return { name, value, ...Object.fromEntries(others.filter((other) => other.includes('=')).map(pairOf)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * If the schema accepts an object with named fields, parses a line as one: JSON if the line begins with "{", numbers
 * such as "51.501, -0.1416", or pairs such as "session=a1b2; path=/". Any other line stays a text.
 */
function parseEntry(line: string, schema: JsonSchema | undefined): unknown {
  const form = schema === undefined ? undefined : objectForm(schema);
  if (form === undefined) return line;
  if (line.startsWith('{')) return parseJson(line) ?? line;
  const names = Object.keys(form);
  const point = Object.values(form).every(({ type }) => type === 'number')
    ? parseNumbers(line, names)
    : undefined;
  if (point !== undefined) return point;
  return names.includes('name') && line.includes('=') ? parsePairs(line) : line;
}

/**
 * Parses lines that each have a name, a colon and a value. Values are texts if the schema says so. Otherwise a value is
 * parsed as JSON, or stays a text if it is not JSON, and all lines together may be one JSON object.
 */
function parseNames(text: string, schema: JsonSchema) {
  const takesTexts = hasTextValues(schema);
  if (!takesTexts && text.trim().startsWith('{')) return parseJson(text) ?? text;
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const [start = ''] = line.split(':', 1);
      const [name, value] = [start.trim(), line.slice(start.length + 1).trim()];
      return [name, takesTexts ? value : (parseJson(value) ?? withScheme(value, { name }))];
    }),
  );
}

function parseField(text: string, { kind, schema, keepsLastSpace }: RequestField): unknown {
  switch (kind) {
    case 'tick':
      return text === 'yes';
    case 'number':
      return parseNumber(text.trim());
    case 'ticks':
      return linesOf(text);
    case 'lines':
      return linesOf(text).map((line) => parseEntry(line, schema.items));
    case 'names':
      return parseNames(text, schema);
    case 'text':
      return parseEntry(keepsLastSpace ? text.trimStart() : text.trim(), schema);
    case 'choice':
    case 'long':
    case 'parts':
      return text;
  }
}

/** The value of a field as a program would send it; undefined if the field is missing or empty. */
export function valueOf(field: RequestField, state: FormState): unknown {
  if (field.kind === 'parts') {
    const entries = field.parts.map(
      (part) => [part.name.slice(field.name.length + 1), valueOf(part, state)] as const,
    );
    const filled = entries.filter(([, value]) => value !== undefined);
    return filled.length === 0 ? undefined : Object.fromEntries(filled);
  }
  const text = state[field.name];
  return text === undefined || text.trim() === '' ? undefined : parseField(text, field);
}

export function isSet(field: RequestField, state: FormState): boolean {
  const value = valueOf(field, state);
  const standard = field.schema.default ?? (field.kind === 'tick' ? false : undefined);
  return value !== undefined && (field.isRequired || value !== standard);
}

/** The request body of a form, without empty fields, and without optional fields that have their default. */
export const bodyOf = (fields: readonly RequestField[], state: FormState): Record<string, unknown> =>
  Object.fromEntries(
    fields.filter((field) => isSet(field, state)).map((field) => [field.name, valueOf(field, state)]),
  );
