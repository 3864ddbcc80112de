import { LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { nearest, suggest } from '../platform/suggestions.js';
import { ServiceError } from '../platform/errors.js';

const SHOWN_CHARACTERS = 60;
/** How many problems to look at: one more than a message lists, to know whether there are more. */
const LOOKED_AT = LIMITS.problems.max + 1;

/** The parts of a field's JSON Schema that messages use. */
interface FieldSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly items?: FieldSchema | undefined;
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined;
  /** The schema of the values under keys that `properties` does not list; false if such keys are rejected. */
  readonly additionalProperties?: FieldSchema | false | undefined;
  readonly anyOf?: readonly FieldSchema[] | undefined;
}
const fieldSchema: z.ZodType<FieldSchema> = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.lazy(() => fieldSchema).optional(),
  properties: z.lazy(() => z.record(z.string(), fieldSchema)).optional(),
  additionalProperties: z.lazy(() => z.union([fieldSchema, z.literal(false)])).optional(),
  anyOf: z.lazy(() => z.array(fieldSchema)).optional(),
});

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

/** The schema at a path in a request; empty if it is not known. */
const schemaAt = (fields: Record<string, FieldSchema>, path: readonly PropertyKey[]): FieldSchema =>
  path.reduce<FieldSchema>(
    (schema, part) => {
      const forms = [schema, ...(schema.anyOf ?? [])];
      const found = forms.map(({ items, properties }) =>
        typeof part === 'number' ? items : properties?.[String(part)],
      );
      return found.find((form) => form !== undefined) ?? {};
    },
    { properties: fields },
  );

const range = ({ minimum, maximum }: FieldSchema) =>
  minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;

function length({ minLength, maxLength }: FieldSchema): string {
  if (minLength !== undefined && maxLength !== undefined)
    return ` of ${minLength} to ${maxLength} characters`;
  if (maxLength !== undefined) return ` of at most ${maxLength} characters`;
  return minLength === undefined ? '' : ` of at least ${minLength} character${minLength === 1 ? '' : 's'}`;
}

const LIST_ENTRIES: Readonly<Record<string, string>> = { string: 'strings', object: 'objects' };

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** If a field allows more values than this, a message names only those most similar to the input. */
const MAX_LISTED = 30;
const NEAREST_LISTED = 3;

/**
 * Lists the allowed values of a field and, if one is similar to the input, suggests it. Names only the most similar
 * ones if there are more than MAX_LISTED.
 */
function describeEnum(values: readonly unknown[], value: unknown): string {
  const texts = values.filter((text) => typeof text === 'string');
  if (texts.length > MAX_LISTED) {
    const names = nearest(typeof value === 'string' ? value : '', texts, NEAREST_LISTED);
    return `one of the ${texts.length} names that the reference lists, such as ${quoted(names)}`;
  }
  const near = typeof value === 'string' ? suggest(value, texts) : undefined;
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
  return `one of ${values.map((one) => JSON.stringify(one)).join(', ')}${hint}`;
}

function describeAllowed(field: FieldSchema, value: unknown): string {
  if (field.enum !== undefined) return describeEnum(field.enum, value);
  switch (field.type) {
    case 'integer':
      return `a whole number${range(field)}`;
    case 'number':
      return `a number${range(field)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      if (field.items?.enum !== undefined)
        return `a list of ${field.items.enum.map((one) => JSON.stringify(one)).join(', ')}`;
      return `a list of ${field.minItems} to ${field.maxItems} ${LIST_ENTRIES[field.items?.type ?? ''] ?? 'entries'}`;
    case 'object': {
      const { properties, additionalProperties: values } = field;
      if (properties !== undefined) return `an object with ${quoted(Object.keys(properties))}`;
      return values !== undefined && values !== false && values.type === 'string'
        ? 'an object of strings'
        : 'an object';
    }
    default:
      return `a string${length(field)}`;
  }
}

/**
 * Whether a field at the top level of a request is a secret. If so, messages repeat no value of the request: they may
 * be logged, and the secret may be in the wrong field.
 */
const holdsSecret = (fields: Record<string, FieldSchema>) =>
  Object.values(fields).some(({ format }) => format === 'password');

/** Whether a field contains a secret. Messages do not repeat the value of such a field. */
const isSecret = ({
  format,
  anyOf = [],
  items,
  properties = {},
  additionalProperties,
}: FieldSchema): boolean =>
  format === 'password' ||
  [...anyOf, items, ...Object.values(properties), additionalProperties].some(
    (part) => part !== undefined && part !== false && isSecret(part),
  );

function shownValue(value: unknown, isHidden = false): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  // JSON.stringify would fail on deeply nested values.
  if (typeof value === 'object' && value !== null) return 'an object';
  if (isHidden && typeof value !== 'object' && value !== '') return `a ${typeof value}`;
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

function unknownField(key: string, knownFields: readonly string[]): string {
  const near = suggest(key, knownFields);
  const hint = near === undefined ? `the fields are ${quoted(knownFields)}` : `did you mean "${near}"?`;
  return `${shownValue(key)} is not a field: ${hint}`;
}

/**
 * The problems of an object with the object schema of a union, which has at most one. Undefined if the value is no
 * object, or if the union has no object schema.
 */
function faultsOfObject({ errors, path }: z.core.$ZodIssueInvalidUnion, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const form = errors.find((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'),
  );
  return form?.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

function describe(
  issue: z.core.$ZodIssue,
  body: unknown,
  fields: Record<string, FieldSchema>,
): string | string[] {
  const field = schemaAt(fields, issue.path);
  const value = valueAt(body, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const forms = [field, ...(field.anyOf ?? [])];
    const knownFields = forms.flatMap(({ properties }) => Object.keys(properties ?? {}));
    const path = pathText(issue.path);
    return issue.keys
      .slice(0, LOOKED_AT)
      .map((key) => `${path === '' ? '' : `In "${path}": `}${unknownField(key, knownFields)}`);
  }
  if (issue.path.length === 0)
    return `The request body must be a JSON object with ${quoted(Object.keys(fields))}, but is ${
      body === undefined ? 'empty' : shownValue(body, holdsSecret(fields))
    }`;
  const faults = issue.code === 'invalid_union' ? faultsOfObject(issue, value) : undefined;
  if (faults !== undefined) return faults.flatMap((fault) => describe(fault, body, fields));
  const must = ['custom', 'invalid_format', 'invalid_union'].includes(issue.code)
    ? issue.message
    : `must be ${describeAllowed(field, value)}`;
  // The object has the right type and only breaks a rule between its fields, so the message does not add what the value
  // is.
  const isOfRightType = issue.code === 'custom' && isRecord(value);
  if (isOfRightType) return `"${pathText(issue.path)}" ${must}`;
  const isHidden = holdsSecret(fields) || isSecret(fields[String(issue.path[0])] ?? {});
  return value === undefined
    ? `"${pathText(issue.path)}" is missing: it ${must}`
    : `"${pathText(issue.path)}" ${must}, but is ${shownValue(value, isHidden)}`;
}

/**
 * Parses a request body by an operation's schema. If it is wrong, throws a ServiceError whose message is one sentence
 * about the first problems that says what to change.
 */
export function parseRequest<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = fieldsOf(schema);
  const problems = parsed.error.issues.slice(0, LOOKED_AT).flatMap((issue) => describe(issue, body, fields));
  if (problems.length >= LOOKED_AT) problems.splice(LIMITS.problems.max, Infinity, 'and more');
  throw new ServiceError('invalidRequest', problems.join('; ').replace(/[^?]$/u, '$&.'));
}
