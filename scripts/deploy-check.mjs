import './check-node.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode, NODE_VERSION } from './install-node.mjs';
import { root } from './root.mjs';
import { setUp } from './set-up.mjs';

/** Longer than the checks take themselves, which end on their own at their deadline. */
const BACKSTOP_MS = 32 * 60_000;

if (process.platform !== 'linux' || process.getuid() !== 0) {
  console.log('Not checked: all of deploy/. Making roots of Debian and mounting them needs Linux and root.');
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}

await setUp();
const cache = process.env.SIGNPOST_DEPLOY_CACHE_DIR || join(homedir(), '.cache', 'signpost-deploy');
const { nodeFolder } = await installNode();
const npm = (...words) =>
  execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const folder = mkdtempSync(join(tmpdir(), 'signpost-deploy-'));

// Mounts, processes and networks of the checks end with these namespaces, whatever happens.
const checks = spawn(
  'unshare',
  [
    ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...[process.execPath, join(root, 'test/deploy/run.mjs')],
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      DEPLOY_FOLDER: folder,
      DEPLOY_CACHE: cache,
      DEPLOY_NODE_FOLDER: nodeFolder,
      DEPLOY_NODE_VERSION: NODE_VERSION,
      DEPLOY_NPM_FOLDER: join(npm('root', '--global'), 'npm'),
      DEPLOY_NPM_REGISTRY: npm('config', 'get', 'registry'),
      DEPLOY_NPM_CACHE: npm('config', 'get', 'cache'),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => checks.kill('SIGKILL'));
const timeout = setTimeout(() => checks.kill('SIGKILL'), BACKSTOP_MS);

const [code] = await once(checks, 'exit');
clearTimeout(timeout);
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = code ?? 1;
