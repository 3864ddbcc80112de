import { type ContractField, contractFields } from '../../../nodes/shared/contract-fields';
import { type ContractOperation, plainOperation } from '../../../nodes/shared/contract-operations';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { fakeExecution, success } from '../fixtures/fake-execution';

const field = (name: string, type: string, more: Partial<ContractField> = {}): ContractField => ({
  field: name,
  type,
  description: 'Say something of it.',
  isRequired: false,
  isOption: true,
  ...more,
});
const shown = (name: string, type: string, more: Partial<ContractField> = {}) =>
  contractFields([field(name, type, more)])[0]?.parameter;

const text = (name: string): ContractField => field(name, 'string');
const PART = { field: 'x', type: 'number', description: 'Say how far.', minimum: 0, maximum: 9 };

const echo: ContractOperation = {
  interface: 'A',
  resource: 'Usage',
  name: 'Send Echo',
  action: 'Send an echo',
  description: 'Answer what was sent',
  method: 'POST',
  path: '/api/echo',
  answers: 'json',
  answerFields: [],
  fields: [
    field('text', 'string', { isRequired: true, isOption: false, example: 'hello' }),
    field('times', 'integer', { default: 1, minimum: 1, maximum: 9 }),
    field('tags', 'texts'),
    field('more', 'object'),
    field('place', 'object', { fields: [PART, { ...PART, field: 'y' }] }),
    field('places', 'objects', { fields: [PART] }),
    field('words', 'record', { fields: [text('name'), text('value')] }),
  ],
};

test('an operation needs only its entry in the contract to run with JSON input and output', async () => {
  const operation = plainOperation(echo);
  expect(operation).toMatchObject({ value: 'sendEcho', action: 'Send an echo' });
  const { context, requests } = fakeExecution({
    parameters: {
      text: ' hello ',
      options: {
        times: '3',
        tags: [],
        more: '{"a":1}',
        place: { values: { x: '5', y: 0 } },
        places: { values: [{ x: 1 }, { x: '2' }] },
        words: { values: [{ name: ' one ', value: '1' }, { name: 'none' }, { value: 'nameless' }] },
        resultField: 'said',
      },
    },
    items: [{ id: 7 }],
    answer: () => success({ text: 'hello' }),
  });
  const client = new ServiceClient(context, signpostService);
  const output = await runOperation(context, client, operation);
  expect(requests[0]).toMatchObject({ method: 'POST', url: 'http://signpost.test/api/echo' });
  expect(requests[0]?.body).toEqual({
    text: 'hello',
    times: 3,
    more: { a: 1 },
    place: { x: 5, y: 0 },
    places: [{ x: 1 }, { x: 2 }],
    words: { one: '1', none: '' },
  });
  expect(output).toEqual([{ json: { id: 7, said: { text: 'hello' } }, pairedItem: { item: 0 } }]);
});

test.each([
  [{ result: { outcode: 'M1' } }, { outcode: 'M1' }],
  [
    { result: { outcode: 'M1' }, total: 1 },
    { result: { outcode: 'M1' }, total: 1 },
  ],
])(
  'the response %j becomes the JSON %j: `result` is unwrapped if it is the only field',
  async (body, json) => {
    const { context } = fakeExecution({ parameters: { text: 'a' }, answer: () => success(body) });
    const client = new ServiceClient(context, signpostService);
    const output = await runOperation(context, client, plainOperation(echo));
    expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
  },
);

test('an operation without fields sends no body', async () => {
  const { context, requests } = fakeExecution({ parameters: {}, answer: () => success({}) });
  const client = new ServiceClient(context, signpostService);
  await runOperation(context, client, plainOperation({ ...echo, method: 'GET', fields: [] }));
  expect(requests[0]).toMatchObject({ method: 'GET' });
  expect(requests[0]?.body).toBeUndefined();
});

test('a field is shown with its unit, its bounds and its example', () => {
  expect(shown('maxAgeSeconds', 'integer', { minimum: 0, maximum: 60, example: '5' })).toEqual({
    displayName: 'Max Age (Seconds)',
    name: 'maxAgeSeconds',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 60, numberPrecision: 0 },
    default: 0,
    description: 'Say something of it. From 0 to 60.',
    placeholder: 'e.g. 5',
  });
  expect(shown('baseUrl', 'string')).toMatchObject({
    displayName: 'Base URL',
    description: 'Say something of it',
  });
});

test('a boolean is described with "Whether to", choices are sorted by name, and a list accepts several texts', () => {
  expect(shown('blockAds', 'boolean')).toMatchObject({
    type: 'boolean',
    default: false,
    description: 'Whether to say something of it',
  });
  expect(
    shown('format', 'string', { values: ['text', 'html'], default: 'text', choices: { html: 'As it is' } }),
  ).toMatchObject({
    type: 'options',
    default: 'text',
    options: [
      { name: 'HTML', value: 'html', description: 'As it is' },
      { name: 'Text', value: 'text' },
    ],
  });
  expect(shown('selectors', 'texts')).toMatchObject({
    type: 'string',
    typeOptions: { multipleValues: true },
    default: [],
  });
});

test('an object is shown as its fields, and is not sent if nothing was entered in it', async () => {
  expect(shown('place', 'object', { fields: [PART] })).toMatchObject({
    type: 'fixedCollection',
    default: {},
    options: [
      {
        name: 'values',
        displayName: 'Place',
        values: [
          {
            displayName: 'X',
            name: 'x',
            type: 'number',
            typeOptions: { minValue: 0, maxValue: 9 },
            default: 0,
          },
        ],
      },
    ],
  });
  const parameters = { text: 'a', options: { place: {}, places: {}, words: { values: [] } } };
  const { context, requests } = fakeExecution({ parameters, answer: () => success({}) });
  const client = new ServiceClient(context, signpostService);
  await runOperation(context, client, plainOperation(echo));
  expect(requests[0]?.body).toEqual({ text: 'a' });
});

test('a field with names and values accepts several entries, and a secret value is masked', () => {
  expect(
    shown('words', 'record', { fields: [text('name'), { ...text('value'), isSecret: true }] }),
  ).toMatchObject({
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    options: [
      { values: [{ name: 'name' }, { name: 'value', type: 'string', typeOptions: { password: true } }] },
    ],
  });
});

test('choices that are proper names are listed unchanged, and other choices as titles', () => {
  expect(shown('device', 'string', { values: ['iPhone 15', 'smallPhone'] })).toMatchObject({
    options: [
      { name: 'Small Phone', value: 'smallPhone' },
      { name: 'iPhone 15', value: 'iPhone 15' },
    ],
  });
});
