import type { Readable, Writable } from 'node:stream';
import { serveStdio as connect } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type CreateServer } from './create-mcp-server.js';
import type { McpDeps } from './mcp-deps.js';
import { StdioTransport } from './stdio-transport.js';

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
 * Serves one client of any protocol revision on two streams. Ends when `stdin` ends, after responding to open requests;
 * or at once when the process is told to stop, nobody reads `stdout` or the transport is closed.
 */
export async function serveStdio(
  deps: McpDeps,
  { stdin, stdout, stopped }: Stdio,
  createServer: CreateServer = createMcpServer,
): Promise<void> {
  const noReader = once(stdout, 'error', 'close');
  const noMore = once(stdin, 'end', 'close');
  const transport = new StdioTransport(stdin, stdout);
  const onerror = (error: Error) => deps.log(`A message was not understood: ${error.message}`);
  const createReporting = () => {
    const mcp = createServer(deps);
    mcp.server.onerror = onerror;
    return mcp;
  };
  const connection = connect(createReporting, { transport, onerror });
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });

  const allAnswered = noMore.then(() => transport.idle()).then(() => true);
  const cutShort = Promise.race([stopped, noReader, closed]).then(() => false);
  const isComplete = await Promise.race([allAnswered, cutShort]);
  await connection.close();
  if (isComplete) await new Promise<void>((resolve) => stdout.end(() => resolve()));
  stdin.destroy();
}
