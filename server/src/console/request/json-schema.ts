import { z } from 'zod';

const base = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  examples: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
});

/** The part of JSON Schema that the console uses. */
export interface JsonSchema extends z.output<typeof base> {
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  /** The schema of an object's values, if the caller chooses its keys. */
  readonly additionalProperties?: JsonSchema | boolean | undefined;
  readonly $defs?: Readonly<Record<string, JsonSchema>> | undefined;
}

const jsonSchema: z.ZodType<JsonSchema> = base.extend({
  items: z.lazy(() => jsonSchema).optional(),
  anyOf: z.lazy(() => z.array(jsonSchema)).optional(),
  properties: z.lazy(() => z.record(z.string(), jsonSchema)).optional(),
  additionalProperties: z.lazy(() => z.union([z.boolean(), jsonSchema])).optional(),
  $defs: z.lazy(() => z.record(z.string(), jsonSchema)).optional(),
});

const DEFINITIONS = '#/$defs/';

/** The name of the record that a schema refers to; undefined if the schema is written inline. */
export const recordName = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(DEFINITIONS) === true ? $ref.slice(DEFINITIONS.length) : undefined;

/** The JSON Schema of the input or output of a contract schema, and the named records that it refers to. */
export function describeSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
): { readonly root: JsonSchema; readonly records: ReadonlyMap<string, JsonSchema> } {
  const root = jsonSchema.parse(z.toJSONSchema(schema, { io }));
  const records = new Map(Object.entries(root.$defs ?? {}));
  const name = recordName(root);
  const record = name === undefined ? undefined : records.get(name);
  if (name === undefined || record === undefined) return { root, records };
  records.delete(name);
  return { root: record, records };
}

/** Whether a value of this schema is a secret (of the format `password`), or may contain one. */
export function isSecret({
  format,
  items,
  properties = {},
  anyOf = [],
  additionalProperties,
}: JsonSchema): boolean {
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const parts = [...(items === undefined ? [] : [items]), ...Object.values(properties), ...anyOf, ...others];
  return format === 'password' || parts.some(isSecret);
}

/** Whether an object whose keys the caller chooses has only texts as values. */
export const hasTextValues = ({ additionalProperties }: JsonSchema): boolean =>
  typeof additionalProperties === 'object' && additionalProperties.type === 'string';

/** A JSON value in the form in which it is entered: a text without quotes, anything else as JSON. */
export const typedText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
