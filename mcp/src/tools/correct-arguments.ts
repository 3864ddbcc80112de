import { z } from 'zod';
import type { ObjectSchema } from './tool-schema.js';

/** The parts of an argument's schema that matter for correcting it. */
const property = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
});
type Property = z.output<typeof property>;

const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const CHOICE_ALIASES: Readonly<Record<string, string>> = { jpg: 'jpeg' };
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A point such as "51.5, -0.14". Its comma does not separate list entries. */
const POINT = /^\s*-?\d+(?:\.\d+)?\s*,\s*-?\d+(?:\.\d+)?\s*$/u;
/** A text with a longer entry is not split, because it may be a sentence with commas. */
const MAX_ENTRY_CHARACTERS = 40;

/**
 * Splits a list at semicolons and line breaks or, if it has none, at commas. A point, or a text with an entry of more
 * than MAX_ENTRY_CHARACTERS, is not split.
 */
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

/** Other names that models use for arguments, in lower case and without signs. */
const ARGUMENT_ALIASES: Readonly<Record<string, string>> = {
  lat: 'latitude',
  lon: 'longitude',
  lng: 'longitude',
  long: 'longitude',
};
const bareOf = (name: string) => name.replace(/[\s_-]/gu, '').toLowerCase();

/**
 * Corrects a name that differs from an argument of the tool only in case, spaces, "_" or "-", lacks its final "s" or is
 * an alias of it. Returns any other name unchanged, and also one whose correct form is itself in `args`.
 */
function correctName(name: string, args: Readonly<Record<string, unknown>>, own: readonly string[]): string {
  if (own.includes(name)) return name;
  const bare = bareOf(name);
  const candidates = [ARGUMENT_ALIASES[bare] ?? bare, `${bare}s`];
  const match = own.find((ownArgument) => candidates.includes(bareOf(ownArgument)));
  return match === undefined || Object.hasOwn(args, match) ? name : match;
}

const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value.trim()));

/** A point that was written as an object or a pair, as text; undefined for anything else. */
function pointText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 2 && value.every(isNumber) ? value.join(',') : undefined;
  if (!isFields(value)) return undefined;
  const named = new Map(
    Object.entries(value).map(([name, degrees]) => [ARGUMENT_ALIASES[bareOf(name)] ?? bareOf(name), degrees]),
  );
  return pointText([named.get('latitude'), named.get('longitude')]);
}

/** A number, boolean or point as the text that an argument takes; anything else unchanged. */
const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : (pointText(value) ?? value);

/**
 * The number, boolean or choice of the schema that a text means, such as 1280 for "1280"; otherwise the text itself.
 */
function correctText(text: string, { type, enum: choices = [] }: Property): unknown {
  const written = text.trim();
  if ((type === 'number' || type === 'integer') && NUMBER.test(written)) return Number(written);
  if (type === 'boolean') return BOOLEANS[written.toLowerCase()] ?? text;
  const bare = bareOf(written);
  const named = CHOICE_ALIASES[bare] ?? bare;
  return choices.find((choice) => typeof choice === 'string' && bareOf(choice) === named) ?? text;
}

/** An argument in the type of its schema, if it can be read as that; otherwise the argument itself. */
function correctValue(value: unknown, schema: unknown): unknown {
  const { data = {} } = property.safeParse(schema);
  const { type, items } = data;
  if (type === 'array') {
    const list = isFields(value) ? [value] : value;
    const entries = typeof list === 'string' && list.trim() !== '' ? listOf(list) : list;
    return Array.isArray(entries) ? entries.map((entry: unknown) => correctValue(entry, items)) : value;
  }
  if (typeof value === 'string') return correctText(value, data);
  if (type === 'boolean') return BOOLEANS[String(value)] ?? value;
  return type === 'string' ? asText(value) : value;
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

/** Whether one of the arguments is null, or a text that is empty or has only white space. */
export const hasBlank = (args: unknown): boolean => isFields(args) && Object.values(args).some(isBlank);

/**
 * Corrects arguments that models write under another name or in the wrong type: numbers, booleans, lists and choices as
 * text in any case, and texts as numbers or points. Removes optional arguments that are null or blank. Leaves
 * everything else for validation to reject.
 */
export function correctArguments(args: unknown, { properties = {}, required = [] }: ObjectSchema): unknown {
  if (!isFields(args)) return args ?? {};
  const own = Object.keys(properties);
  return Object.fromEntries(
    Object.entries(args)
      .map(([name, value]): [string, unknown] => [correctName(name, args, own), value])
      .filter(([name, value]) => !isBlank(value) || required.includes(name) || !own.includes(name))
      .map(([name, value]) => [name, own.includes(name) ? correctValue(value, properties[name]) : value]),
  );
}
