import { type Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from './create-mcp-server.js';
import type { McpDeps } from './mcp-deps.js';

/** Tells when every request that came over a transport is answered or cancelled. */
interface OpenRequests {
  /** Resolves when none is open, at once where that is so already. */
  idle(): Promise<void>;
}

/** Watches a transport that a server is connected to. */
function watchOpenRequests(transport: Transport): OpenRequests {
  const open = new Set<unknown>();
  let onIdle: (() => void)[] = [];
  const close = (id: unknown) => {
    if (!open.delete(id) || open.size > 0) return;
    for (const resolve of onIdle) resolve();
    onIdle = [];
  };

  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      close(message.params?.requestId);
    onmessage?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) close(message.id);
  };
  return {
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}

/**
 * A stream before another that joins what is written while a write is under way: answers that are ready together
 * cost one call of the system, and one that is alone waits for nothing.
 */
const batchedOutput = (target: Writable): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void target.write(chunk, done),
    writev: (chunks, done) => void target.write(chunks.map(({ chunk }) => String(chunk)).join(''), done),
  });

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
export async function serveStdio(deps: McpDeps, { stdin, stdout, stopped }: Stdio): Promise<void> {
  const mcp = createMcpServer(deps);
  const output = batchedOutput(stdout);
  output.on('error', () => undefined);
  const transport = new StdioServerTransport(stdin, output);
  const closed = new Promise<void>((resolve) => (mcp.server.onclose = resolve));
  const noReader = once(stdout, 'error', 'close');
  const noMore = once(stdin, 'end', 'close');
  mcp.server.onerror = (error) => deps.log(`A message was not understood: ${error.message}`);
  await mcp.connect(transport);
  const requests = watchOpenRequests(transport);

  const allAnswered = noMore.then(() => requests.idle()).then(() => true);
  const cutShort = Promise.race([stopped, noReader, closed]).then(() => false);
  const isComplete = await Promise.race([allAnswered, cutShort]);
  await mcp.close();
  if (isComplete) await new Promise<void>((resolve) => output.end(() => resolve()));
  stdin.destroy();
}
