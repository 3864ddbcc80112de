import { z } from 'zod';
import { toolsWithLinks } from '../../mcp/src/tools/tools.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { agentWorkflow, modelCredential, type AgentVersion } from './support/agent.js';
import { pdfPages, pngSize } from './support/files.js';
import { createKey } from './support/keys.js';
import { startLanguageModel, type LanguageModel } from './support/language-model.js';
import {
  mcpClient,
  mcpClientTool,
  mcpCredentials,
  offeredTools,
  toolFields,
  type McpCall,
} from './support/mcp-client.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { workflow, type NodeSketch } from './support/workflow.js';

const TOOLS = toolsWithLinks.map(({ name }) => name);

let scene: Scene;
let model: LanguageModel;
let pages: Pages;
let endpoint: string;

beforeAll(async () => {
  pages = await servePages();
  model = await startLanguageModel((tool) =>
    tool.endsWith('capture_screenshot')
      ? { url: `${pages.url}/`, width: 64, height: 48 }
      : { postcode: 'sw1a1aa' },
  );
  scene = await startScene(async ({ dataDir }) => [
    ...(await mcpCredentials(() => createKey(dataDir, 'unlimited'))),
    modelCredential(model.url),
  ]);
  endpoint = `${scene.signpost.url}/mcp`;
}, START_TIMEOUT_MS);
afterAll(async () => {
  await scene.close();
  await model.close();
  await pages.close();
});

const run = (call: McpCall, ...after: NodeSketch[]) =>
  scene.n8n.run(workflow('mcp', [{}], [mcpClient(endpoint, call), ...after]));

/** Runs a call. Returns the only item that the client outputs for it. */
async function item(call: McpCall) {
  const done = await run(call);
  expect(done.error).toBeUndefined();
  const [only, ...others] = done.items('MCP Client');
  expect(others).toEqual([]);
  return only;
}

const PALACE = { postcode: 'SW1A 1AA', country: 'England', localAuthority: 'Westminster' };
const text = (words: string) => ({ type: 'text', text: expect.stringContaining(words) });

/** The arguments of each postcode tool, the fields of its result, and words in its text. */
const POSTCODE_CALLS: readonly (readonly [string, Record<string, unknown>, object, string])[] = [
  ['lookup_postcode', { postcode: 'sw1a1aa' }, { result: PALACE }, 'Local authority: Westminster'],
  [
    'lookup_postcodes',
    { postcodes: ['sw1a1aa', 'ZZ99 9ZZ'] },
    {
      results: [PALACE],
      found: 1,
      notFound: 1,
      missing: [{ index: 1, postcode: 'ZZ99 9ZZ', reason: 'unknown' }],
    },
    'No such postcode: ZZ99 9ZZ',
  ],
  [
    'validate_postcode',
    { postcode: 'sw1a1aa' },
    { postcode: 'SW1A 1AA', isValid: true, isActive: true },
    'Yes',
  ],
  [
    'find_nearest_postcodes',
    { latitude: 51.501, longitude: -0.1416, limit: 1 },
    { results: [{ ...PALACE, distanceMetres: 3 }] },
    '3 m  SW1A 1AA',
  ],
  ['autocomplete_postcode', { partial: 'SW1A 1' }, { postcodes: ['SW1A 1AA'] }, '1 postcode found'],
];

test('MCP Client offers all tools of the server, with the key as a header or a bearer token', async () => {
  for (const key of ['header', 'bearer'] as const) {
    const tools = await offeredTools(scene.n8n, mcpClient(endpoint, { tool: '', key }));
    expect(tools.map(({ value }) => value)).toEqual(TOOLS);
  }
});

test.each(POSTCODE_CALLS)(
  'MCP Client calls %s with its arguments as JSON, and returns structured fields and a text',
  async (tool, toolArguments, fields, words) => {
    const { json } = (await item({ tool, toolArguments })) ?? {};
    expect(json).toMatchObject({ structuredContent: fields, content: [text(words)] });
  },
);

test.each(POSTCODE_CALLS)(
  'MCP Client calls %s with arguments entered in fields of the editor, the other fields left empty',
  async (tool, toolArguments, expected) => {
    const fields = await toolFields(scene.n8n, mcpClient(endpoint, { tool, key: 'fields' }));
    const needed = fields.filter(({ required }) => required).map(({ id }) => id);
    expect(Object.keys(toolArguments)).toEqual(expect.arrayContaining(needed));
    const { json } = (await item({ tool, toolArguments, fields, key: 'fields' })) ?? {};
    expect(json).toMatchObject({ structuredContent: expected });
  },
);

test('MCP Client calls a tool with the key as a bearer token', async () => {
  const call = { tool: 'lookup_postcode', toolArguments: { postcode: 'sw1a1aa' }, key: 'bearer' } as const;
  expect((await item(call))?.json).toMatchObject({ structuredContent: { result: PALACE } });
});

test('MCP Client returns a screenshot as a file, whether called with JSON or with fields', async () => {
  const tool = 'capture_screenshot';
  const toolArguments = { url: `${pages.url}/`, width: 64, height: 48 };
  const fields = await toolFields(scene.n8n, mcpClient(endpoint, { tool }));
  for (const call of [
    { tool, toolArguments },
    { tool, toolArguments, fields },
  ]) {
    const { json, binary } = (await item(call)) ?? {};
    expect(json).toEqual({ content: [text('image/png, 64 × 48 pixels')] });
    expect(binary).toEqual({ data_0: expect.objectContaining({ mimeType: 'image/png' }) });
    expect(pngSize(await scene.n8n.file(binary?.data_0))).toEqual({ width: 64, height: 48 });
  }
});

