import type { Operation } from '@signpost/contract';
import { createContext } from 'preact';
import { memoizeByObject } from '../../platform/memoize-by-object.js';
import { describeSchema, type JsonSchema } from '../request/json-schema.js';

/** Finds in a description when a field is null, such as "if this is all" or "unless they were requested". */
const WHEN_NULL = /\bnull (?<word>if|[a-z]+) (?<rest>[^.;]+)/u;

function wordsOf({ description = '' }: JsonSchema): string | undefined {
  const { word, rest } = WHEN_NULL.exec(description)?.groups ?? {};
  if (word === undefined || rest === undefined) return undefined;
  if (word !== 'if') return `none ${word} ${rest}`;
  return rest === 'it has none' ? 'none' : `none: ${rest}`;
}

function* namedWords(schema: JsonSchema): Iterable<readonly [string, string]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const words = wordsOf(field);
    if (words !== undefined) yield [name, words];
    yield* namedWords(field);
  }
  for (const inner of [schema.items, ...(schema.anyOf ?? [])])
    if (inner !== undefined) yield* namedWords(inner);
}

/** The meaning of null in the fields of a response, by field name, as far as the descriptions of the fields say it. */
export const nullWords = memoizeByObject(({ response }: Operation): ReadonlyMap<string, string> => {
  if (response.kind !== 'json') return new Map();
  const { root, records } = describeSchema(response.schema, 'output');
  return new Map([root, ...records.values()].flatMap((schema) => [...namedWords(schema)]));
});

export const NullWords = createContext<ReadonlyMap<string, string>>(new Map());
