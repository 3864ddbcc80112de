import type { N8nField, Operation } from '@signpost/contract';
import type { JsonSchema } from '../request/json-schema.js';
import { requestFields } from '../request/request-fields.js';
import type { Call } from './request-code.js';

/** The value that n8n stores for the name of a resource or an operation, such as "lookUpMany" for "Look Up Many". */
const n8nName = (name: string): string =>
  name
    .split(' ')
    .map((word, at) => (at === 0 ? word.toLowerCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');

const entriesOf = (value: object): [string, unknown][] => Object.entries(value);

/**
 * Adds `action` to an entry: the field of `alternatives` that the entry has. n8n's editor offers this choice as a
 * parameter of the entry.
 */
const withAction = (entry: unknown, alternatives: NonNullable<N8nField['alternatives']>) =>
  typeof entry === 'object' && entry !== null
    ? { action: Object.keys(entry).find((name) => name in alternatives), ...entry }
    : entry;

/**
 * A value as n8n's editor stores it. An object with free names becomes `values`, a list of names and values. An object
 * whose fields have a schema, or a list whose entries are added one by one, is put into `values`. Any other value stays
 * as it is.
 */
function editorValue(
  value: unknown,
  { properties, additionalProperties }: JsonSchema,
  { hasEntries = false, alternatives }: N8nField,
) {
  if (typeof value !== 'object' || value === null) return value;
  if (alternatives !== undefined && Array.isArray(value))
    return { values: value.map((entry: unknown) => withAction(entry, alternatives)) };
  if (typeof additionalProperties === 'object')
    return { values: entriesOf(value).map(([name, one]) => ({ name, value: one })) };
  return hasEntries || properties !== undefined ? { values: value } : value;
}

/** The parameters for an object: each field that `own` names, and `parameter` with the others as JSON, if any. */
function splitParameters(value: unknown, own: readonly string[], parameter: string): Record<string, unknown> {
  const entries = typeof value === 'object' && value !== null ? entriesOf(value) : [];
  const others = entries.filter(([name]) => !own.includes(name));
  return {
    ...Object.fromEntries(entries.filter(([name]) => own.includes(name))),
    ...(others.length === 0 ? {} : { [parameter]: JSON.stringify(Object.fromEntries(others)) }),
  };
}

/** The titles of the groups whose fields the node lists under its usual options, and not in lists of their own. */
const USUAL = ['Answer and cache', 'HTML in place of an address'];

/**
 * The name of the node's list that has the option `name`: "options" if the option is in no group or in one of the
 * groups in USUAL, otherwise a name made of the group's title, such as "paperAndMarginsOptions".
 */
function optionListOf(name: string, { fieldGroups = {} }: Operation): string {
  const group = Object.keys(fieldGroups).find((title) => fieldGroups[title]?.includes(name) === true);
  if (group === undefined || USUAL.includes(group)) return 'options';
  const words = group.replaceAll(/[^A-Za-z ]/gu, '').toLowerCase();
  return `${words} options`.replaceAll(/ +([a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

/** The call as a node to paste into n8n's editor; undefined if Signpost's node does not offer the operation. */
export function n8nCode({ operation, request }: Call): string | undefined {
  const { n8n, tag } = operation;
  if (n8n === undefined) return undefined;
  const { fields: fieldForms = {}, parameters: mainParameters = [], choices = {} } = n8n;
  const parameters: Record<string, unknown> = { resource: n8nName(tag), operation: n8nName(n8n.name) };
  const options: Record<string, Record<string, unknown>> = { options: {} };
  for (const { name, schema, isRequired } of requestFields(operation)) {
    const value = request?.body[name];
    if (value === undefined) continue;
    Object.assign(parameters, choices[name]);
    const isOption = !isRequired && !mainParameters.includes(name);
    const target = isOption ? (options[optionListOf(name, operation)] ??= {}) : parameters;
    const { [name]: form = {} } = fieldForms;
    const { parameter = name, own } = form;
    if (own === undefined) target[parameter] = editorValue(value, schema, form);
    else Object.assign(target, splitParameters(value, own, parameter));
  }
  const node = {
    parameters: { ...parameters, ...options },
    name: 'Signpost',
    type: 'n8n-nodes-signpost.signpost',
    typeVersion: 1.2,
    position: [0, 0],
  };
  return JSON.stringify({ nodes: [node], connections: {} }, null, 2);
}

const snakeCase = (id: string) => id.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

/** The call as an MCP tool call; undefined if the operation is not a tool. */
export function mcpCode({ id, operation, request }: Call): string | undefined {
  if (operation.mcp === undefined) return undefined;
  const params = { name: snakeCase(id), arguments: request?.body ?? {} };
  return JSON.stringify({ method: 'tools/call', params }, null, 2);
}
