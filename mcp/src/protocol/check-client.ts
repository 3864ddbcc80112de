import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '../version.js';

/** Long enough to start a program from a slow disk. */
const TIMEOUT_MS = 30_000;
const LAST_LINES = 3;

/** How a client reaches a server: by starting a program, or at an address. */
export type McpTarget =
  | {
      /** The name of the program in messages. */
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: NodeJS.ProcessEnv;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface CheckedCall {
  readonly isError: boolean;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A server as the official client sees it. */
export interface CheckClient {
  readonly server: { readonly name: string; readonly version: string };
  /** The revision of the protocol on which client and server agreed. */
  readonly revision: string;
  readonly tools: readonly string[];
  call(name: string, args: Record<string, unknown>): Promise<CheckedCall>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a program as a client does, and keeps its error output for error messages. */
class ProgramTransport extends StdioClientTransport {
  protocolVersion = '';
  #printed = '';

  constructor({ command, args, env }: Extract<McpTarget, { command: string }>) {
    const variables = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    super({ command, args: [...args], env: Object.fromEntries(variables), stderr: 'pipe' });
    this.stderr?.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()));
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  /** The last lines of the program's error output, as one line. */
  get lastLines(): string {
    return this.#printed.trim().split('\n').slice(-LAST_LINES).join(' ');
  }
}

/**
 * Returns an error whose message has the last lines of the program's error output, because they usually say why the
 * program ended, and whose cause is `error`. Returns `error` itself if the program printed nothing there.
 */
function withLastLines(error: unknown, { lastLines }: ProgramTransport): unknown {
  if (lastLines === '') return error;
  return new Error(`the program printed: ${lastLines}`, { cause: error });
}

/**
 * Connects to a server with the official client and lists its tools. Rejects with the client's error, or with one that
 * has the last lines that a started program printed.
 */
export async function connectAsClient(target: McpTarget): Promise<CheckClient> {
  const transport: (Transport & { readonly protocolVersion?: string | undefined }) | ProgramTransport =
    'command' in target
      ? new ProgramTransport(target)
      : new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } });
  const client = new Client({ name: 'signpost-check', version: VERSION });
  const limit = { timeout: TIMEOUT_MS };
  try {
    await client.connect(transport, limit);
    const { tools } = await client.listTools({}, limit);
    const { name = '', version = '' } = client.getServerVersion() ?? {};
    return {
      server: { name, version },
      revision: transport.protocolVersion ?? '',
      tools: tools.map((tool) => tool.name),
      async call(tool, args) {
        const result = CallToolResultSchema.parse(
          await client.callTool({ name: tool, arguments: args }, undefined, limit),
        );
        const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
        return { isError: result.isError === true, text, fields: result.structuredContent ?? {} };
      },
      async read(uri) {
        const { contents } = await client.readResource({ uri }, limit);
        return contents.map((content) => ('text' in content ? content.text : '')).join('\n');
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw transport instanceof ProgramTransport ? withLastLines(error, transport) : error;
  }
}
