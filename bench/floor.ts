import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';

async function start(words: readonly string[], answer: string | Buffer) {
  const [program = '', ...others] = words;
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...others], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const end = onEnd(() => endChild(child));
  child.stdin.end(answer);
  const url = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  return { url: url.trim(), pid: child.pid ?? 0, end: () => void end() };
}

/**
 * Starts a bare server that responds to every request with `answer`. If `answer` is empty, the server looks up what the
 * request asks for in the directory, and responds with the result.
 */
export const startFloor = (dataDir: string, answer: string | Buffer) =>
  start(['floor-server.js', dataDir], answer);

/** Starts a bare server that rejects every request. */
export const startRejectionFloor = () => start(['rejection-floor-server.js'], '');
