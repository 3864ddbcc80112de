import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { jestProgram } from './jest-program.mjs';
import { root } from './root.mjs';

/**
 * Runs tests that are apart from `npm test`, and ends all that they started, at the latest when their time is over.
 * One file runs after the other, each with the machine for itself, unless they may run `sideBySide`. Resolves to the
 * exit code.
 */
export async function runJest({ config, words, environment = {}, backstopMs, sideBySide = false }) {
  const [command, ...args] = jestProgram();
  const jest = spawn(
    command,
    [...args, `--config=${join(root, config)}`, ...(sideBySide ? [] : ['--runInBand']), ...words],
    {
      cwd: root,
      stdio: 'inherit',
      // A group of its own, so that nothing that a test started outlives the run.
      detached: true,
      env: { ...process.env, ...environment },
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
    console.error(`The tests were ended after ${backstopMs / 60_000} minutes.`);
    end('SIGKILL');
  }, backstopMs);
  const [code] = await once(jest, 'exit');
  clearTimeout(timeout);
  end('SIGKILL');
  return code ?? 1;
}
