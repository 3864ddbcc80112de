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

/** Evaluates an expression of the credential, as n8n does. */
const evaluate = (expression: string, $self: Record<string, string>) => {
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
  return workflow.expression.getSimpleParameterValue(node, expression, 'internal', { $self });
};

test('the key is masked and empty by default', () => {
  expect(property('apiKey')).toMatchObject({ default: '', typeOptions: { password: true } });
});

test('the default Base URL is that of a server on the same machine', () => {
  expect(property('baseUrl')).toMatchObject({ default: 'http://127.0.0.1:3000', required: true });
});

test.each([
  ...[
    'sp_live_1',
    '  sp_live_1 ',
    'Bearer sp_live_1',
    ' bearer  sp_live_1',
    'Bearer\tsp_live_1',
    'Bearer\nsp_live_1',
    '"sp_live_1"',
    '\u200bsp_live_1\ufeff',
  ],
  ...['sp_live\n_1\r\n', 'X-Api-Key: sp_live_1', 'Authorization: Bearer sp_live_1'],
])('a key that was pasted as %p is sent clean in the header X-Api-Key', async (apiKey) => {
  const options = { url: 'http://b.test/api', headers: { Accept: 'image/png' } };
  expect((await credential.authenticate({ apiKey }, options)).headers).toEqual({
    Accept: 'image/png',
    'X-Api-Key': 'sp_live_1',
  });
});

test.each([
  ['http://127.0.0.1:3000', '127.0.0.1'],
  [' https://Example.com/signpost/?a#b ', 'Example.com'],
  ['https://example.com:8443', 'example.com'],
  ['http://[::1]:3000/', '[::1]'],
  ['https://user:password@example.com/signpost', 'example.com'],
  ['https://user:a,b@[::1]:3000', '[::1]'],
  ['https://us@er@example.com', 'example.com'],
  ['https://example.com\\@elsewhere.test', 'example.com'],
  ['https://example.com,elsewhere.test', ''],
  ['https://example.com/a,b', 'example.com'],
  ['https://example.com\n,elsewhere.test', ''],
  ['', ''],
])("for the Base URL %p, n8n's HTTP Request node may send the key only to the host %p", (baseUrl, host) => {
  expect(property('allowedHttpRequestDomains')?.default).toBe('domains');
  const expression = property('allowedDomains')?.default;
  expect(evaluate(typeof expression === 'string' ? expression : '', { baseUrl })).toBe(host);
});

test("if domains are entered, n8n's HTTP Request node may send the key only to those", () => {
  const expression = property('allowedDomains')?.default;
  const entered = { baseUrl: 'https://example.com', otherDomains: ' a.test, *.b.test ' };
  expect(evaluate(typeof expression === 'string' ? expression : '', entered)).toBe('a.test, *.b.test');
});

test('no visible field has an expression as default', () => {
  const shown = credential.properties.filter(({ type }) => type !== 'hidden');
  expect(
    shown
      .map(({ default: value }) => value)
      .filter((value) => typeof value === 'string' && value.startsWith('=')),
  ).toEqual([]);
});
