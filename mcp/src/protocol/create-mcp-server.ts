import {
  type CacheHint,
  type ListToolsResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { lazy } from '../tools/tool.js';
import { toolDescription, toolsWithFolder, toolsWithLinks } from '../tools/tools.js';
import { VERSION } from '../version.js';
import { callTool } from './call-tool.js';
import type { McpDeps } from './mcp-deps.js';
import { complete, getPrompt, prompts } from './prompts.js';
import { readResource, resources, resourceTemplates } from './resources.js';
import { filterMessages } from './filter-messages.js';

const lists: Readonly<Record<McpDeps['files']['kind'], () => ListToolsResult>> = {
  folder: lazy(() => ({ tools: toolsWithFolder.map(toolDescription) })),
  links: lazy(() => ({ tools: toolsWithLinks.map(toolDescription) })),
};

const serverInfo = {
  name: 'signpost',
  title: 'Signpost',
  version: VERSION,
  description: 'UK postcodes, and screenshots and PDFs of web pages.',
};

const HOUR_MS = 3_600_000;
/** The cache hint for lists and for `server/discover`, which are the same for all callers. */
const LISTED: CacheHint = { ttlMs: HOUR_MS, cacheScope: 'public' };
/** The cache hint for resources, which change when the directory is replaced. */
const READ: CacheHint = { ttlMs: HOUR_MS / 12, cacheScope: 'private' };

const options = {
  instructions:
    'Signpost looks up UK postcodes and captures public web pages. Every call counts against the limits of the API key: for several postcodes call lookup_postcodes once.',
  cacheHints: {
    'server/discover': LISTED,
    'tools/list': LISTED,
    'resources/list': LISTED,
    'resources/templates/list': LISTED,
    'resources/read': READ,
    'prompts/list': LISTED,
  },
} as const;

/**
 * Options that tell models that the directory is the sample, so that they do not take its postcodes for all postcodes.
 */
const optionsOfSample = {
  ...options,
  instructions: `${options.instructions} This server has only a small sample of the UK's postcodes: say so if one is missing, and if they are counted or listed.`,
};

type Register = (server: McpServer['server'], deps: McpDeps) => void;

/**
 * Runs a handler and returns its result. Rethrows a ProtocolError. On any other error, throws the reason of the signal
 * if it is aborted; otherwise logs the error and throws a general one for the client.
 */
async function guarded<Result>(
  { log }: McpDeps,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    signal.throwIfAborted();
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The request failed unexpectedly.');
  }
}

/** For each method, the function that registers its handler. */
const handlersByMethod: Readonly<Record<string, Register>> = {
  'tools/list': (server, { files }) => server.setRequestHandler('tools/list', lists[files.kind]),
  'tools/call': (server, deps) =>
    server.setRequestHandler('tools/call', (request, context) => callTool(deps, request, context)),
  'resources/list': (server) => server.setRequestHandler('resources/list', () => resources),
  'resources/templates/list': (server) =>
    server.setRequestHandler('resources/templates/list', () => resourceTemplates),
  'resources/read': (server, deps) =>
    server.setRequestHandler('resources/read', ({ params }, { mcpReq: { signal } }) =>
      guarded(deps, signal, () => readResource(deps, params.uri, signal)),
    ),
  'prompts/list': (server) => server.setRequestHandler('prompts/list', () => prompts),
  'prompts/get': (server) => server.setRequestHandler('prompts/get', getPrompt),
  'completion/complete': (server, deps) =>
    server.setRequestHandler('completion/complete', (request, { mcpReq: { signal } }) =>
      guarded(deps, signal, () => complete(deps.directBackend, request, signal)),
    ),
};

const handlers = new Map(Object.entries(handlersByMethod));
const allMethods = [...handlers.keys()];

/** Creates the server of one connection. `methods` are the methods that the server must handle; by default all. */
export type CreateServer = (deps: McpDeps, methods?: readonly string[]) => McpServer;

/**
 * Creates an MCP server with the handlers of the given methods. Over HTTP one is created per request, with only the
 * handlers of that request's methods.
 */
export const createMcpServer: CreateServer = (deps, methods = allMethods) => {
  const mcp = new McpServer(serverInfo, deps.directory().isSample === true ? optionsOfSample : options);
  // Capabilities are registered here and not in the options, because as options they would make the SDK announce that
  // the lists can change.
  mcp.server.registerCapabilities({ tools: {}, resources: {}, prompts: {}, completions: {} });
  for (const method of methods) handlers.get(method)?.(mcp.server, deps);
  return filterMessages(mcp);
};
