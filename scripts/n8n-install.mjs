import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installNode, NODE_VERSION, NODE_VERSIONS } from './install-node.mjs';
import { installOnce, installPackages, STEP_TIMEOUT_MS } from './install-once.mjs';
import { runStep } from './run-step.mjs';

/** The newest n8n version that the nodes are tested with, and the Node.js that it runs on. */
const NEWEST = {
  // The newest that npm installed on 2026-11-26: n8n 2.41.3 needs @n8n/agents 0.26.2, which was not published.
  version: '2.41.1',
  node: NODE_VERSION,
  // n8n's version ranges allow newer releases of these, but it does not work with them.
  overrides: {
    linkedom: '0.18.13',
    '@langchain/langgraph': '1.4.18',
    '@langchain/langgraph-sdk': '1.12.0',
  },
};
/** The oldest n8n version that the nodes are tested with, and the Node.js that it runs on. */
const OLDEST = {
  version: '1.85.3',
  node: NODE_VERSIONS[22],
  // The version that n8n asks for is in no npm registry.
  overrides: { xlsx: '0.18.5' },
};

/** n8n's scanner for published packages, its tool for package authors, and the dependencies of both. */
const CHECKS = {
  dependencies: {
    '@n8n/node-cli': '0.48.3',
    '@n8n/scan-community-package': '0.32.0',
    'eslint-plugin-n8n-nodes-base': '1.16.7',
    '@typescript-eslint/parser': '8.73.0',
    eslint: '9.29.0',
    'n8n-workflow': '2.11.1',
    typescript: '5.9.3',
  },
  // The scanner crashes on import with a newer version of TypeScript.
  overrides: { typescript: '5.9.3' },
};

const checksVersion = createHash('sha256').update(JSON.stringify(CHECKS)).digest('hex').slice(0, 12);

const cacheFolder = () => process.env.SIGNPOST_N8N_CACHE_DIR || join(homedir(), '.cache', 'signpost-n8n');

/**
 * Installs the newest and the oldest supported n8n, the Node.js for each, and n8n's package checks into the cache
 * folder, once. Returns where they are.
 */
export async function installN8n() {
  const cache = cacheFolder();
  const checks = await installOnce(cache, `checks-${checksVersion}`, (folder) =>
    installPackages(folder, CHECKS, "n8n's checks of packages (about 600 MB)"),
  );
  const newest = await installLine(cache, NEWEST, '2.2 GB', compileSqlite);
  const oldest = await installLine(cache, OLDEST, '1.2 GB', (folder) => copySqlite(newest.folder, folder));
  return { newest, oldest, checks: join(checks, 'node_modules') };
}

async function installLine(cache, { version, node, overrides }, size, addSqlite) {
  const { nodeFolder, node: program } = await installNode(node);
  const folder = await installOnce(cache, `n8n-${version}-node-${node}`, async (partial) => {
    const manifest = { dependencies: { n8n: version }, overrides };
    await installPackages(partial, manifest, `n8n ${version} (about ${size}, some minutes)`);
    await addSqlite(partial, nodeFolder);
  });
  return {
    version,
    folder,
    node: program,
    program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
  };
}

const sqliteIn = (folder) => join(folder, 'node_modules', 'sqlite3');
const sqliteVersion = (folder) =>
  JSON.parse(readFileSync(join(sqliteIn(folder), 'package.json'), 'utf8')).version;

/**
 * Copies the compiled SQLite from one n8n to another, which saves compiling it again. It uses Node-API, so the same
 * binary runs on both versions of Node.js. Throws if the two n8n have different versions of SQLite.
 */
function copySqlite(from, to) {
  if (sqliteVersion(from) !== sqliteVersion(to))
    throw new Error('The two n8n versions use different versions of SQLite.');
  cpSync(join(sqliteIn(from), 'build'), join(sqliteIn(to), 'build'), { recursive: true });
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
