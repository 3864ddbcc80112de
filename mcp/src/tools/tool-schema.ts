import { LIMITS } from '@signpost/contract';
import { z } from 'zod';

const SHOWN_CHARACTERS = 200;

const pathOf = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.')
    .replace(/\.\[/gu, '[');

/** The names of types in Zod's messages, with words for them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
  undefined: 'missing',
};
const WRONG_TYPE = /^Invalid input: expected (\w+), received (\w+)$/u;

/** The problem with one argument, as the end of a sentence that begins with its name. */
function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value')
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const limit = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
    const bound = `at ${issue.code === 'too_small' ? 'least' : 'most'} ${limit}`;
    if (issue.origin === 'array') return `must have ${bound} ${limit === 1 ? 'entry' : 'entries'}`;
    if (issue.origin === 'string') return `must have ${bound} ${limit === 1 ? 'character' : 'characters'}`;
    if (issue.origin === 'number' || issue.origin === 'int') return `must be ${bound}`;
  }
  const [, expected = '', received = ''] = WRONG_TYPE.exec(issue.message) ?? [];
  const type = TYPES[expected];
  if (type === undefined) return issue.message;
  return received === 'undefined'
    ? `is missing: it must be ${type}`
    : `must be ${type}, but is ${TYPES[received] ?? received}`;
}

/**
 * Says what is wrong with a tool's arguments, so that a model can correct them. Lists at most LIMITS.problems.max
 * problems.
 */
export function argumentProblems(input: z.ZodObject, { issues }: z.ZodError): string {
  const known = Object.keys(input.shape).join(', ');
  const problems = issues.slice(0, LIMITS.problems.max).map((issue) => {
    if (issue.code === 'unrecognized_keys')
      return `unknown: ${issue.keys.slice(0, LIMITS.problems.max).join(', ').slice(0, SHOWN_CHARACTERS)} (the arguments are: ${known || 'none'})`;
    return issue.path.length === 0 ? issue.message : `${pathOf(issue.path)}: ${problemOf(issue)}`;
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

/** Removes from a schema its pattern, examples, a minimum length of 1, and bounds that are those of safe integers. */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.pattern;
  delete jsonSchema.examples;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Removes what `dropNoise` removes, and additionalProperties, which tells a model nothing about a result. */
function dropNoiseOfResults(part: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  dropNoise(part);
  delete part.jsonSchema.additionalProperties;
}

function toObjectSchema(jsonSchema: unknown): ObjectSchema {
  const { type, properties, required, ...others } = objectSchema.parse(jsonSchema);
  return {
    type,
    ...(properties === undefined ? {} : { properties }),
    ...(required === undefined ? {} : { required }),
    ...others,
  };
}

/**
 * The keywords that input schemas may have. Gemini or OpenAI reject a whole list of tools because of some others, such
 * as uniqueItems.
 */
const INPUT_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'description',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'default',
  'additionalProperties',
]);

const keywords = z.record(z.string(), z.unknown());
const inputNode = z.object({
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  const: z.unknown().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  uniqueItems: z.boolean().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().optional(),
});

/** Describes the limits for which there is no accepted keyword. The tool checks them in any case. */
function limitsInWords(node: z.output<typeof inputNode>): string[] {
  const { minLength, maxLength, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  return [
    minLength === undefined ? '' : `At least ${minLength} characters.`,
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    exclusiveMinimum === undefined ? '' : `More than ${exclusiveMinimum}.`,
    exclusiveMaximum === undefined ? '' : `Less than ${exclusiveMaximum}.`,
    multipleOf === undefined ? '' : `A multiple of ${multipleOf}.`,
    node.uniqueItems === true ? 'Each only once.' : '',
  ].filter((words) => words !== '');
}

/** A schema with only the accepted keywords, and its other limits in its description. */
function toProviderSchema(schema: unknown): Record<string, unknown> {
  const node = inputNode.parse(schema);
  const description = [node.description ?? '', ...limitsInWords(node)].join(' ').trim();
  const accepted = Object.entries(keywords.parse(schema)).filter(([keyword]) => INPUT_KEYWORDS.has(keyword));
  return {
    ...Object.fromEntries(accepted),
    ...(description === '' ? {} : { description }),
    ...(node.const === undefined ? {} : { enum: [node.const] }),
    ...(node.items === undefined ? {} : { items: toProviderSchema(node.items) }),
    ...(node.properties === undefined ? {} : { properties: acceptedProperties(node.properties) }),
  };
}

const acceptedProperties = (properties: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, toProviderSchema(part)]));

/** The JSON Schema of a tool's arguments, with the descriptions that a model reads. */
export const inputJsonSchema = (schema: z.ZodObject): ObjectSchema =>
  toObjectSchema(toProviderSchema(z.toJSONSchema(schema, { io: 'input', override: dropNoise })));

/** The JSON Schema of a tool's result, without descriptions: every model pays for each word in the list of tools. */
export function outputJsonSchema(schema: z.ZodObject): ObjectSchema {
  const metadata = z.registry<Record<string, never>>();
  const jsonSchema = z.toJSONSchema(schema, { io: 'output', metadata, override: dropNoiseOfResults });
  delete jsonSchema.$schema;
  return toObjectSchema(jsonSchema);
}
