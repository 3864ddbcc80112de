import { runChild } from './run-child.mjs';

/**
 * Starts a program as one step. The returned function prints one line about the step, and waits until the program has
 * ended. If the program was interrupted, ends this process. If the program failed otherwise, prints its output and the
 * advice, and ends this process.
 */
export function startStep({ title, command, args, advice, ...options }) {
  const startedMs = Date.now();
  const ended = runChild(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  return async () => {
    process.stderr.write(`${title} … `);
    const { exitCode, interrupted, output } = await ended;
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
    if (exitCode === 0 && !interrupted) {
      process.stderr.write(`${seconds} s\n`);
      return;
    }
    process.stderr.write(`${interrupted ? 'stopped' : 'failed'} after ${seconds} s\n`);
    if (!interrupted) process.stderr.write(`${output.trimEnd()}\n${advice}\n`);
    process.exit(exitCode === 0 ? 1 : exitCode);
  };
}

/** Runs a program as one step, to its end. If it fails, ends this process. */
export const runStep = (step) => startStep(step)();
