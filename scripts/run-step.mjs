import { runChild } from './run-child.mjs';

/**
 * Runs one step of the set-up and prints one line of progress. If it fails, prints its output and the advice, and
 * exits.
 */
export async function runStep({ title, command, args, advice, ...options }) {
  const startedMs = Date.now();
  process.stderr.write(`${title} … `);
  const { exitCode, interrupted, output } = await runChild(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  if (exitCode === 0 && !interrupted) {
    process.stderr.write(`${seconds} s\n`);
    return;
  }
  process.stderr.write(`${interrupted ? 'stopped' : 'failed'} after ${seconds} s\n`);
  if (!interrupted) process.stderr.write(`${output.trimEnd()}\n${advice}\n`);
  process.exit(exitCode === 0 ? 1 : exitCode);
}
