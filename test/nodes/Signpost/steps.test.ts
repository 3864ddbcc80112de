import { type IDataObject, type INode, NodeHelpers } from 'n8n-workflow';
import { operations } from '../../../contract/src/index';
import { capturePdf, captureScreenshot, readPage } from '../../../nodes/Signpost/capture/capture-operations';
import { Signpost } from '../../../nodes/Signpost/Signpost.node.js';
import { property } from '../../../nodes/shared/values';
import { httpFailure, success } from '../fixtures/fake-execution';
import { run } from '../fixtures/new-node';

const url = 'https://example.com/sign-in';
const LIST = 'signinCookiesAndHeadersOptions';
const SECRET = 'canary $& {username} 7c1f';
const signIn = { user: 'ada@example.com', password: SECRET };

/** The parameters of a node whose steps were entered in the editor. */
const withSteps = (...values: IDataObject[]) => ({ url, [LIST]: { steps: { values } } });
const SIGNING_IN = withSteps(
  { action: 'fill', fill: '#email', value: '{username}' },
  { action: 'fill', fill: '#password', value: '{password}' },
  { action: 'click', click: 'text=Sign in' },
);

const OPERATIONS = [
  ['Screenshot', captureScreenshot, () => success(Buffer.from('bytes'), { 'content-type': 'image/png' })],
  ['PDF', capturePdf, () => success(Buffer.from('%PDF'), { 'content-type': 'application/pdf' })],
  ['Read Page', readPage, () => success({ result: { content: 'Hello' } })],
] as const;

test.each(OPERATIONS)(
  '%s sends each step with its own fields, without fields left over from other actions',
  async (_name, operation, answer) => {
    const parameters = withSteps(
      { action: 'click', click: ' #menu ', waitMs: 1_000, value: 'left over' },
      { action: 'fill', fill: '#q', value: ' with spaces ' },
      { action: 'press', press: 'Enter' },
      { action: 'select', select: 'select', value: 'Blue' },
      { action: 'hover', hover: '#menu' },
      { action: 'scrollTo', scrollTo: '#end' },
      { action: 'waitForSelector', waitForSelector: '#done' },
      { action: 'waitMs', waitMs: '500' },
      { action: 'goto', goto: 'https://example.com/account' },
      { action: 'fill', fill: '#pin', value: 1234 },
      { action: 'fill', fill: '#empty', value: '' },
    );
    const { bodies } = await run(operation, { parameters, answer });
    expect(bodies).toMatchObject([{ url }]);
    expect(property(bodies[0], 'steps')).toEqual([
      { click: '#menu' },
      { fill: '#q', value: ' with spaces ' },
      { press: 'Enter' },
      { select: 'select', value: 'Blue' },
      { hover: '#menu' },
      { scrollTo: '#end' },
      { waitForSelector: '#done' },
      { waitMs: 500 },
      { goto: 'https://example.com/account' },
      { fill: '#pin', value: '1234' },
      { fill: '#empty', value: '' },
    ]);
    const steps = property(bodies[0], 'steps');
    expect(operations.captureScreenshot.request.safeParse({ url, steps }).success).toBe(true);
  },
);

test.each(OPERATIONS)(
  '%s fills in the user name and password of the credential, which are in no output',
  async (_name, operation, answer) => {
    const { bodies, output } = await run(operation, { parameters: SIGNING_IN, signIn, answer });
    expect(bodies).toMatchObject([{ url }]);
    expect(property(bodies[0], 'steps')).toEqual([
      { fill: '#email', value: 'ada@example.com' },
      { fill: '#password', value: SECRET },
      { click: 'text=Sign in' },
    ]);
    expect(JSON.stringify(output)).not.toMatch(/canary|ada@/u);
  },
);

test.each(OPERATIONS)(
  '%s sends steps only once, even if a proxy responds with an error',
  async (_name, operation) => {
    const answer = () => Promise.reject(httpFailure(502, '<html>Bad Gateway</html>'));
    const { bodies } = await run(operation, { parameters: SIGNING_IN, signIn, answer });
    expect(bodies).toHaveLength(1);
  },
);

test('a step that fails is named, and the failed item contains no value of a step', async () => {
  const error = 'Step 2 (fill "#password") failed: there is no such element.';
  const parameters = withSteps(
    { action: 'fill', fill: '#email', value: 'literal-4e2' },
    { action: 'fill', fill: '#password', value: 'a{password}b' },
  );
  const { json, bodies } = await run(captureScreenshot, {
    parameters,
    signIn,
    answer: () => Promise.reject(httpFailure(400, { error })),
  });
  expect(property(bodies[0], 'steps')).toContainEqual({ fill: '#password', value: `a${SECRET}b` });
  expect(json[0]).toMatchObject({ error, details: { httpStatus: 400 } });
  expect(JSON.stringify(json)).not.toMatch(/canary|ada@|literal-4e2/u);
});

