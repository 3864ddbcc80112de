import { type JsonSchema, recordName } from '../request/json-schema.js';

/** Leaves out the limits of JavaScript's integers, which zod writes into schemas. */
const documentedBound = (bound: number | undefined) =>
  bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;

function formatRange(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (min === undefined) return `at most ${max}`;
  if (max === undefined) return `at least ${min}`;
  return min === max ? String(min) : `${min} to ${max}`;
}

function formatCountRange(
  min: number | undefined,
  max: number | undefined,
  [singular, plural]: readonly [string, string],
): string | undefined {
  const text = formatRange(min, max);
  return text === undefined ? undefined : `${text} ${(max ?? min) === 1 ? singular : plural}`;
}

/** The allowed range, length or number of entries as text; undefined if the schema limits none of them. */
function formatLimits(schema: JsonSchema): string | undefined {
  const { minLength, maxLength, minItems, maxItems } = schema;
  const parts = [
    formatRange(documentedBound(schema.minimum), documentedBound(schema.maximum)),
    formatCountRange(minLength, maxLength, ['character', 'characters']),
    formatCountRange(minItems, maxItems, ['entry', 'entries']),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** One field of a request or response, as a row of a table. */
export interface FieldRow {
  /** The path of the field inside the request or response, such as `identity.email` or `dailyUsage[].date`. */
  readonly path: string;
  /** The type in words, such as "integer", "string or null" or "array of PostcodeRecord". */
  readonly type: string;
  /** The name of the (first) record in the type; undefined if the type names none. */
  readonly record: string | undefined;
  readonly isRequired: boolean;
  readonly default: string | undefined;
  /** The allowed range, length or number of entries, as text; undefined if there is no such limit. */
  readonly limits: string | undefined;
  readonly pattern: string | undefined;
  /** The values that are allowed, as JSON; empty if they are not enumerated. */
  readonly values: readonly string[];
  readonly description: string;
}

const json = (value: unknown): string => JSON.stringify(value);

function formatType(schema: JsonSchema): string {
  const record = recordName(schema);
  if (record !== undefined) return record;
  if (schema.anyOf !== undefined) return schema.anyOf.map(formatType).join(' or ');
  const types = [schema.type ?? 'any'].flat().join(' or ');
  if (types === 'array' && schema.items !== undefined) return `array of ${formatType(schema.items)}`;
  return schema.format === undefined ? types : `${types} (${schema.format})`;
}

function recordOf(schema: JsonSchema): string | undefined {
  const inner = [schema.items, ...(schema.anyOf ?? [])].filter((part) => part !== undefined);
  return recordName(schema) ?? inner.map(recordOf).find((name) => name !== undefined);
}

function valuesOf(schema: JsonSchema): readonly string[] {
  if (schema.enum !== undefined) return schema.enum.map(json);
  return schema.const === undefined ? [] : [json(schema.const)];
}

type Records = ReadonlyMap<string, JsonSchema>;

export const rowOf = (
  path: string,
  schema: JsonSchema,
  isRequired: boolean,
  records: Records = new Map(),
): FieldRow => ({
  path,
  type: formatType(schema),
  record: recordOf(schema),
  isRequired,
  default: schema.default === undefined ? undefined : json(schema.default),
  limits: formatLimits(schema),
  pattern: schema.format === undefined ? schema.pattern : undefined,
  values: valuesOf(schema),
  description: schema.description ?? records.get(recordName(schema) ?? '')?.description ?? '',
});

/** The fields of an object, each followed by its inner fields unless they are of a named record. */
export function fieldRows(
  schema: JsonSchema,
  records: Records = new Map(),
  prefix = '',
): readonly FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const inner =
      field.items === undefined
        ? fieldRows(field, records, `${path}.`)
        : fieldRows(field.items, records, `${path}[].`);
    return [rowOf(path, field, isRequired, records), ...inner];
  });
}
