import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { jestProgram } from './jest-program.mjs';
import { root } from './root.mjs';

/**
 * Runs tests that are not part of `npm test`, then ends everything they started; after `backstopMs` at the latest.
 * Files run one at a time, so that each has the machine to itself, unless `sideBySide` is set. Resolves to the exit
 * code.
 */
export async function runJest({ config, words, environment = {}, backstopMs, sideBySide = false }) {
  const [command, ...args] = jestProgram();
  const jest = spawn(
    command,
    [...args, `--config=${join(root, config)}`, ...(sideBySide ? [] : ['--runInBand']), ...words],
    {
      cwd: root,
      stdio: 'inherit',
      // A process group of its own, so that everything a test started can be ended with the run.
      detached: true,
      env: { ...process.env, ...environment },
    },
  );
  const end = (signal) => {
    try {
      process.kill(-jest.pid, signal);
    } catch {
      // No process of the group is left.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
  const timeout = setTimeout(() => {
    console.error(`The tests were ended after ${backstopMs / 60_000} minutes.`);
    end('SIGKILL');
  }, backstopMs);
  const [code] = await once(jest, 'exit');
  clearTimeout(timeout);
  end('SIGKILL');
  return code ?? 1;
}