const httpRequest: NodeSketch = {
  name: 'HTTP Request',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: {
    url: '={{ $json.content[1].uri }}',
    options: { response: { response: { responseFormat: 'file' } } },
  },
};

test('MCP Client returns the address of a PDF, which the HTTP Request node can download', async () => {
  const call = { tool: 'capture_pdf', toolArguments: { url: `${pages.url}/`, link: true } };
  const done = await run(call, httpRequest);
  expect(done.error).toBeUndefined();
  const [{ json, binary } = {}] = done.items('MCP Client');
  expect(binary).toBeUndefined();
  expect(json?.content).toMatchObject([
    text('1 page'),
    { type: 'resource_link', mimeType: 'application/pdf' },
  ]);
  const field = done.items('HTTP Request')[0]?.binary?.data;
  expect(field).toMatchObject({ mimeType: 'application/pdf' });
  expect(pdfPages(await scene.n8n.file(field))).toBe(1);
});

const usageResult = z.object({ structuredContent: z.object({ totalRequests: z.number() }) });

test('MCP Client gets the usage of its key, which includes the calls of MCP Client', async () => {
  const usage = async (more: Partial<McpCall> = {}) =>
    usageResult.parse((await item({ tool: 'get_usage', ...more }))?.json).structuredContent.totalRequests;
  const before = await usage();
  await item({ tool: 'validate_postcode', toolArguments: { postcode: 'SW1A 1AA' } });
  expect(await usage({ fields: [] })).toBe(before + 2);
});

test('MCP Client fails with the message of a tool that rejects its call', async () => {
  const done = await run({ tool: 'lookup_postcode', toolArguments: { postcode: 'nonsense' } });
  expect(done.status).toBe('error');
  expect(done.error?.message).toContain('must be a UK postcode such as "SW1A 1AA", but is "nonsense"');
});

test('MCP Client fails with a message if the server does not know its key', async () => {
  const done = await run({ tool: 'get_usage', key: 'wrong' });
  expect(done.status).toBe('error');
  expect(done.error).toMatchObject({
    message: 'Could not connect to your MCP server. Authentication failed.',
    description: expect.stringContaining('The API key is not valid: it is unknown or revoked.'),
  });
  expect(JSON.stringify(done.error)).not.toContain('sp_live_nobody');
});

const agentRun = (tool: NodeSketch, version: AgentVersion) =>
  scene.n8n.run(agentWorkflow('agent', tool, version));

/** Runs an agent with a tool. Returns the part of the tool's result that the agent gives to its model. */
async function agentAnswer(tool: NodeSketch, version: AgentVersion): Promise<unknown> {
  const done = await agentRun(tool, version);
  expect(done.error).toBeUndefined();
  const last = model.requests.at(-1)?.messages.at(-1);
  expect(last?.role).toBe('tool');
  return JSON.parse(z.string().parse(last?.content));
}

const picture = z.tuple([z.unknown(), z.object({ type: z.literal('image'), data: z.base64() })]);

/** Each version of the agent, with functions that find the fields and the content in its result. */
const AGENTS = [
  {
    version: 2,
    fieldsOf: (answer: unknown) => answer,
    contentOf: (answer: unknown) => answer,
  },
  {
    version: 3.1,
    fieldsOf: (answer: unknown) =>
      z.tuple([z.object({ structuredContent: z.unknown() })]).parse(answer)[0].structuredContent,
    contentOf: (answer: unknown) => z.tuple([z.object({ response: z.unknown() })]).parse(answer)[0].response,
  },
] as const;

describe.each(AGENTS)('an AI agent of version $version', ({ version, fieldsOf, contentOf }) => {
  test('an AI agent with MCP Client Tool is offered all tools and looks up a postcode', async () => {
    const answer = await agentAnswer(mcpClientTool(endpoint, { key: 'bearer' }), version);
    expect(fieldsOf(answer)).toMatchObject({ result: PALACE });
    const offered = model.requests.at(-1)?.tools?.map((tool) => tool.function.name);
    expect(offered).toEqual(TOOLS.map((name) => `Signpost_${name}`));
  });

  test('an AI agent with MCP Client Tool gets a screenshot as base64', async () => {
    const tool = mcpClientTool(endpoint, { key: 'bearer', tools: ['capture_screenshot'] });
    const answer = await agentAnswer(tool, version);
    const [words, { data }] = picture.parse(contentOf(answer));
    expect(words).toEqual(text('64 × 48 pixels'));
    expect(pngSize(Buffer.from(data, 'base64'))).toEqual({ width: 64, height: 48 });
  });

  test('an AI agent with MCP Client Tool fails if the server does not know the key', async () => {
    const asked = model.requests.length;
    const done = await agentRun(mcpClientTool(endpoint, { key: 'wrong' }), version);
    expect(done.status).toBe('error');
    expect(done.error).toMatchObject({
      message: 'Error in sub-node Signpost',
      description: 'Could not connect to your MCP server. Authentication failed.',
    });
    expect(model.requests).toHaveLength(asked);
  });
});
