import { z } from 'zod';

/** A JSON Schema of an object, as the protocol wants it. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
});

/** Bounds that every whole number has, and the pattern of a format that is named, tell a model nothing. */
function dropWhatTellsNothing({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function toObjectSchema(schema: z.ZodObject, options: object): ObjectSchema {
  const jsonSchema = z.toJSONSchema(schema, { override: dropWhatTellsNothing, ...options });
  delete jsonSchema.$schema;
  const { properties, required, ...others } = objectSchema.parse(jsonSchema);
  return {
    ...others,
    ...(properties === undefined ? {} : { properties }),
    ...(required === undefined ? {} : { required }),
  };
}

/** What a tool takes, with the words that a model reads. */
export const inputJsonSchema = (schema: z.ZodObject): ObjectSchema => toObjectSchema(schema, { io: 'input' });

/** What a tool answers: its shape alone, because every model pays for each word of the list of tools. */
export const outputJsonSchema = (schema: z.ZodObject): ObjectSchema =>
  toObjectSchema(schema, { io: 'output', metadata: z.registry() });
