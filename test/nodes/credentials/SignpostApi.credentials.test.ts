import { operations } from '../../../contract/src/index';
import { type INode, type INodeTypes, Workflow } from 'n8n-workflow';
import { SignpostApi } from '../../../credentials/SignpostApi.credentials';

const credential = new SignpostApi();
const property = (name: string) => credential.properties.find((candidate) => candidate.name === name);

const description = {
  displayName: 'Node',
  name: 'node',
  group: [],
  version: 1,
  description: '',
  defaults: {},
  inputs: [],
  outputs: [],
  properties: [],
};

/** What n8n makes of an expression of the credential. */
const evaluate = (expression: string, $credentials: Record<string, string>) => {
  const node: INode = {
    id: '1',
    name: 'node',
    type: 'node',
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
  };
  const nodeType = { description };
  const nodeTypes: INodeTypes = {
    getByName: () => nodeType,
    getByNameAndVersion: () => nodeType,
    getKnownTypes: () => ({}),
  };
  const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
  return workflow.expression.getSimpleParameterValue(node, expression, 'internal', { $credentials });
};

test('the key is masked and empty by default', () => {
  expect(property('apiKey')).toMatchObject({ default: '', typeOptions: { password: true } });
});

test('the server of the same machine is the default', () => {
  expect(property('baseUrl')).toMatchObject({ default: 'http://127.0.0.1:3000', required: true });
});

test('every request carries the key in the header that the interface names', () => {
  const { headers } = credential.authenticate.properties;
  expect(headers).toEqual({ 'X-Api-Key': '={{$credentials.apiKey}}' });
});

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['https://example.com/signpost// ', 'https://example.com/signpost'],
])('the test of the credential reaches the server at %p', (baseUrl, expected) => {
  expect(evaluate(String(credential.test.request.baseURL), { baseUrl })).toBe(expected);
});

test('the test of the credential calls the usage of the key', () => {
  expect(credential.test.request.url).toBe(operations.getUsage.path);
});
