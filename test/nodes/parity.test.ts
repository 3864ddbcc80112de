import {
  ERROR_HEADER,
  ERRORS,
  nearestPostcode,
  operations,
  type Operation as Entry,
} from '../../contract/src/index';
import { z } from 'zod';
import type { INodeProperties } from 'n8n-workflow';
import { resources as referralResources } from '../../nodes/SignpostReferral/resources';
import type { Operation } from '../../nodes/shared/operation';
import contract from '../../nodes/shared/operations.generated.json';
import { resources } from '../../nodes/Signpost/resources';
import * as failure from '../../nodes/shared/failure';
import { RECORD_FIELDS, SIMPLE_FIELDS } from '../../nodes/Signpost/postcode/output-parameters';

/** A field as the contract's JSON Schema describes it, as far as the editor can show it. */
const fieldSchema = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array', 'object']).optional(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z
    .object({
      enum: z.array(z.string()).optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});
const requestSchema = z.object({
  properties: z.record(z.string(), fieldSchema),
  required: z.array(z.string()).default([]),
});

const all: [string, Entry][] = Object.entries(operations);
const offered = all.filter(([, { n8n }]) => n8n !== undefined);
const withRequest = offered.flatMap(([id, entry]) =>
  entry.request === undefined ? [] : [[id, entry, entry.request] as const],
);

const place = ({ method, path }: { method?: string; path?: string }) => `${method ?? ''} ${path ?? ''}`;
const inNodes = [...resources, ...referralResources].flatMap((resource) =>
  resource.operations.map((operation) => ({ resource, operation })),
);

const operationAt = (entry: Entry): Operation => {
  const found = inNodes.find(({ operation }) => place(operation) === place(entry));
  if (found === undefined) throw new Error(`No operation of the nodes sends ${place(entry)}.`);
  return found.operation;
};

/** Lists the value of a choice, or the names of the fields of an object. */
const namesOfOption = (option: NonNullable<INodeProperties['options']>[number]) => {
  if ('values' in option) return option.values.map(({ name }) => name);
  return 'value' in option ? [option.value] : [];
};

/** The value that is sent for an untouched parameter; undefined for an empty text or list, which is not sent. */
const defaultOf = ({ default: value }: INodeProperties) =>
  value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;

const integerBounds = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const bound = (value: number | undefined) =>
  value !== undefined && integerBounds.includes(value) ? undefined : value;

test('the nodes have exactly the operations that the contract offers in n8n, with its names', () => {
  const sent = inNodes.flatMap(({ resource, operation }) =>
    operation.path === undefined ? [] : [[place(operation), resource.name, operation.name, operation.action]],
  );
  expect(sent.toSorted()).toEqual(
    offered.map(([, entry]) => [place(entry), entry.tag, entry.n8n?.name, entry.n8n?.action]).toSorted(),
  );
});

/** The parameters in saved workflows. A workflow would lose a parameter that is renamed. */
const SAVED: Readonly<Record<string, readonly string[]>> = {
  'capture screenshot': ['url', 'fullPage', 'format', 'width', 'height'],
  'capture pdf': [
    ...['url', 'format', 'landscape', 'printBackground', 'scale', 'displayHeaderFooter'],
    ...['marginTop', 'marginBottom', 'marginLeft', 'marginRight'],
  ],
  'capture makeALink': ['linkedCapture', 'captureOptions', 'refreshSeconds', 'expiresInSeconds'],
  'capture readPage': ['url', 'format', 'mainContentOnly', 'maxCharacters', 'offset'],
  'postcode lookUp': ['postcode'],
  'postcode lookUpMany': ['postcodes'],
  'postcode validate': ['postcode'],
  'postcode findNearest': ['latitude', 'longitude', 'radiusMetres', 'maxResults'],
  'postcode autocomplete': ['partial', 'maxResults'],
  'usage get': [],
  'call send': [],
  'token getStatus': [],
  'token refresh': [],
};

test('no two operations of a resource have the same value', () => {
  const values = inNodes.map(({ resource, operation }) => `${resource.value} ${operation.value}`);
  expect(new Set(values).size).toBe(values.length);
});

test.each(Object.entries(SAVED))('saved workflows find %s with its parameters', (saved, parameters) => {
  const found = inNodes.find(({ resource, operation }) => `${resource.value} ${operation.value}` === saved);
  const names = found?.operation.fields.map(({ parameter }) => parameter.name);
  expect(names).toEqual(expect.arrayContaining([...parameters]));
});

