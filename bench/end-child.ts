import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server finishes its work before it exits. One that takes longer than this counts as hanging. */
const PATIENCE_MS = 20_000;

/**
 * Ends a process with this signal, or with SIGKILL if it has not exited after PATIENCE_MS. Resolves when it has exited.
 */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const harder = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(harder);
}

/**
 * Kills a process that was started as the leader of a process group (`detached`), with the whole group, because the
 * program may be a script that wraps the real one. Does nothing if the process has exited. On Windows, kills only the
 * process itself.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGKILL');
  await closed;
}
