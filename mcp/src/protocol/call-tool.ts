import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { DIRECTORY_HEADER, isApiKeyOperationId, operations, SAMPLE_DIRECTORY } from '@signpost/contract';
import type { Backend } from '../client/backend.js';
import { toolName } from '../tools/error-words.js';
import { failure, text, type ToolResult } from '../tools/tool-result.js';
import type { Tool } from '../tools/tool.js';
import { toolsWithFolder, toolsWithLinks } from '../tools/tools.js';
import type { McpDeps } from './mcp-deps.js';

/**
 * Returns a function that sends progress to the client if the client asked for it; otherwise the function does
 * nothing.
 */
function progressReport({ _meta, notify }: ServerContext['mcpReq']): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // Errors are ignored: a client that has disconnected does not wait for the result either.
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => undefined);
  };
}

/**
 * Whether a client over HTTP knows `resource_link`. That type came with the same protocol revision as the header
 * `mcp-protocol-version`, and older clients reject a result that contains a link.
 */
const supportsLinks = ({ http }: ServerContext): boolean =>
  (http?.req?.headers.get('mcp-protocol-version') ?? '') >= '2025-06-18';

const byName = (tools: readonly Tool[]) => new Map(tools.map((tool) => [tool.name, tool]));
const tools = { folder: byName(toolsWithFolder), links: byName(toolsWithLinks) };

/**
 * The names of the tools whose results get a note if the directory is the sample. Without the note, a model could take
 * the results for complete.
 */
const POSTCODE_TOOLS: ReadonlySet<string> = new Set(
  Object.entries(operations).flatMap(([id, { tag }]) =>
    tag === 'Postcode' && isApiKeyOperationId(id) ? [toolName(id)] : [],
  ),
);
const SAMPLE_NOTE = "This server has only a small sample of the UK's postcodes: most are missing.";

/**
 * Returns the result with a note in its text and in its fields, if it has any, that the directory is the sample: some
 * clients pass on only one of them. Returns an error unchanged.
 */
function withSampleNote(result: ToolResult): ToolResult {
  if (result.isError === true) return result;
  const content = result.content.map((part) =>
    part.type === 'text' ? text(`${part.text}\n${SAMPLE_NOTE}`) : part,
  );
  const { structuredContent: fields } = result;
  if (fields === undefined) return { ...result, content };
  const note = typeof fields['note'] === 'string' ? `${fields['note']} ${SAMPLE_NOTE}` : SAMPLE_NOTE;
  return { ...result, content, structuredContent: { ...fields, note } };
}

/** Wraps a backend so that `onSample` is called if a response came from the sample directory. */
const watchForSample = (backend: Backend, onSample: () => void): Backend => ({
  call: (operationId, request, options) =>
    backend.call(operationId, request, {
      ...options,
      onHeaders: (headers) => {
        if (headers[DIRECTORY_HEADER.toLowerCase()] === SAMPLE_DIRECTORY) onSample();
        options?.onHeaders?.(headers);
      },
    }),
});

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
    let isSample = directory().isSample === true;
    const watchedBackend = watchForSample(backend, () => (isSample = true));
    const answer = await tool.call(params.arguments, { backend: watchedBackend, files, signal, report });
    const result = isSample && POSTCODE_TOOLS.has(tool.name) ? withSampleNote(answer) : answer;
    if (files.kind === 'folder' || supportsLinks(context)) return result;
    return { ...result, content: result.content.filter(({ type }) => type !== 'resource_link') };
  } catch (error) {
    signal.throwIfAborted();
    log(`${tool.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failure('The tool failed unexpectedly. Call it again once; if it fails again, tell the user.');
  }
}
