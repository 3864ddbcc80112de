import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program until it ends, or until this process exits, and forwards SIGINT, SIGTERM and SIGHUP to it. Resolves to
 * its exit code (128 + n if signal n ended it), whether a signal was forwarded, and its output if `options.stdio` is a
 * pipe. Rejects if the program cannot be started.
 */
export function runChild(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const output = [];
    let interrupted = false;
    const forward = (signal) => {
      interrupted = true;
      child.kill(signal);
    };
    const end = () => child.kill();
    const listen = (method) => {
      for (const signal of FORWARDED) process[method](signal, forward);
      process[method]('exit', end);
    };

    listen('on');
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => {
      listen('off');
      reject(error);
    });
    child.once('close', (code, signal) => {
      listen('off');
      const exitCode = code ?? 128 + constants.signals[signal];
      resolve({ exitCode, interrupted, output: Buffer.concat(output).toString() });
    });
  });
}
