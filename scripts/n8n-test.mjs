import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './root.mjs';
import { setUp } from './set-up.mjs';
import { installN8n } from './n8n-install.mjs';

/** For the tests alone, which take about five; the installation before them has its own. */
const TESTS_TIMEOUT_MS = 10 * 60_000;

await setUp();
const { node, program, checks, version } = await installN8n();
console.error(`Testing the packed package in n8n ${version}`);

const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    `--config=${join(root, 'test/n8n/jest.config.cjs')}`,
    // One n8n at a time: each wants a core and half a gigabyte.
    '--runInBand',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // A group of its own, so that nothing that a test started outlives the run.
    detached: true,
    env: {
      ...process.env,
      SIGNPOST_N8N_NODE: node,
      SIGNPOST_N8N_PROGRAM: program,
      SIGNPOST_N8N_CHECKS: checks,
    },
  },
);
const end = (signal) => {
  try {
    process.kill(-jest.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
const timeout = setTimeout(() => {
  console.error(`The tests were ended after ${TESTS_TIMEOUT_MS / 60_000} minutes.`);
  end('SIGKILL');
}, TESTS_TIMEOUT_MS);

const [code] = await once(jest, 'exit');
clearTimeout(timeout);
end('SIGKILL');
process.exitCode = code ?? 1;
