import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server finishes what it does before it ends; one that takes longer hangs. */
const PATIENCE_MS = 20_000;

/** Ends a process by this signal, or where that does not help by SIGKILL; resolves when it is gone. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const harder = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(harder);
}

/**
 * Ends a process that was started as a group of its own (`detached`), with all its descendants: the program may be
 * a script around the real one.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGKILL');
  await closed;
}
