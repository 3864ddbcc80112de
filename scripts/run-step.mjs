import { runChild } from './run-child.mjs';

/**
 * Starts one step of the set-up. The function that it returns waits for the end of the step and prints one line of
 * progress. If the step fails, it prints its output and the advice, and exits. If the step was interrupted, it only
 * exits.
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

/** Runs one step of the set-up to its end. */
export const runStep = (step) => startStep(step)();
