import { nearestPostcode, operations as contract } from '../../contract/src/index';
import { z } from 'zod';
import type { INodeProperties } from 'n8n-workflow';
import { resources as referralResources } from '../../nodes/SignpostReferral/resources';
import type { Operation } from '../../nodes/shared/operation';
import { resources } from '../../nodes/Signpost/resources';
import { SIMPLE_FIELDS } from '../../nodes/Signpost/resources/postcode/record';

/** A field as the contract's JSON Schema describes it, as far as the editor can show it. */
const fieldSchema = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array']),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const requestSchema = z.object({
  properties: z.record(z.string(), fieldSchema),
  required: z.array(z.string()).default([]),
});

const offered = [...resources, ...referralResources].flatMap(({ operations }) => operations);
const place = ({ method, path }: { method?: string; path?: string }) => `${method ?? ''} ${path ?? ''}`;
const all = Object.entries(contract).filter(([id]) => id !== 'refreshToken');
const withRequest = all.flatMap(([id, operation]) =>
  'request' in operation ? [[id, place(operation), operation.request] as const] : [],
);

const operationAt = (at: string): Operation => {
  const found = offered.find((operation) => place(operation) === at);
  if (found === undefined) throw new Error(`No operation of the node sends ${at}.`);
  return found;
};

/** What an untouched parameter stands for: an empty text is not sent. */
const defaultOf = ({ default: value }: INodeProperties) => (value === '' ? undefined : value);

test('the nodes have every operation of the contract, and what they send is in the contract', () => {
  const sent = offered.filter(({ path }) => path !== undefined).map(place);
  expect(sent.toSorted()).toEqual(all.map(([, operation]) => place(operation)).toSorted());
});

test.each(withRequest)('%s: every field is there under its name, and no other', (_id, at, request) => {
  const { properties } = requestSchema.parse(z.toJSONSchema(request, { io: 'input' }));
  const names = operationAt(at).fields.map(({ field }) => field);
  expect(names.toSorted()).toEqual(Object.keys(properties).toSorted());
});

test.each(withRequest)(
  '%s: every field has the default, limits and choices of the contract',
  (_id, at, request) => {
    const { properties, required } = requestSchema.parse(z.toJSONSchema(request, { io: 'input' }));
    for (const { field, isOption, parameter } of operationAt(at).fields) {
      const {
        type,
        default: expected,
        enum: choices,
        minimum,
        maximum,
      } = properties[field] ?? { type: 'string' };
      const isRequired = required.includes(field);
      const { minValue, maxValue, numberPrecision } = parameter.typeOptions ?? {};
      const isInteger = type === 'integer';
      expect({
        field,
        required: parameter.required === true,
        isOption: isOption === true && isRequired,
        ...(isRequired ? {} : { default: defaultOf(parameter) }),
        minValue,
        maxValue,
        isInteger: isInteger === (numberPrecision === 0),
        ...(choices === undefined
          ? {}
          : {
              choices: parameter.options?.map((option) => ('value' in option ? option.value : '')).toSorted(),
            }),
      }).toEqual({
        field,
        required: isRequired,
        isOption: false,
        ...(isRequired ? {} : { default: expected }),
        minValue: minimum,
        maxValue: maximum,
        isInteger: true,
        ...(choices === undefined ? {} : { choices: choices.toSorted() }),
      });
    }
  },
);

test('a simplified record has fields of the contract, ten at most', () => {
  const known = Object.keys(nearestPostcode.shape);
  expect(SIMPLE_FIELDS.filter((field) => !known.includes(field))).toEqual([]);
  expect(SIMPLE_FIELDS.length).toBeLessThanOrEqual(10);
});
