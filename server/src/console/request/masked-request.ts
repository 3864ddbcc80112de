import type { JsonSchema } from './json-schema.js';
import { type FormState, isSet, valueOf } from './form-state.js';
import type { RequestField } from './request-fields.js';

/** A request that is safe to show: each secret is replaced by the placeholder of a variable. */
export interface MaskedRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** The names of the variables, such as REFRESH_TOKEN. */
  readonly variables: readonly string[];
}

/** The placeholder of a variable in a request's texts. The code of each language replaces it by its own syntax. */
export const placeholderOf = (variable: string): string => `$${variable}`;

const variableOf = (path: readonly string[]) =>
  path
    .join('_')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, '_')
    .replaceAll(/\W+/gu, '_')
    .toUpperCase();

const schemaOf = ({ properties, additionalProperties }: JsonSchema, name: string): JsonSchema =>
  properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});

function mask(value: unknown, schema: JsonSchema, path: readonly string[], variables: Set<string>): unknown {
  if (schema.format === 'password') {
    variables.add(variableOf(path));
    return placeholderOf(variableOf(path));
  }
  if (Array.isArray(value)) return value.map((entry) => mask(entry, schema.items ?? {}, path, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      mask(part, schemaOf(schema, name), [...path, name], variables),
    ]),
  );
}

/** Makes a request from these values, with placeholders for its secrets. */
export function maskRequest(
  values: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
): MaskedRequest {
  const variables = new Set<string>();
  const body = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    mask(value, properties[name] ?? {}, [name], variables),
  ]);
  return { body: Object.fromEntries(body), variables: [...variables] };
}

/**
 * A field is left out of an address if its names and values, as the address encodes them, take more characters than
 * this.
 */
const MAX_VALUE_CHARACTERS = 1_000;
const MAX_ADDRESS_CHARACTERS = 6_000;

/** The query parameter that names the fields that an address leaves out because their values are secret or too long. */
export const LEFT_OUT = 'without';

const inputsOf = ({ kind, parts, name }: RequestField) =>
  kind === 'parts' ? parts.map((part) => part.name) : [name];

interface LinkedState {
  readonly query: URLSearchParams;
  /**
   * The fields whose value is secret or too long for an address, and those that an earlier address left out and that
   * have no value now.
   */
  readonly leftOut: readonly RequestField[];
}

/**
 * Returns the entered values as a query without secret and too long ones, and the fields that are left out.
 * `leftOutBefore` names the fields that an earlier address left out.
 */
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

/** The request of a form, safe to show. A field without a value gets its example if it is in `leftOut`. */
export function maskForm(
  fields: readonly RequestField[],
  state: FormState,
  leftOut: readonly RequestField[],
): MaskedRequest {
  const values = fields.flatMap((field) => {
    const value = isSet(field, state) ? valueOf(field, state) : undefined;
    const example = leftOut.includes(field) ? field.schema.examples?.[0] : undefined;
    const shown = value ?? example;
    return shown === undefined ? [] : [[field.name, shown] as const];
  });
  return maskRequest(
    Object.fromEntries(values),
    Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  );
}
