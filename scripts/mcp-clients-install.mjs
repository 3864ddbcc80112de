import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installNode } from './install-node.mjs';
import { installOnce, installPackages } from './install-once.mjs';

/** MCP clients that this project did not write, and the protocol's own conformance suite. */
const CLIENTS = {
  '@ai-sdk/mcp': '2.0.99',
  '@anthropic-ai/sdk': '1.12.0',
  '@google/adk': '2.0.0',
  '@google/genai': '3.3.0',
  '@langchain/core': '1.4.0',
  '@langchain/google-genai': '2.3.2',
  '@langchain/langgraph': '1.7.3',
  '@langchain/mcp-adapters': '1.1.4',
  '@llamaindex/core': '0.6.23',
  '@llamaindex/env': '0.1.31',
  '@llamaindex/tools': '0.2.1',
  '@mastra/core': '1.71.0',
  '@mastra/mcp': '2.0.0',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@openai/agents-core': '0.20.0',
  '@strands-agents/sdk': '1.19.0',
  ai: '7.0.173',
  'mcp-proxy': '6.7.19',
  'mcp-remote': '0.15.1',
  mcporter: '0.12.3',
  'sdk-of-2025-03-26': 'npm:@modelcontextprotocol/sdk@1.11.5',
  supergateway: '4.0.0',
};

const versions = createHash('sha256').update(JSON.stringify(CLIENTS)).digest('hex').slice(0, 12);
const cacheFolder = () => process.env.SIGNPOST_MCP_CLIENTS_CACHE_DIR || join(homedir(), '.cache');

/**
 * Installs the MCP clients and their Node.js into cache folders, once. Resolves to the paths of both and the clients'
 * versions.
 */
export async function installMcpClients() {
  const { node } = await installNode();
  const clients = await installOnce(cacheFolder(), `signpost-mcp-clients-${versions}`, (folder) =>
    installPackages(folder, { dependencies: CLIENTS }, 'MCP clients (about 500 MB)'),
  );
  return { node, modules: join(clients, 'node_modules'), versions: CLIENTS };
}
