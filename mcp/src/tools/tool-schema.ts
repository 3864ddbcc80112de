import { LIMITS } from '@signpost/contract';
import { z } from 'zod';

const SHOWN_CHARACTERS = 200;

const pathOf = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.')
    .replace(/\.\[/gu, '[');

/** What is wrong with a tool's arguments, each with its name, for a model that will call again. */
export function argumentProblems(input: z.ZodObject, { issues }: z.ZodError): string {
  const known = Object.keys(input.shape).join(', ');
  const problems = issues.slice(0, LIMITS.problems.max).map((issue) => {
    if (issue.code === 'unrecognized_keys')
      return `unknown: ${issue.keys.slice(0, LIMITS.problems.max).join(', ').slice(0, SHOWN_CHARACTERS)} (the arguments are: ${known || 'none'})`;
    return issue.path.length === 0 ? issue.message : `${pathOf(issue.path)}: ${issue.message}`;
  });
  return `The arguments are wrong. ${problems.join('; ')}. Correct them and call again.`;
}

/** A JSON Schema of an object, as the protocol wants it. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, z.core.util.JSONType>;
  required?: string[];
  [keyword: string]: unknown;
}

const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
});

/**
 * A pattern that the description has in words and bounds of every value tell a model nothing; examples some providers
 * of models refuse.
 */
function dropWhatTellsNothing({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.pattern;
  delete jsonSchema.examples;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Of what is answered, that there is nothing else tells a model nothing. */
function dropFromAnswers(part: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  dropWhatTellsNothing(part);
  delete part.jsonSchema.additionalProperties;
}

function toObjectSchema(schema: z.ZodObject, options: object): ObjectSchema {
  const jsonSchema = z.toJSONSchema(schema, { override: dropWhatTellsNothing, ...options });
  delete jsonSchema.$schema;
  const { type, properties, required, ...others } = objectSchema.parse(jsonSchema);
  return {
    type,
    ...(properties === undefined ? {} : { properties }),
    ...(required === undefined ? {} : { required }),
    ...others,
  };
}

/** What a tool takes, with the words that a model reads. */
export const inputJsonSchema = (schema: z.ZodObject): ObjectSchema => toObjectSchema(schema, { io: 'input' });

/** What a tool answers: its shape alone, because every model pays for each word of the list of tools. */
export const outputJsonSchema = (schema: z.ZodObject): ObjectSchema =>
  toObjectSchema(schema, { io: 'output', metadata: z.registry(), override: dropFromAnswers });
