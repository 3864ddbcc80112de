import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { batchedOutput } from './batched-output.js';
import { createMcpServer } from './create-mcp-server.js';
import type { McpParts } from './mcp-parts.js';
import { watchOpenRequests } from './open-requests.js';

interface Stdio {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<void>;
}

const once = (stream: Readable | Writable, ...events: string[]) =>
  new Promise<void>((resolve) => {
    for (const event of events) stream.once(event, () => resolve());
  });

/**
 * Serves one client on two streams until it closes its end, which lets what it asked for be answered first, or until
 * the process is told to stop or nobody reads any more, which does not.
 */
export async function serveStdio(parts: McpParts, { stdin, stdout, stopped }: Stdio): Promise<void> {
  const mcp = createMcpServer(parts);
  const output = batchedOutput(stdout);
  output.on('error', () => undefined);
  const transport = new StdioServerTransport(stdin, output);
  const closed = new Promise<void>((resolve) => (mcp.server.onclose = resolve));
  const noReader = once(stdout, 'error', 'close');
  const noMore = once(stdin, 'end', 'close');
  mcp.server.onerror = (error) => parts.log(`A message was not understood: ${error.message}`);
  await mcp.connect(transport);
  const requests = watchOpenRequests(transport);

  const allAnswered = noMore.then(() => requests.idle()).then(() => true);
  const cutShort = Promise.race([stopped, noReader, closed]).then(() => false);
  const isComplete = await Promise.race([allAnswered, cutShort]);
  await mcp.close();
  if (isComplete) await new Promise<void>((resolve) => output.end(() => resolve()));
  stdin.destroy();
}
