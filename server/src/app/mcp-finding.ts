import { checkConnection } from 'signpost-mcp/check';
import type { Finding } from '../platform/finding.js';
import type { Config } from './config.js';
import { localUrl } from './local-url.js';

const NAME = 'MCP';
const UNAUTHORIZED = 401;

/** The command `signpost mcp` of this installation. */
export interface McpProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Whether an assistant can connect to `/mcp` of the server on this machine. The finding is "works" also if no server
 * runs there, or if `apiKey` is empty and the server asks for a key.
 */
async function addressFinding(
  { host, port }: Pick<Config, 'host' | 'port'>,
  apiKey: string,
): Promise<Finding> {
  const url = `${localUrl(host, port)}/mcp`;
  const headers: Readonly<Record<string, string>> = apiKey === '' ? {} : { 'X-Api-Key': apiKey };
  const { finding, status } = await checkConnection(NAME, { url, headers });
  if (finding.state === 'works') return { name: NAME, state: 'works', message: `${url} answers too` };
  if (status === UNAUTHORIZED && apiKey === '')
    return { name: NAME, state: 'works', message: `${url} asks for a key or a sign-in` };
  if (status === undefined)
    return { name: NAME, state: 'works', message: `${url} was not checked, because no server runs there` };
  return { ...finding, state: 'could be better' };
}

/**
 * Whether an assistant can start `signpost mcp`, and if so, also whether it can use the address of a running server.
 */
export async function mcpFinding(
  config: Pick<Config, 'host' | 'port'>,
  program: McpProgram,
): Promise<Finding> {
  const { finding } = await checkConnection(NAME, program);
  if (finding.state !== 'works') return finding;
  const address = await addressFinding(config, program.env['SIGNPOST_API_KEY'] ?? '');
  return address.state === 'works'
    ? { ...finding, message: `${finding.message}; ${address.message}` }
    : address;
}
