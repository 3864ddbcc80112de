import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installNode, NODE_VERSION } from './install-node.mjs';
import { installOnce, installPackages, STEP_TIMEOUT_MS } from './install-once.mjs';
import { runStep } from './run-step.mjs';

const N8N_VERSION = '2.41.1';
const SCAN_VERSION = '0.32.0';
const BASE_RULES_VERSION = '1.16.7';

const MANIFESTS = {
  n8n: {
    dependencies: { n8n: N8N_VERSION },
    // Newer ones that n8n's ranges also allow do not work beside it.
    overrides: {
      linkedom: '0.18.13',
      '@langchain/langgraph': '1.4.18',
      '@langchain/langgraph-sdk': '1.12.0',
    },
  },
  checks: {
    dependencies: {
      '@n8n/scan-community-package': SCAN_VERSION,
      'eslint-plugin-n8n-nodes-base': BASE_RULES_VERSION,
      '@typescript-eslint/parser': '8.73.0',
      eslint: '9.29.0',
      'n8n-workflow': '2.11.1',
      typescript: '5.9.3',
    },
    // The scan crashes on import beside a newer one.
    overrides: { typescript: '5.9.3' },
  },
};

const cacheFolder = () => process.env.SIGNPOST_N8N_CACHE_DIR || join(homedir(), '.cache', 'signpost-n8n');

/**
 * Sees to it that n8n, the Node that it needs and its checks of packages are in the cache folder, and answers where.
 * Each is installed once: a folder gets its name when it is complete, and what was broken off is thrown away.
 */
export async function installN8n() {
  const cache = cacheFolder();
  const { node, nodeFolder } = await installNode();
  const checks = await installOnce(cache, `checks-${SCAN_VERSION}-${BASE_RULES_VERSION}`, (folder) =>
    installPackages(folder, MANIFESTS.checks, "n8n's checks of packages"),
  );
  const n8n = await installOnce(cache, `n8n-${N8N_VERSION}-node-${NODE_VERSION}`, async (folder) => {
    await installPackages(folder, MANIFESTS.n8n, `n8n ${N8N_VERSION} (about 2.2 GB, some minutes)`);
    await compileSqlite(folder, nodeFolder);
  });
  return {
    node,
    program: join(n8n, 'node_modules', 'n8n', 'bin', 'n8n'),
    checks: join(checks, 'node_modules'),
    version: N8N_VERSION,
  };
}

function compileSqlite(folder, nodeFolder) {
  return runStep({
    title: 'Compiling SQLite for n8n (some minutes)',
    command: 'npm',
    args: ['rebuild', 'sqlite3', '--foreground-scripts'],
    cwd: folder,
    timeout: STEP_TIMEOUT_MS,
    env: {
      ...process.env,
      PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
      npm_config_nodedir: nodeFolder,
      npm_config_build_from_source: 'true',
    },
    advice:
      'It needs python3, make and a C++ compiler. On Debian and Ubuntu: apt-get install build-essential python3',
  });
}
