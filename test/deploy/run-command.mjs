import { spawn } from 'node:child_process';
import { once } from 'node:events';

const LAST_CHARACTERS = 3_000;

/** Runs a program to its end. Returns what it printed; if it fails, throws an error with the end of its output. */
export async function runCommand(command, words, options = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const stdout = [];
  const all = [];
  child.stdout.on('data', (chunk) => {
    stdout.push(chunk);
    all.push(chunk);
  });
  child.stderr.on('data', (chunk) => all.push(chunk));
  await once(child, 'close');
  if (child.exitCode === 0) return Buffer.concat(stdout).toString();
  const said = Buffer.concat(all).toString().trim().slice(-LAST_CHARACTERS);
  throw new Error(
    `${command} ${words.join(' ')}\nended with ${child.exitCode ?? child.signalCode}:\n${said}`,
  );
}
