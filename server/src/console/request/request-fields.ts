import type { Operation } from '@signpost/contract';
import { describe, isSecret, type JsonSchema } from './json-schema.js';

/** How a field is entered: `lines` one entry a line, `names` a name and its value a line, `parts` each for itself. */
export type FieldKind =
  'tick' | 'choice' | 'ticks' | 'number' | 'text' | 'long' | 'lines' | 'names' | 'parts';

/** A field of a request, as a form shows it. */
export interface RequestField {
  readonly name: string;
  readonly label: string;
  /** What it means, in the words of the contract. */
  readonly hint: string | undefined;
  readonly kind: FieldKind;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** What it holds stays out of addresses and of what is shown again. */
  readonly isSecret: boolean;
  readonly keepsLastSpace: boolean;
  /** Those of an object, named with the way to them: "clip.width". */
  readonly parts: readonly RequestField[];
}

/** A text that may be so long is entered in several lines. */
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

/** A name of the interface as people read it: "radiusMetres" is "Radius (metres)". */
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

const known = new WeakMap<Operation, readonly RequestField[]>();

/** The fields of an operation's request, in the order of its schema. */
export function requestFields(operation: Operation): readonly RequestField[] {
  const remembered = known.get(operation);
  if (remembered !== undefined) return remembered;
  const { properties = {}, required = [] } =
    operation.request === undefined ? {} : describe(operation.request, 'input').root;
  const fields = Object.entries(properties).map(([name, schema]) =>
    withParts(fieldOf(name, schema, required.includes(name), operation), operation),
  );
  known.set(operation, fields);
  return fields;
}

/** Fields for one purpose. */
export interface FieldGroup {
  /** Undefined for the usual ones. */
  readonly title: string | undefined;
  readonly fields: readonly RequestField[];
}

/** The fields by what they are for: the usual ones first, those that are required and chosen before all others. */
export function fieldGroups(operation: Operation): readonly FieldGroup[] {
  const fields = requestFields(operation);
  const named = (names: readonly string[]) =>
    names.flatMap((name) => fields.filter((field) => field.name === name));
  const groups = Object.entries(operation.fieldGroups ?? {});
  const seldom = groups.flatMap(([, names]) => names);
  const first = [
    ...fields.filter(({ isRequired }) => isRequired),
    ...named(operation.n8n?.parameters ?? []),
    ...fields,
  ];
  const usual = [...new Set(first)].filter(({ name }) => !seldom.includes(name));
  return [
    { title: undefined, fields: usual },
    ...groups.map(([title, names]) => ({ title, fields: named(names) })),
  ];
}
