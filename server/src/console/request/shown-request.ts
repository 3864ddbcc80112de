import type { JsonSchema } from './json-schema.js';
import { type FormState, isSet, valueOf } from './form-state.js';
import type { RequestField } from './request-fields.js';

/** A request as it may be shown: the name of a variable stands for each secret. */
export interface ShownRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** The names of those variables, such as REFRESH_TOKEN. */
  readonly variables: readonly string[];
}

/** How a variable stands in the texts of a request, until it is written as its language has it. */
export const marked = (variable: string): string => `$${variable}`;

const variableOf = (way: readonly string[]) =>
  way
    .join('_')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, '_')
    .replaceAll(/\W+/gu, '_')
    .toUpperCase();

/** The schema of what an object has under a name. */
const schemaOf = ({ properties, additionalProperties }: JsonSchema, name: string): JsonSchema =>
  properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});

function masked(value: unknown, schema: JsonSchema, way: readonly string[], variables: Set<string>): unknown {
  if (schema.format === 'password') {
    variables.add(variableOf(way));
    return marked(variableOf(way));
  }
  if (Array.isArray(value)) return value.map((entry) => masked(entry, schema.items ?? {}, way, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      masked(part, schemaOf(schema, name), [...way, name], variables),
    ]),
  );
}

/** A request by its values, with its secrets masked. */
export function shownRequest(
  values: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
): ShownRequest {
  const variables = new Set<string>();
  const body = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    masked(value, properties[name] ?? {}, [name], variables),
  ]);
  return { body: Object.fromEntries(body), variables: [...variables] };
}

/** Longer ones are not for addresses, which all together may have some thousand characters. */
const MAX_VALUE_CHARACTERS = 1_000;
const MAX_ADDRESS_CHARACTERS = 6_000;

/** In which an address names the fields that it does not hold although they have a value. */
export const LEFT_OUT = 'without';

const inputsOf = ({ kind, parts, name }: RequestField) =>
  kind === 'parts' ? parts.map((part) => part.name) : [name];

interface LinkedState {
  readonly query: URLSearchParams;
  /** The fields that have a value which is secret or too long. */
  readonly leftOut: readonly RequestField[];
}

/** What was entered, as the query of an address, without secrets and without what is too long. */
export function linkState(
  fields: readonly RequestField[],
  state: FormState,
  leftOutBefore: readonly string[],
): LinkedState {
  const query = new URLSearchParams();
  const leftOut: RequestField[] = [];
  for (const field of fields) {
    if (!isSet(field, state)) {
      if (leftOutBefore.includes(field.name)) leftOut.push(field);
      continue;
    }
    const entered = inputsOf(field).flatMap((name) => {
      const text = state[name];
      return text === undefined || text === '' ? [] : [[name, text] as const];
    });
    const length = String(new URLSearchParams(Object.fromEntries(entered))).length;
    const isTooLong = length > MAX_VALUE_CHARACTERS || String(query).length + length > MAX_ADDRESS_CHARACTERS;
    if (field.isSecret || isTooLong) leftOut.push(field);
    else for (const [name, text] of entered) query.set(name, text);
  }
  return { query, leftOut };
}

/** The request that a form stands for, as it may be shown; an example stands for what the address does not hold. */
export function shownForm(
  fields: readonly RequestField[],
  state: FormState,
  leftOut: readonly RequestField[],
): ShownRequest {
  const values = fields.flatMap((field) => {
    const value = isSet(field, state) ? valueOf(field, state) : undefined;
    const example = leftOut.includes(field) ? field.schema.examples?.[0] : undefined;
    const shown = value ?? example;
    return shown === undefined ? [] : [[field.name, shown] as const];
  });
  return shownRequest(
    Object.fromEntries(values),
    Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  );
}
