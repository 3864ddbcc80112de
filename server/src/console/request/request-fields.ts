import type { Operation } from '@signpost/contract';
import { describeSchema, isSecret, type JsonSchema } from './json-schema.js';

/**
 * Which input a field has. `ticks` are several checkboxes, `lines` takes an entry on each line, `names` a name and its
 * value on each line; `parts` has an input for each field of an object.
 */
export type FieldKind =
  'tick' | 'choice' | 'ticks' | 'number' | 'text' | 'long' | 'lines' | 'names' | 'parts';

export interface RequestField {
  readonly name: string;
  readonly label: string;
  /** The meaning of the field, from the contract. */
  readonly hint: string | undefined;
  readonly kind: FieldKind;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Whether the value is kept out of addresses, and not filled in when the form is shown again. */
  readonly isSecret: boolean;
  readonly keepsLastSpace: boolean;
  /** The fields of the object if the kind is `parts`, named by their paths, such as "clip.width"; otherwise empty. */
  readonly parts: readonly RequestField[];
}

/** A text field that accepts at least this many characters gets a textarea. */
const LONG_CHARACTERS = 10_000;

function kindOf({ type, enum: values, items, properties, maxLength = 0 }: JsonSchema): FieldKind {
  if (type === 'boolean') return 'tick';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return items?.enum === undefined ? 'lines' : 'ticks';
  if (type === 'object') return properties === undefined ? 'names' : 'parts';
  if (values !== undefined) return 'choice';
  return maxLength >= LONG_CHARACTERS ? 'long' : 'text';
}

const ACRONYMS = /\b(css|gss|html|icb|id|itl|json|lsoa|msoa|pdf|url)(s?)\b/giu;
const UNITS = / (characters|degrees|metres|ms|pixels|seconds)$/u;

/** Makes a label of a field's name, with a unit at its end in brackets: "Radius (metres)" for "radiusMetres". */
export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]|\d+/gu, (part) => ` ${part.toLowerCase()}`).trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
    .replace(ACRONYMS, (_, acronym: string, plural: string) => `${acronym.toUpperCase()}${plural}`)
    .replace('Java script', 'JavaScript')
    .replace(UNITS, (_, unit: string) => ` (${unit === 'ms' ? 'milliseconds' : unit})`);
}

function fieldOf(name: string, schema: JsonSchema, isRequired: boolean, { n8n }: Operation): RequestField {
  const own = name.split('.').at(-1) ?? name;
  return {
    name,
    label: labelOf(own),
    hint: schema.description,
    kind: kindOf(schema),
    schema,
    isRequired,
    isSecret: isSecret(schema),
    keepsLastSpace: n8n?.fields?.[name]?.keepsLastSpace ?? false,
    parts: [],
  };
}

function withParts(field: RequestField, operation: Operation): RequestField {
  if (field.kind !== 'parts') return field;
  const { properties = {}, required = [] } = field.schema;
  const parts = Object.entries(properties).map(([part, schema]) =>
    fieldOf(`${field.name}.${part}`, schema, required.includes(part), operation),
  );
  return { ...field, parts };
}

const fieldsByOperation = new WeakMap<Operation, readonly RequestField[]>();

/** The fields of an operation's request, in the order of its schema. */
export function requestFields(operation: Operation): readonly RequestField[] {
  const cached = fieldsByOperation.get(operation);
  if (cached !== undefined) return cached;
  const { properties = {}, required = [] } =
    operation.request === undefined ? {} : describeSchema(operation.request, 'input').root;
  const fields = Object.entries(properties).map(([name, schema]) =>
    withParts(fieldOf(name, schema, required.includes(name), operation), operation),
  );
  fieldsByOperation.set(operation, fields);
  return fields;
}

export interface FieldGroup {
  /** Undefined for the fields that are in no group of the contract. */
  readonly title: string | undefined;
  readonly fields: readonly RequestField[];
}

/**
 * The operation's fields in groups. The first group has the fields that are in no other: first the required ones, then
 * the parameters of the n8n node, then the rest.
 */
export function fieldGroups(operation: Operation): readonly FieldGroup[] {
  const fields = requestFields(operation);
  const fieldsNamed = (names: readonly string[]) =>
    names.flatMap((name) => fields.filter((field) => field.name === name));
  const groups = Object.entries(operation.fieldGroups ?? {});
  const groupedNames = groups.flatMap(([, names]) => names);
  const first = [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fieldsNamed(operation.n8n?.parameters ?? []),
    ...fields,
  ];
  const common = [...new Set(first)].filter(({ name }) => !groupedNames.includes(name));
  return [
    { title: undefined, fields: common },
    ...groups.map(([title, names]) => ({ title, fields: fieldsNamed(names) })),
  ];
}
