import { homedir } from 'node:os';
import { join } from 'node:path';
import { installOnce, installPackages, NODE_PACKAGE } from './install-once.mjs';

/** Node.js releases to test with besides the installed one, by major version. */
export const NODE_VERSIONS = { 22: '22.23.2', 24: '24.21.0' };
/** The release of the major version that the Dockerfile names, and that n8n and some MCP clients need. */
export const NODE_VERSION = NODE_VERSIONS[24];

const cacheFolder = () => process.env.SIGNPOST_NODE_CACHE_DIR || join(homedir(), '.cache', 'signpost-node');

/**
 * Installs a Node.js release into the cache folder unless it is there. Resolves to its package's folder and program's
 * path.
 */
export async function installNode(version = NODE_VERSION) {
  const folder = await installOnce(cacheFolder(), `node-${version}`, (partial) =>
    installPackages(partial, { dependencies: { [NODE_PACKAGE]: version } }, `Node ${version}`),
  );
  const nodeFolder = join(folder, 'node_modules', NODE_PACKAGE);
  return { nodeFolder, node: join(nodeFolder, 'bin', 'node') };
}
