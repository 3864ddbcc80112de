import { z } from 'zod';
import type { ObjectSchema } from './tool-schema.js';

/** The parts of an argument's schema that matter for correcting it. */
const property = z.looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() });

const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const OTHER_NAMES: Readonly<Record<string, string>> = { jpg: 'jpeg' };
const BOOLEANS: Readonly<Record<string, boolean>> = { false: false, true: true };

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list that was written as JSON, or a list with the text as its only entry. */
function listOf(text: string): unknown {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [text];
  } catch {
    return [text];
  }
}

/** The value that a text clearly stands for: "1280" for 1280, "a4" for "A4". Else the text itself. */
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
