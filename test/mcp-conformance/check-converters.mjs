import assert from 'node:assert/strict';
import { connect as connectAdk } from './clients/google-adk.mjs';
import { connectClient } from './clients/sdk-1.mjs';
import { loaderFrom } from './check-clients.mjs';
import { check } from './report.mjs';

/** The keywords of JSON Schema that every model provider accepts in the schema of a tool's arguments. */
const EVERYWHERE = new Set([
  ...['type', 'properties', 'required', 'items', 'enum', 'description', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'default', 'additionalProperties'],
]);
/** Gemini's own form of schemas marks a value that may be null with `nullable`, and has no `additionalProperties`. */
const GEMINI = new Set([...EVERYWHERE, 'nullable', 'format']);
GEMINI.delete('additionalProperties');
/** In strict tools of OpenAI, null stands for an argument that is left out, so its schema is a choice of types. */
const STRICT = new Set([...EVERYWHERE, 'anyOf']);
/** A converter may name the dialect, but only in the outermost schema. */
const OUTERMOST = new Set(['$schema']);

/** Checks the keywords of a schema and of all schemas inside it. */
function judgeWords(schema, allowed, place, outermost = OUTERMOST) {
  assert.ok(schema !== null && typeof schema === 'object', `${place} is no schema`);
  for (const word of Object.keys(schema))
    assert.ok(allowed.has(word) || outermost.has(word), `${place} has "${word}"`);
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['[]', schema.items]]),
    ...(schema.anyOf ?? []).map((each, index) => [`anyOf ${index}`, each]),
  ];
  for (const [name, each] of inner) judgeWords(each, allowed, `${place}.${name}`, new Set());
}

/** Checks that every object in the schema of a strict tool requires all of its fields and accepts no others. */
function judgeStrict(schema, place) {
  for (const each of schema.anyOf ?? []) judgeStrict(each, place);
  if (schema.items !== undefined) judgeStrict(schema.items, `${place}[]`);
  if (schema.properties === undefined) return;
  assert.equal(schema.additionalProperties, false, `${place} takes other fields`);
  assert.deepEqual(schema.required?.toSorted() ?? [], Object.keys(schema.properties).toSorted(), place);
  for (const [name, field] of Object.entries(schema.properties)) judgeStrict(field, `${place}.${name}`);
}

/** A server object, as the OpenAI Agents SDK needs it, with the list of tools that the client received. */
const serverOf = (client, tools) => ({
  name: 'signpost',
  cacheToolsList: false,
  connect: async () => {},
  close: async () => {},
  listTools: async () => tools,
  callTool: async () => [],
  invalidateToolsCache: async () => {},
});

/**
 * The libraries. `convert` returns the tools as the library sends them to its provider, each as `{ name, schema }`.
 * `words` are the keywords of schemas that the provider accepts. `isHttp` says that the library connects by itself,
 * over HTTP.
 */
const CONVERTERS = [
  {
    name: '@google/genai',
    words: EVERYWHERE,
    async convert({ load, client }) {
      const { mcpToTool } = await load('@google/genai');
      const { functionDeclarations } = await mcpToTool(client).tool();
      return functionDeclarations.map((each) => ({ name: each.name, schema: each.parametersJsonSchema }));
    },
  },
  {
    name: '@google/adk',
    words: GEMINI,
    isHttp: true,
    async convert({ load, httpTarget }) {
      const adk = await connectAdk(load, httpTarget);
      const declarations = adk.declarations();
      await adk.close();
      return declarations.map(({ name, parameters }) => ({ name, schema: parameters }));
    },
  },
  {
    name: '@langchain/google-genai',
    words: GEMINI,
    async convert({ load, tools }) {
      const { ChatGoogleGenerativeAI } = await load('@langchain/google-genai');
      const model = new ChatGoogleGenerativeAI({ model: 'gemini-none', apiKey: 'none' });
      const openAi = tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      }));
      const [{ functionDeclarations }] = model.invocationParams({ tools: openAi }).tools;
      return functionDeclarations.map(({ name, parameters }) => ({ name, schema: parameters }));
    },
  },
  {
    name: '@langchain/mcp-adapters',
    words: EVERYWHERE,
    async convert({ load, client }) {
      const { loadMcpTools } = await load('@langchain/mcp-adapters');
      const { convertToOpenAITool } = await load('@langchain/core/utils/function_calling');
      const converted = (await loadMcpTools('signpost', client)).map((tool) => convertToOpenAITool(tool));
      return converted.map(({ function: { name, parameters } }) => ({ name, schema: parameters }));
    },
  },
  {
    name: '@openai/agents-core',
    words: STRICT,
    judge: judgeStrict,
    async convert({ load, client, tools }) {
      const { getAllMcpTools } = await load('@openai/agents-core');
      const converted = await getAllMcpTools({
        mcpServers: [serverOf(client, tools)],
        convertSchemasToStrict: true,
      });
      for (const { name, strict } of converted) assert.equal(strict, true, `${name} is not strict`);
      return converted.map(({ name, parameters }) => ({ name, schema: parameters }));
    },
  },
  {
    name: '@anthropic-ai/sdk',
    words: EVERYWHERE,
    async convert({ load, client, tools }) {
      const { mcpTools } = await load('@anthropic-ai/sdk/helpers/beta/mcp');
      return mcpTools(tools, client).map((tool) => ({ name: tool.name, schema: tool.input_schema }));
    },
  },
  {
    name: 'ai',
    words: EVERYWHERE,
    isHttp: true,
    async convert({ load, httpTarget }) {
      const { createMCPClient } = await load('@ai-sdk/mcp');
      const { asSchema } = await load('ai');
      const { url, headers } = httpTarget;
      const client = await createMCPClient({ transport: { type: 'http', url, headers } });
      const tools = Object.entries(await client.tools());
      await client.close();
      return Promise.all(
        tools.map(async ([name, tool]) => ({ name, schema: await asSchema(tool.inputSchema).jsonSchema })),
      );
    },
  },
];

/** Checks that each library converts all tools correctly, of a server on stdio and of one over HTTP. */
export async function checkConverters({ modules, versions, stdioTarget, httpTarget }) {
  const load = loaderFrom(modules);
  for (const target of [stdioTarget, httpTarget]) {
    const client = await connectClient(load, target);
    const { tools } = await client.listTools();
    for (const { name, words, isHttp = false, judge, convert } of CONVERTERS) {
      if (isHttp && target !== httpTarget) continue;
      await check(`${name} ${versions[name]} converts every tool, ${target.name}`, async () => {
        const converted = await convert({ load, client, tools, httpTarget });
        assert.deepEqual(
          converted.map((tool) => tool.name).toSorted(),
          tools.map((tool) => tool.name).toSorted(),
        );
        for (const { name: tool, schema } of converted) {
          if (schema === undefined) continue;
          judgeWords(schema, words, tool);
          judge?.(schema, tool);
          const own = tools.find((each) => each.name === tool).inputSchema.properties;
          assert.deepEqual(
            Object.keys(schema.properties ?? {}).toSorted(),
            Object.keys(own).toSorted(),
            tool,
          );
        }
      });
    }
    await client.close();
  }
}