test.each(withRequest)(
  '%s: every field is present, with the name that the contract gives it in n8n',
  (_id, entry, request) => {
    const { fields } = operationAt(entry);
    expect(fields.map(({ field }) => field).toSorted()).toEqual(Object.keys(request.shape).toSorted());
    const names = entry.n8n?.fields ?? {};
    expect(Object.keys(names).filter((field) => !(field in request.shape))).toEqual([]);
    for (const { field, parameter } of fields) expect(parameter.name).toBe(names[field]?.parameter ?? field);
  },
);

test.each(withRequest)(
  '%s: every field has the default, limits and choices of the contract',
  (_id, entry, request) => {
    const { properties, required } = requestSchema.parse(z.toJSONSchema(request, { io: 'input' }));
    for (const { field, isOption = false, parameter } of operationAt(entry).fields) {
      const {
        type,
        default: expected,
        enum: values,
        items,
        minimum,
        maximum,
        properties: parts = entry.n8n?.fields?.[field]?.hasEntries === true ? items?.properties : undefined,
        additionalProperties,
      } = properties[field] ?? {};
      const { alternatives, own } = entry.n8n?.fields?.[field] ?? {};
      const isRecord = typeof additionalProperties === 'object' && 'type' in (additionalProperties ?? {});
      const partNames = isRecord ? ['name', 'value'] : parts && Object.keys(parts);
      const entryNames = alternatives === undefined ? partNames : ['action', ...(partNames ?? [])];
      const choices = values ?? items?.enum ?? entryNames;
      const isRequired = required.includes(field);
      const isShownFirst = isRequired || entry.n8n?.parameters?.includes(field) === true;
      const { minValue, maxValue, numberPrecision } = parameter.typeOptions ?? {};
      const shown = {
        field,
        required: parameter.required === true,
        isOption,
        minValue,
        maxValue,
        isInteger: numberPrecision === 0,
        // The contract takes every time zone; the editor offers a list of them.
        choices: field === 'timezone' ? undefined : parameter.options?.flatMap(namesOfOption).toSorted(),
      };
      expect(shown).toEqual({
        field,
        // A parameter that is shown for one value of a choice may be required although the schema does not require it.
        // If a field has parameters of its own, those are required instead.
        required:
          (isRequired && own === undefined) ||
          (parameter.displayOptions !== undefined && parameter.required === true),
        isOption: !isShownFirst,
        minValue: bound(minimum),
        maxValue: bound(maximum),
        isInteger: type === 'integer',
        choices: choices?.toSorted(),
      });
      // Required parameters, and those for a value of a choice, are entered. One under Options is not sent until it is
      // added.
      const isEntered = isRequired || parameter.displayOptions !== undefined;
      if (!isEntered && (expected !== undefined || !isOption)) expect(defaultOf(parameter)).toBe(expected);
    }
  },
);

test.each(withRequest)('%s: the descriptions of fields follow the style of the editor', (_id, entry) => {
  for (const { parameter } of operationAt(entry).fields) {
    const { displayName, description = '', type } = parameter;
    expect(displayName).toMatch(/^[A-Z]/u);
    expect(description).toMatch(type === 'boolean' ? /^Whether to [a-z]/u : /^[A-Z]/u);
    const sentences = description.split(/\. (?="?[A-Z])/u);
    expect([description, description.endsWith('.')]).toEqual([description, sentences.length > 1]);
  }
});

test('each operation that returns a file has a parameter for the name of the field with the file', () => {
  const files = offered.filter(([, { response }]) => response.kind === 'file');
  for (const [, entry] of files)
    expect(operationAt(entry).ownParameters?.map(({ name }) => name)).toContain('binaryPropertyName');
});

test('a simplified record has at most ten fields, all of the contract', () => {
  const known = Object.keys(nearestPostcode.shape);
  expect(SIMPLE_FIELDS.filter((field) => !known.includes(field))).toEqual([]);
  expect(SIMPLE_FIELDS.length).toBeLessThanOrEqual(10);
});

test('every field of a record can be selected, except the parts that Include adds', () => {
  const parts = ['codes', 'areas', 'history'];
  const known = Object.keys(nearestPostcode.shape).filter((field) => !parts.includes(field));
  expect([...RECORD_FIELDS.keys()].toSorted()).toEqual(known.toSorted());
});

test('the nodes know fields of every JSON response of interface A, to tell it from that of another server', () => {
  const unknown = Object.entries(contract)
    .filter(([, { interface: side, answers }]) => side === 'A' && answers === 'json')
    .filter(([, { answerFields }]) => answerFields.length === 0);
  expect(unknown).toEqual([]);
});

test('the error header and the error names that the nodes recognise are those of the contract', () => {
  expect(failure.ERROR_HEADER).toBe(ERROR_HEADER);
  expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining([failure.NOT_IN_DIRECTORY, failure.FORBIDDEN]));
});
