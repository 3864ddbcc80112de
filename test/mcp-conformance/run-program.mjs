import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Less than a check may take, so that the program is ended before its check is. */
const PROGRAM_TIMEOUT_MS = 35_000;

/** Runs a program to its end. Returns its output and its exit code, which is null if a signal ended it. */
export async function runProgram(command, words, environment, timeout = PROGRAM_TIMEOUT_MS) {
  const child = spawn(command, words, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
