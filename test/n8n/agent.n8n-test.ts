import { z } from 'zod';
import { servePages, type Pages } from '../fixtures/pages.js';
import { agentWorkflow, modelCredential } from './support/agent.js';
import { pngSize } from './support/files.js';
import { startLanguageModel, type LanguageModel } from './support/language-model.js';
import { startScene, START_TIMEOUT_MS, type Scene } from './support/scene.js';
import { signpost } from './support/workflow.js';

const capturedFiles = z.tuple([z.object({ base64: z.string() })]);

let scene: Scene;
let model: LanguageModel;
let pages: Pages;

beforeAll(async () => {
  pages = await servePages();
  model = await startLanguageModel({
    Postcode: 'sw1a1aa',
    Postcodes: 'sw1a1aa, EH99 1SP',
    URL: `${pages.url}/`,
  });
  scene = await startScene(() => [modelCredential(model.url)]);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await scene.close();
  await model.close();
  await pages.close();
});

const tool = (parameters: object) => {
  const node = signpost('Signpost', { ...parameters });
  return { ...node, type: `${node.type}Tool` };
};

/** Runs an agent with a tool. Returns the part of the tool's result that the agent passes on. */
async function toolAnswer(parameters: object): Promise<unknown> {
  const done = await scene.n8n.run(agentWorkflow('agent', tool(parameters)));
  expect(done.error).toBeUndefined();
  return JSON.parse(String(done.json('Agent')[0]?.output));
}

const fromModel = (name: string, what: string) => `={{ $fromAI('${name}', '${what}', 'string') }}`;

test('an AI agent looks up a postcode with the node as its tool', async () => {
  const answer = await toolAnswer({
    resource: 'postcode',
    operation: 'lookUp',
    postcode: fromModel('Postcode', 'The postcode'),
  });
  expect(answer).toMatchObject([{ postcode: 'SW1A 1AA', country: 'England' }]);
  const [offered] = model.requests.at(-1)?.tools ?? [];
  expect(offered?.function).toMatchObject({ parameters: { required: ['Postcode'] } });
});

test('an AI agent looks up many postcodes with a node on which only the operation is chosen', async () => {
  const node = tool({ resource: 'postcode', operation: 'lookUpMany' });
  const done = await scene.n8n.run(agentWorkflow('agent', { ...node, typeVersion: 1.1 }));
  expect(done.error).toBeUndefined();
  expect(JSON.parse(String(done.json('Agent')[0]?.output))).toMatchObject([
    { postcode: 'SW1A 1AA', found: true },
    { postcode: 'EH99 1SP', found: true },
  ]);
  const [offered] = model.requests.at(-1)?.tools ?? [];
  expect(offered?.function).toMatchObject({ parameters: { required: ['Postcodes'] } });
});

const capture = (output: string) => ({
  resource: 'capture',
  operation: 'screenshot',
  url: fromModel('URL', 'The page'),
  output,
  options: { width: 64, height: 48 },
});

test('an AI agent gets a capture as base64 if the node puts it into the JSON', async () => {
  const [answer] = capturedFiles.parse(await toolAnswer(capture('base64')));
  expect(pngSize(Buffer.from(answer.base64, 'base64'))).toEqual({ width: 64, height: 48 });
});

test('an AI agent gets the description of a capture that goes into a file', async () => {
  expect(await toolAnswer(capture('binary'))).toMatchObject([
    { mimeType: 'image/png', pageStatus: 200, binaryField: 'data' },
  ]);
});

test('an AI agent gets the selected fields, and its tool requires and describes the postcode', async () => {
  const node = tool({
    resource: 'postcode',
    operation: 'lookUp',
    recordOutput: 'fields',
    recordFields: ['postcode', 'country'],
  });
  const done = await scene.n8n.run(agentWorkflow('agent', { ...node, typeVersion: 1.2 }));
  expect(done.error).toBeUndefined();
  expect(JSON.parse(String(done.json('Agent')[0]?.output))).toEqual([
    { postcode: 'SW1A 1AA', country: 'England' },
  ]);
  const [offered] = model.requests.at(-1)?.tools ?? [];
  expect(offered?.function).toMatchObject({
    parameters: {
      properties: { Postcode: { type: 'string', description: expect.stringContaining('UK postcode') } },
      required: ['Postcode'],
    },
  });
});
