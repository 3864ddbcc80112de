import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, type CallToolResult, type Progress } from '@modelcontextprotocol/sdk/types.js';

const root = join(import.meta.dirname, '../../..');
const programs = { signpost: 'server/bin/signpost.js', 'signpost-mcp': 'mcp/bin/signpost-mcp.js' } as const;

/** The path of a command of the checkout. */
export const programOf = (name: keyof typeof programs) => join(root, programs[name]);

/** The SDK's own client, connected. */
export interface ConnectedClient {
  readonly client: Client;
  /** Calls a tool. Returns the whole result. */
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
}

const connected = (client: Client): ConnectedClient => ({
  client,
  call: async (name, args = {}, options = {}) =>
    // The client's own check of structured results against the output schema stays on.
    CallToolResultSchema.parse(await client.callTool({ name, arguments: args }, undefined, options)),
  close: () => client.close(),
});

/** Starts a command, and connects a client to it over its standard input and output. */
export async function connectStdio(
  program: keyof typeof programs,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ConnectedClient> {
  const client = new Client({ name: 'test', version: '1' });
  const { PATH = '', HOME = '' } = process.env;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programOf(program), ...words],
      env: { PATH, HOME, ...environment },
      stderr: 'ignore',
    }),
  );
  // Fetches the output schemas, against which the client checks results from then on.
  await client.listTools();
  return connected(client);
}

/** Connects a client to an endpoint over HTTP. */
export async function connectHttp(url: string, headers: Record<string, string>): Promise<ConnectedClient> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  await client.listTools();
  return connected(client);
}

/** The text of a result. */
export const wordsOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** The pictures of a result. Throws if there are none. */
export function picturesOf({ content }: CallToolResult): { mimeType: string; bytes: Buffer }[] {
  const images = content.filter((part) => part.type === 'image');
  if (images.length === 0) throw new Error(`There is no picture in ${JSON.stringify(content).slice(0, 500)}`);
  return images.map(({ mimeType, data }) => ({ mimeType, bytes: Buffer.from(data, 'base64') }));
}
