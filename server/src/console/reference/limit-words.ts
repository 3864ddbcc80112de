import type { JsonSchema } from './json-schema.js';

/** A bound that only says "what a program can count to" is none that a caller has to know. */
const told = (bound: number | undefined) =>
  bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;

function range(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (min === undefined) return `at most ${max}`;
  if (max === undefined) return `at least ${min}`;
  return min === max ? String(min) : `${min} to ${max}`;
}

function counted(
  min: number | undefined,
  max: number | undefined,
  [one, many]: readonly [string, string],
): string | undefined {
  const words = range(min, max);
  return words === undefined ? undefined : `${words} ${(max ?? min) === 1 ? one : many}`;
}

/** What a schema allows beyond its type, in words; undefined where that is all. */
export function limitWords(schema: JsonSchema): string | undefined {
  const { minLength, maxLength, minItems, maxItems } = schema;
  const parts = [
    range(told(schema.minimum), told(schema.maximum)),
    counted(minLength, maxLength, ['character', 'characters']),
    counted(minItems, maxItems, ['entry', 'entries']),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('; ');
}
