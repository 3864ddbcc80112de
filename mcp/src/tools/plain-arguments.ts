import { z } from 'zod';
import type { ObjectSchema } from './tool-schema.js';

/** What a property of a tool's arguments may be, as far as slips of models are about it. */
const property = z.looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() });

const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const OTHER_NAMES: Readonly<Record<string, string>> = { jpg: 'jpeg' };
const BOOLEANS: Readonly<Record<string, boolean>> = { false: false, true: true };

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list that was written as JSON, or the one entry of a list. */
function listOf(text: string): unknown {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [text];
  } catch {
    return [text];
  }
}

/** The value that a text plainly stands for: "1280" for 1280, "a4" for "A4"; the text itself where there is none. */
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
 * Arguments as they were plainly meant: models send null for what they leave out, and numbers, switches, lists and
 * choices as text of their own case. All else is left as it is, to be refused in words.
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
