import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { failure } from '../tools/tool-result.js';
import type { Tool } from '../tools/tool.js';
import { toolsWithFolder, toolsWithLinks } from '../tools/tools.js';
import type { McpDeps } from './mcp-deps.js';

/** Sends progress to a client that asked for it, and does nothing for others. */
function progressReport({ _meta, notify }: ServerContext['mcpReq']): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that has gone no longer waits for the result either.
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => undefined);
  };
}

/** `resource_link` and this header came with the same revision; clients of an older one refuse the whole result. */
const knowsLinks = ({ http }: ServerContext): boolean =>
  (http?.req?.headers.get('mcp-protocol-version') ?? '') >= '2025-06-18';

const byName = (tools: readonly Tool[]) => new Map(tools.map((tool) => [tool.name, tool]));
const tools = { folder: byName(toolsWithFolder), links: byName(toolsWithLinks) };

/** Answers `tools/call`. */
export async function callTool(
  { backend, files, log }: McpDeps,
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
    const result = await tool.call(params.arguments, { backend, files, signal, report });
    if (files.kind === 'folder' || knowsLinks(context)) return result;
    return { ...result, content: result.content.filter(({ type }) => type !== 'resource_link') };
  } catch (error) {
    signal.throwIfAborted();
    log(`${tool.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failure('The tool failed unexpectedly. Call it again once; if it fails again, tell the user.');
  }
}
