import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installOnce, installPackages, NODE_PACKAGE } from './install-once.mjs';

const NODE_VERSION = '24.21.0';

/** MCP clients that nobody of this project wrote, and the protocol's own suite. */
const CLIENTS = {
  '@ai-sdk/mcp': '2.0.99',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/conformance': '0.1.16',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@openai/agents-core': '0.20.0',
  'mcp-remote': '0.15.1',
  mcporter: '0.12.3',
};

const versions = createHash('sha256').update(JSON.stringify(CLIENTS)).digest('hex').slice(0, 12);
const cacheFolder = () => process.env.SIGNPOST_MCP_CLIENTS_CACHE_DIR || join(homedir(), '.cache');
const n8nCacheFolder = () => process.env.SIGNPOST_N8N_CACHE_DIR || join(homedir(), '.cache', 'signpost-n8n');

/**
 * Sees to it that the clients and the Node that they need are in the cache folder, and answers where. Each is
 * installed once: a folder gets its name when it is complete, and what was broken off is thrown away.
 */
export async function installMcpClients() {
  const node = await installNode();
  const clients = await installOnce(cacheFolder(), `signpost-mcp-clients-${versions}`, (folder) =>
    installPackages(folder, { dependencies: CLIENTS }, 'MCP clients (about 250 MB)'),
  );
  return { node, modules: join(clients, 'node_modules'), versions: CLIENTS };
}

async function installNode() {
  const program = ['node_modules', NODE_PACKAGE, 'bin', 'node'];
  const ofTheN8nTests = join(n8nCacheFolder(), `node-${NODE_VERSION}`, ...program);
  if (existsSync(ofTheN8nTests)) return ofTheN8nTests;
  const name = `signpost-mcp-clients-node-${NODE_VERSION}`;
  const folder = await installOnce(cacheFolder(), name, (partial) =>
    installPackages(partial, { dependencies: { [NODE_PACKAGE]: NODE_VERSION } }, `Node ${NODE_VERSION}`),
  );
  return join(folder, ...program);
}
