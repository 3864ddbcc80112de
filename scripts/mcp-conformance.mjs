import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installMcpClients } from './mcp-clients-install.mjs';
import { root } from './root.mjs';
import { setUp } from './set-up.mjs';

/** Longer than the checks take, which end on their own at their deadline. */
const BACKSTOP_MS = 21 * 60_000;
/** Lets the checks import modules from the folder of the clients. */
const RESOLVE_FLAG = '--experimental-import-meta-resolve';

await setUp();
const { node, modules, versions } = await installMcpClients();
const folder = mkdtempSync(join(tmpdir(), 'signpost-mcp-conformance-'));

const checks = spawn(node, [RESOLVE_FLAG, join(root, 'test/mcp-conformance/run.mjs')], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  // A process group of its own, so that everything a check started can be ended with the run.
  detached: true,
  env: {
    ...process.env,
    MCP_CONFORMANCE_FOLDER: folder,
    MCP_CLIENT_MODULES: modules,
    MCP_CLIENT_VERSIONS: JSON.stringify(versions),
    // The server runs on the Node.js that its packages were installed for.
    MCP_SERVER_NODE: process.execPath,
  },
});
const end = (signal) => {
  try {
    process.kill(-checks.pid, signal);
  } catch {
    // No process of the group is left.
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
const timeout = setTimeout(() => end('SIGKILL'), BACKSTOP_MS);

const [code] = await once(checks, 'exit');
clearTimeout(timeout);
end('SIGKILL');
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = code ?? 1;
