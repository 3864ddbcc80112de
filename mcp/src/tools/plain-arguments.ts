import { z } from 'zod';
import type { ObjectSchema } from './tool-schema.js';

/** The parts of an argument's schema that matter for correcting it. */
const property = z.looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() });

const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const OTHER_NAMES: Readonly<Record<string, string>> = { jpg: 'jpeg' };
const BOOLEANS: Readonly<Record<string, boolean>> = { false: false, true: true };

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A point such as "51.5, -0.14". Its comma does not separate list entries. */
const POINT = /^\s*-?\d+(?:\.\d+)?\s*,\s*-?\d+(?:\.\d+)?\s*$/u;
/** Longer entries are sentences, which contain commas themselves. */
const MAX_ENTRY_CHARACTERS = 40;

/** Splits a list that was written as "A, B", "A; B" or in lines. Any other text is the only entry. */
function entriesOf(text: string): string[] {
  const separator = /[;\n]/u.test(text) ? /[;\n]/u : /,/u;
  if (POINT.test(text)) return [text];
  const entries = text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.every(({ length }) => length <= MAX_ENTRY_CHARACTERS) ? entries : [text];
}

/** Reads a list that was written as JSON or with separators. */
function listOf(text: string): unknown {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The text is not JSON.
  }
  return entriesOf(text);
}

/** The value that a text clearly means: 1280 for "1280", "A4" for "a4". Otherwise the text itself. */
function meantBy(text: string, schema: unknown): unknown {
  const { data } = property.safeParse(schema);
  const written = text.trim();
  if (data?.type === 'array' && written !== '') return listOf(text);
  if ((data?.type === 'number' || data?.type === 'integer') && NUMBER.test(written)) return Number(written);
  if (data?.type === 'boolean') return BOOLEANS[written.toLowerCase()] ?? text;
  const lower = written.toLowerCase();
  const named = OTHER_NAMES[lower] ?? lower;
  return data?.enum?.find((choice) => typeof choice === 'string' && choice.toLowerCase() === named) ?? text;
}

/**
 * Corrects arguments that models write in the wrong type: null for missing ones, and numbers, booleans, lists and
 * choices as text in any case. Leaves everything else for validation to reject.
 */
export function plainArguments(args: unknown, { properties = {}, required = [] }: ObjectSchema): unknown {
  if (!isFields(args)) return args ?? {};
  return Object.fromEntries(
    Object.entries(args)
      .filter(
        ([name, value]) => value !== null || required.includes(name) || !Object.hasOwn(properties, name),
      )
      .map(([name, value]) => [
        name,
        typeof value === 'string' && Object.hasOwn(properties, name)
          ? meantBy(value, properties[name])
          : value,
      ]),
  );
}
