import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { jestProgram } from './jest-program.mjs';
import { root } from './root.mjs';

/**
 * Runs tests that are apart from `npm test`, one file after the other, and ends all that they started, at the latest
 * when their time is over. Resolves to the exit code.
 */
export async function runJest({ config, words, environment, backstopMs }) {
  const [command, ...args] = jestProgram();
  const jest = spawn(
    command,
    [
      ...args,
      `--config=${join(root, config)}`,
      // One at a time: each wants the machine for itself.
      '--runInBand',
      ...words,
    ],
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
