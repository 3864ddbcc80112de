import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { failure, text, type ToolResult } from '../tools/tool-result.js';
import type { Tool } from '../tools/tool.js';
import { toolsWithFolder, toolsWithLinks } from '../tools/tools.js';
import type { McpDeps } from './mcp-deps.js';

/** Returns a function that sends progress if the client asked for it, and else does nothing. */
function progressReport({ _meta, notify }: ServerContext['mcpReq']): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // If the client has disconnected, it does not wait for the result either.
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => undefined);
  };
}

/**
 * `resource_link` came with the same protocol revision as this header. Older clients reject a result that has one.
 */
const knowsLinks = ({ http }: ServerContext): boolean =>
  (http?.req?.headers.get('mcp-protocol-version') ?? '') >= '2025-06-18';

const byName = (tools: readonly Tool[]) => new Map(tools.map((tool) => [tool.name, tool]));
const tools = { folder: byName(toolsWithFolder), links: byName(toolsWithLinks) };

/** With the sample directory, a model would take the results of these tools for complete. */
const TOOLS_OF_MANY: ReadonlySet<string> = new Set([
  'lookup_postcodes',
  'validate_postcode',
  'find_nearest_postcodes',
  'autocomplete_postcode',
  'get_outcode',
  'list_area_postcodes',
  'find_postcodes_in_text',
]);
const OF_SAMPLE = "This server has only a small sample of the UK's postcodes: most are missing.";

function withSampleNote(result: ToolResult, name: string, { isSample }: ReturnType<McpDeps['directory']>) {
  if (isSample !== true || result.isError === true || !TOOLS_OF_MANY.has(name)) return result;
  // Added to the text of the result, because some clients pass on only one part.
  const content = result.content.map((part) =>
    part.type === 'text' ? text(`${part.text}\n${OF_SAMPLE}`) : part,
  );
  return { ...result, content };
}

/** Handles `tools/call`. */
export async function callTool(
  { backend, files, directory, log }: McpDeps,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const { mcpReq } = context;
  const tool = tools[files.kind].get(params.name);
  if (tool === undefined) {
    const names = [...tools.folder.keys()].join(', ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no such tool. The tools are: ${names}.`,
    );
  }
  const { signal } = mcpReq;
  try {
    const report = progressReport(mcpReq);
    const answer = await tool.call(params.arguments, { backend, files, signal, report });
    const result = withSampleNote(answer, tool.name, directory());
    if (files.kind === 'folder' || knowsLinks(context)) return result;
    return { ...result, content: result.content.filter(({ type }) => type !== 'resource_link') };
  } catch (error) {
    signal.throwIfAborted();
    log(`${tool.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failure('The tool failed unexpectedly. Call it again once; if it fails again, tell the user.');
  }
}
