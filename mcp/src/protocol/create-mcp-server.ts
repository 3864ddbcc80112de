import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { toolDescription, toolsWithFiles, toolsWithoutFiles } from '../tools/tools.js';
import { VERSION } from '../version.js';
import { callTool } from './call-tool.js';
import { complete, getPrompt, prompts } from './prompts.js';
import type { McpDeps } from './mcp-deps.js';
import { readResource, resources, resourceTemplates } from './resources.js';

const listWithFiles: ListToolsResult = { tools: toolsWithFiles.map(toolDescription) };
const listWithoutFiles: ListToolsResult = { tools: toolsWithoutFiles.map(toolDescription) };

const serverInfo = {
  name: 'signpost',
  title: 'Signpost',
  version: VERSION,
  description: 'UK postcodes, and screenshots and PDFs of web pages.',
};

const options = {
  // Without this each server makes one of its own, which costs more than the rest of it.
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions:
    'Signpost looks up UK postcodes and captures public web pages. Every call counts against the limits of the API key: for several postcodes call lookup_postcodes once.',
};

/** As in the protocol, and null for no arguments, which n8n sends for a tool whose fields nobody opened. */
const callToolRequest = CallToolRequestSchema.extend({
  params: CallToolRequestSchema.shape.params.extend({
    arguments: z
      .record(z.string(), z.unknown())
      .nullish()
      .transform((sent) => sent ?? {}),
  }),
});

type Register = (server: McpServer['server'], deps: McpDeps) => void;

/** Keeps what was not foreseen to the log; the client reads a sentence. */
async function guarded<Result>(
  { log }: McpDeps,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof McpError) throw error;
    signal.throwIfAborted();
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw new McpError(ErrorCode.InternalError, 'The request failed unexpectedly.');
  }
}

/** How each method is answered. */
const handlersByMethod: Readonly<Record<string, Register>> = {
  'tools/list': (server, { files }) => {
    const tools = files === undefined ? listWithoutFiles : listWithFiles;
    server.setRequestHandler(ListToolsRequestSchema, () => tools);
  },
  'tools/call': (server, deps) =>
    server.setRequestHandler(callToolRequest, (request, extra) => callTool(deps, request, extra)),
  'resources/list': (server) => server.setRequestHandler(ListResourcesRequestSchema, () => resources),
  'resources/templates/list': (server) =>
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => resourceTemplates),
  'resources/read': (server, deps) =>
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
      guarded(deps, signal, () => readResource(deps, params.uri, signal)),
    ),
  'prompts/list': (server) => server.setRequestHandler(ListPromptsRequestSchema, () => prompts),
  'prompts/get': (server) => server.setRequestHandler(GetPromptRequestSchema, getPrompt),
  'completion/complete': (server, deps) =>
    server.setRequestHandler(CompleteRequestSchema, (request, { signal }) =>
      guarded(deps, signal, () => complete(deps.directBackend, request, signal)),
    ),
};

const handlers = new Map(Object.entries(handlersByMethod));
const allMethods = [...handlers.keys()];

/**
 * One connection's server: the protocol around the tools. One that answers a single HTTP request is made for each of
 * them, so it gets the handlers of that request's methods alone.
 */
export function createMcpServer(deps: McpDeps, methods: readonly string[] = allMethods): McpServer {
  const mcp = new McpServer(serverInfo, options);
  for (const method of methods) handlers.get(method)?.(mcp.server, deps);
  return mcp;
}
