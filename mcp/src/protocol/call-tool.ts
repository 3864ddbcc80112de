import {
  type CallToolRequest,
  type CallToolResult,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { failure } from '../tools/tool-result.js';
import { toolsWithFiles, toolsWithoutFiles } from '../tools/tools.js';
import type { Tool } from '../tools/tool.js';
import type { McpParts } from './mcp-parts.js';
import { progressReport, type RequestExtra } from './progress-report.js';

const byName = (tools: readonly Tool[]) => new Map(tools.map((tool) => [tool.name, tool]));
const withFiles = byName(toolsWithFiles);
const withoutFiles = byName(toolsWithoutFiles);

/** Answers `tools/call`. */
export async function callTool(
  { backend, files, log }: McpParts,
  { params }: CallToolRequest,
  extra: RequestExtra,
): Promise<CallToolResult> {
  const tool = (files === undefined ? withoutFiles : withFiles).get(params.name);
  if (tool === undefined) {
    const names = [...withFiles.keys()].join(', ');
    throw new McpError(ErrorCode.InvalidParams, `There is no such tool. The tools are: ${names}.`);
  }
  const { signal } = extra;
  try {
    return await tool.call(params.arguments, { backend, files, signal, report: progressReport(extra) });
  } catch (error) {
    signal.throwIfAborted();
    log(`${tool.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failure('The tool failed unexpectedly. Call it again once; if it fails again, tell the user.');
  }
}