test('a placeholder without a credential fails the item before a request', async () => {
  const { json, bodies } = await run(captureScreenshot, {
    parameters: SIGNING_IN,
    answer: () => success({}),
  });
  expect(bodies).toEqual([]);
  expect(json[0]).toMatchObject({
    error: 'Steps have {username}, but the node has no Basic Auth credential',
  });
});

test.each([
  [{ allowedHttpRequestDomains: 'all' }, undefined],
  [{ allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example, Example.com' }, undefined],
  [{ allowedHttpRequestDomains: 'domains', allowedDomains: '*.example.com' }, 'example.com'],
  [{ allowedHttpRequestDomains: 'domains', allowedDomains: '' }, 'example.com'],
  [{ allowedHttpRequestDomains: 'none' }, 'example.com'],
])('a credential limited in n8n as in %j is used only for its hosts', async (limit, refused) => {
  const { json, bodies } = await run(captureScreenshot, {
    parameters: SIGNING_IN,
    signIn: { ...signIn, ...limit },
    answer: () => success(Buffer.from('bytes'), { 'content-type': 'image/png' }),
  });
  expect(bodies).toHaveLength(refused === undefined ? 1 : 0);
  expect(json[0]?.error).toBe(
    refused === undefined ? undefined : `The Basic Auth credential must not be sent to ${refused}`,
  );
});

test('the limit of a credential also applies to addresses that steps open, and to HTML', async () => {
  const limited = { ...signIn, allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
  const fill = { action: 'fill', fill: '#password', value: '{password}' };
  const elsewhere = withSteps({ action: 'goto', goto: 'https://attacker.example/' }, fill);
  for (const parameters of [
    elsewhere,
    { ...withSteps(fill), source: 'html', html: '<input id="password">' },
  ]) {
    const { json, bodies } = await run(captureScreenshot, {
      parameters,
      signIn: limited,
      answer: () => success({}),
    });
    expect(bodies).toEqual([]);
    expect(json[0]?.error).toMatch(/must not be sent to (?:attacker\.example|HTML)$/u);
  }
});

test('messages about a step use the names of the editor', async () => {
  const { json } = await run(captureScreenshot, {
    parameters: withSteps({ action: 'press', press: 'enter' }),
    answer: () => Promise.reject(httpFailure(400, { error: '"steps[0].press" must be a key' })),
  });
  expect(json[0]).toMatchObject({ error: 'Steps 1 > Key must be a key' });
});

const { description } = new Signpost();

/** A node of the newest version with these parameters, as n8n has it. */
function stored(operation: string, chosen: object): INode {
  const parameters = { resource: 'capture', operation, ...chosen };
  const node: INode = { id: '1', name: 'Node', type: 'any', typeVersion: 1.2, position: [0, 0], parameters };
  const { properties } = description;
  return {
    ...node,
    parameters: NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {},
  };
}

test.each(['screenshot', 'pdf', 'readPage'])(
  'the panel of %s shows the Basic Auth credential only if there are steps',
  (name) => {
    const shownFor = (chosen: object) => {
      const node = stored(name, chosen);
      return (description.credentials ?? [])
        .filter((credential) => NodeHelpers.displayParameter(node.parameters, credential, node, description))
        .map((credential) => credential.name);
    };
    expect(shownFor(SIGNING_IN)).toEqual(['signpostApi', 'httpBasicAuth']);
    for (const chosen of [{ url }, withSteps(), { url, [LIST]: { basicAuth: {} } }])
      expect(shownFor(chosen)).toEqual(['signpostApi']);
  },
);

test('the Basic Auth credential of a capture is optional, and the Signpost credential is required', () => {
  expect(description.credentials?.map(({ name, required = false }) => [name, required])).toEqual([
    ['signpostApi', true],
    ['httpBasicAuth', false],
  ]);
});

test('the editor stores only the fields of each step that belong to its action', () => {
  const { parameters } = stored('screenshot', SIGNING_IN);
  expect(parameters[LIST]).toEqual(SIGNING_IN[LIST]);
  const left = withSteps({ action: 'hover', hover: '#menu', fill: '#q', value: 'left over', waitMs: 9 });
  expect(stored('pdf', left).parameters[LIST]).toEqual({
    steps: { values: [{ action: 'hover', hover: '#menu' }] },
  });
});

test('the panel says that values of steps are stored in the workflow, and masks them', () => {
  const steps = captureScreenshot.fields.find(({ field }) => field === 'steps')?.parameter;
  expect(steps?.description).toContain('All other values are stored in the workflow');
  const [entry] = steps?.options ?? [];
  const parts = entry !== undefined && 'values' in entry ? entry.values : [];
  expect(parts.find(({ name }) => name === 'value')).toMatchObject({
    typeOptions: { password: true },
    hint: expect.stringContaining('Stored in the workflow'),
    displayOptions: { show: { action: ['fill', 'select'] } },
  });
});
