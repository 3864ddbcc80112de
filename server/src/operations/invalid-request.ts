import { LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { suggest } from '../platform/suggestions.js';
import { ServiceError } from '../platform/errors.js';

const SHOWN_CHARACTERS = 60;
/** One more than are told, to say that there are others. */
const LOOKED_AT = LIMITS.problems.max + 1;

/** The parts of a field's JSON Schema that people are told about. */
const fieldSchema = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
type FieldSchema = z.output<typeof fieldSchema>;

const objectSchema = z.object({ properties: z.record(z.string(), fieldSchema) });
const fieldsBySchema = new WeakMap<z.ZodObject, Record<string, FieldSchema>>();

function fieldsOf(schema: z.ZodObject): Record<string, FieldSchema> {
  let fields = fieldsBySchema.get(schema);
  if (fields === undefined) {
    fields = objectSchema.parse(z.toJSONSchema(schema, { io: 'input' })).properties;
    fieldsBySchema.set(schema, fields);
  }
  return fields;
}

const range = ({ minimum, maximum }: FieldSchema) =>
  minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;

/** One of the values of a field; a near miss is suggested. */
function allowedValue(values: readonly unknown[], value: unknown): string {
  const texts = values.filter((text) => typeof text === 'string');
  const near = typeof value === 'string' ? suggest(value, texts) : undefined;
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
  return `one of ${values.map((one) => JSON.stringify(one)).join(', ')}${hint}`;
}

function allowed(field: FieldSchema, value: unknown): string {
  if (field.enum !== undefined) return allowedValue(field.enum, value);
  switch (field.type) {
    case 'integer':
      return `a whole number${range(field)}`;
    case 'number':
      return `a number${range(field)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list of ${field.minItems} to ${field.maxItems} strings`;
    default:
      return field.maxLength === undefined ? 'a string' : `a string of at most ${field.maxLength} characters`;
  }
}

/** A request that holds a secret is not repeated in words that may be logged: it may stand in the wrong place. */
const holdsSecret = (fields: Record<string, FieldSchema>) =>
  Object.values(fields).some(({ format }) => format === 'password');

function shown(value: unknown, isSecret = false): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  // Not as JSON: one that is nested deeply enough cannot be written.
  if (typeof value === 'object' && value !== null) return 'an object';
  if (isSecret && typeof value !== 'object' && value !== '') return `a ${typeof value}`;
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, SHOWN_CHARACTERS) : value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

const pathText = (path: readonly PropertyKey[]) =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  );
}

function unknownField(key: string, known: readonly string[]): string {
  const near = suggest(key, known);
  const hint =
    near === undefined
      ? `the fields are ${known.map((name) => `"${name}"`).join(', ')}`
      : `did you mean "${near}"?`;
  return `${shown(key)} is not a field: ${hint}`;
}

function describe(
  issue: z.core.$ZodIssue,
  body: unknown,
  fields: Record<string, FieldSchema>,
): string | string[] {
  const [top] = issue.path;
  if (top === undefined) {
    const known = Object.keys(fields);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, LOOKED_AT).map((key) => unknownField(key, known));
    return `The request body must be a JSON object with ${known
      .map((name) => `"${name}"`)
      .join(', ')}, but is ${body === undefined ? 'empty' : shown(body, holdsSecret(fields))}`;
  }
  const field = fields[String(top)] ?? {};
  const value = valueAt(body, issue.path);
  const must =
    issue.code === 'custom' || issue.code === 'invalid_format'
      ? issue.message
      : `must be ${issue.path.length > 1 ? 'a string' : allowed(field, value)}`;
  return value === undefined
    ? `"${pathText(issue.path)}" is missing: it ${must}`
    : `"${pathText(issue.path)}" ${must}, but is ${shown(value, holdsSecret(fields))}`;
}

/** Parses a request body by an operation's schema; the first problems become one sentence that says what to change. */
export function parseRequest<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = fieldsOf(schema);
  const problems = parsed.error.issues.slice(0, LOOKED_AT).flatMap((issue) => describe(issue, body, fields));
  if (problems.length >= LOOKED_AT) problems.splice(LIMITS.problems.max, Infinity, 'and more');
  throw new ServiceError('invalidRequest', problems.join('; ').replace(/[^?]$/u, '$&.'));
}
